import Geo

/// The position that a link to a web map carries, if it carries one.
enum MapsLink {
    /// Of the forms that Google Maps writes: `!3dLAT!4dLON` (the place itself), `/search/LAT,LON`, `/place/LAT,LON`,
    /// `q=`, `query=`, `ll=` `LAT,LON`, `/@LAT,LON` (the middle of the view).
    ///
    /// Numbers need a decimal point: `q=10,20` may be anything.
    static func coordinate(in link: String) -> (latitude: Double, longitude: Double)? {
        let text = decodedCommas(Array(link.utf8.prefix(4000)))
        for (before, between) in forms {
            var start = 0
            while let found = text.range(of: before, from: start) {
                start = found.upperBound
                guard let (latitude, middle) = number(text, start), text.has(between, at: middle),
                    let (longitude, _) = number(text, middle + between.count)
                else { continue }
                if abs(latitude) <= 90, abs(longitude) <= 180 { return (latitude, longitude) }
            }
        }
        return nil
    }

    private static let forms: [(before: [UInt8], between: [UInt8])] = [
        ("!3d", "!4d"), ("/search/", ","), ("/place/", ","), ("?q=", ","), ("&q=", ","), ("query=", ","), ("ll=", ","),
        ("/@", ","),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    /// `%2C` and a space or `+` behind a comma are how some write a comma.
    private static func decodedCommas(_ text: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text.has([0x25, 0x32, 0x43], at: index) || text.has([0x25, 0x32, 0x63], at: index) {
                decoded.append(UInt8(ascii: ","))
                index += 3
            } else if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: " "),
                decoded.last == UInt8(ascii: ",") || decoded.last == UInt8(ascii: "/")
                    || decoded.last == UInt8(ascii: "=")
            {
                index += 1
            } else {
                decoded.append(text[index])
                index += 1
            }
        }
        return decoded
    }

    /// A decimal with a point, and where it ends.
    private static func number(_ text: [UInt8], _ start: Int) -> (Double, Int)? {
        var end = start
        func isDigit(_ index: Int) -> Bool {
            text.indices.contains(index) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index])
        }
        if text.has([UInt8(ascii: "-")], at: end) { end += 1 }
        let whole = end
        while isDigit(end), end - whole < 4 { end += 1 }
        guard end > whole, text.has([UInt8(ascii: ".")], at: end), isDigit(end + 1) else { return nil }
        end += 1
        while isDigit(end), end - whole < 30 { end += 1 }
        return Double(String(decoding: text[start..<end], as: UTF8.self)).map { ($0, end) }
    }
}

extension [UInt8] {
    /// Whether `bytes` stand at `index`, wherever that is.
    func has(_ bytes: [UInt8], at index: Int) -> Bool {
        index >= 0 && index + bytes.count <= count && self[index..<index + bytes.count].elementsEqual(bytes)
    }

    /// Where `bytes` stand first from `start` on.
    func range(of bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = bytes.first else { return nil }
        var index = start
        while index + bytes.count <= count {
            if self[index] == first, has(bytes, at: index) { return index..<index + bytes.count }
            index += 1
        }
        return nil
    }
}
