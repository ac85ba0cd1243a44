import Geo
import HTTP

extension JSONWriter {
    /// A GeoJSON geometry (RFC 7946, 3.1.2).
    mutating func point(_ coordinate: Coordinate) {
        object { json in
            json.key("type")
            json.string("Point")
            json.key("coordinates")
            json.array { json in
                json.e7(coordinate.longitudeE7)
                json.e7(coordinate.latitudeE7)
            }
        }
    }

    /// The member `label`: the parts of an address that say something new, as `ReverseGeocoder.label` joins them.
    mutating func labelMember(
        _ part: UnsafeBufferPointer<UInt8>?, _ locality: UnsafeBufferPointer<UInt8>?,
        _ admin1: UnsafeBufferPointer<UInt8>?, _ country: UnsafeBufferPointer<UInt8>?
    ) {
        key(quoted: #""label":"#)
        beginString()
        var previous: UnsafeBufferPointer<UInt8>?
        add(part, &previous)
        add(locality, &previous)
        add(admin1, &previous)
        add(country, &previous)
        endString()
    }

    private mutating func add(_ name: UnsafeBufferPointer<UInt8>?, _ previous: inout UnsafeBufferPointer<UInt8>?) {
        guard let name, previous != nil || !name.isEmpty else { return }
        if let previous {
            if Self.isSameName(name, previous) { return }
            let comma: StaticString = ", "
            piece(utf8: UnsafeBufferPointer(start: comma.utf8Start, count: comma.utf8CodeUnitCount))
        }
        piece(utf8: name)
        previous = name
    }

    /// As for texts, which are made only where it is not plain.
    private static func isSameName(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = a.first, let last = a.last, let otherFirst = b.first, let otherLast = b.last else {
            return a.isEmpty && b.isEmpty
        }
        if (first | otherFirst) < 0x80, first | 0x20 != otherFirst | 0x20 { return false }
        if (last | otherLast) < 0x80, last | 0x20 != otherLast | 0x20 { return false }
        if a.elementsEqual(b) { return true }
        if a.allSatisfy({ $0 < 0x80 }), b.allSatisfy({ $0 < 0x80 }) {
            return false
        }
        return ReverseGeocoder.isSameName(String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self))
    }

    mutating func optionalString(utf8 text: UnsafeBufferPointer<UInt8>?) {
        if let text { string(utf8: text) } else { null() }
    }
}
