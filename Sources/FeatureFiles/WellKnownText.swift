/// Why a text is no geometry: goes behind the name of its column.
struct GeometryTextFault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Reads geometries from well-known text (OGC 06-103r4, 7.2), with PostGIS's `SRID=4326;` before it if it has that.
///
/// Of a position only the first two numbers are taken, open rings are closed, empty parts are left out.
struct WellKnownText {
    /// The number before the geometry.
    private(set) var srid: Int?
    private let bytes: UnsafePointer<UInt8>
    private var index: Int
    private let end: Int

    /// - Parameter text: is alive as long as this is.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address; nothing is read of it.
        bytes = text.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
        index = 0
        end = text.count
    }

    /// The geometry; nil if it is empty.
    mutating func geometry() throws(GeometryTextFault) -> Feature.Geometry? {
        skipSpace()
        if peekWord() == "SRID" {
            _ = word()
            guard take(UInt8(ascii: "=")), let value = DecimalText.number(bytes, &index, end: end),
                let number = Int(exactly: value), take(UInt8(ascii: ";"))
            else { throw GeometryTextFault("has an SRID that cannot be read") }
            srid = number
        }
        var writer = ShapeWriter()
        var point: (x: Double, y: Double)?
        try geometry(into: &writer, &point, depth: 0)
        skipSpace()
        guard index == end else { throw GeometryTextFault("has something behind its geometry") }
        if let point { return .point(x: point.x, y: point.y) }
        return writer.isEmpty ? nil : .shape(writer.bytes)
    }

    private mutating func geometry(
        into writer: inout ShapeWriter, _ point: inout (x: Double, y: Double)?, depth: Int
    ) throws(GeometryTextFault) {
        guard depth < 8 else { throw GeometryTextFault("has collections nested more than 8 deep") }
        var name = word()
        for suffix in ["ZM", "Z", "M"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name.removeLast(suffix.count)
            break
        }
        if ["Z", "M", "ZM"].contains(peekWord()) { _ = word() }
        switch name {
        case "POINT":
            guard try opens() else { return }
            point = try position()
            try close()
        case "LINESTRING", "LINEARRING": try line(into: &writer)
        case "POLYGON", "TRIANGLE": try polygon(into: &writer)
        case "MULTIPOINT": try multiPoint(into: &writer, &point)
        case "MULTILINESTRING":
            try collection(.multiLineString, &writer) { text, writer throws(GeometryTextFault) in
                try text.line(into: &writer)
            }
        case "MULTIPOLYGON":
            try collection(.multiPolygon, &writer) { text, writer throws(GeometryTextFault) in
                try text.polygon(into: &writer)
            }
        case "GEOMETRYCOLLECTION":
            try collection(.geometryCollection, &writer) { text, writer throws(GeometryTextFault) in
                var point: (x: Double, y: Double)?
                try text.geometry(into: &writer, &point, depth: depth + 1)
                guard let point else { return }
                writer.begin(.point)
                writer.put(x: point.x, y: point.y)
            }
        default:
            throw GeometryTextFault(
                name.isEmpty ? "is no geometry" : "is no geometry that is known: \(name.prefix(40))")
        }
    }

    // MARK: Parts

    private mutating func multiPoint(
        into writer: inout ShapeWriter, _ point: inout (x: Double, y: Double)?
    ) throws(GeometryTextFault) {
        guard try opens() else { return }
        let start = writer.bytes.count
        writer.begin(.multiPoint)
        let place = writer.beginParts()
        var count = 0
        var last: (x: Double, y: Double)?
        repeat {
            if peekWord() == "EMPTY" {
                _ = word()
                continue
            }
            // Each in parentheses, or as in older texts without.
            let isNested = take(UInt8(ascii: "("))
            let position = try position()
            if isNested { try close() }
            writer.begin(.point)
            writer.put(x: position.x, y: position.y)
            last = position
            count += 1
        } while take(UInt8(ascii: ","))
        try close()
        writer.endParts(place, count: count)
        if count < 2 { writer.truncate(to: start) }
        if count == 1 { point = last }
    }

    private mutating func collection(
        _ kind: ShapeWriter.Kind, _ writer: inout ShapeWriter,
        _ part: (inout WellKnownText, inout ShapeWriter) throws(GeometryTextFault) -> Void
    ) throws(GeometryTextFault) {
        guard try opens() else { return }
        let start = writer.bytes.count
        writer.begin(kind)
        let place = writer.beginParts()
        var count = 0
        repeat {
            let before = writer.bytes.count
            try part(&self, &writer)
            if writer.bytes.count > before { count += 1 }
        } while take(UInt8(ascii: ","))
        try close()
        writer.endParts(place, count: count)
        if count == 0 { writer.truncate(to: start) }
    }

    private mutating func line(into writer: inout ShapeWriter) throws(GeometryTextFault) {
        guard try opens() else { return }
        writer.begin(.lineString)
        let place = writer.beginParts()
        let count = try positions(into: &writer)
        guard count > 1 else { throw GeometryTextFault("has a line of one position") }
        writer.endParts(place, count: count)
    }

    private mutating func polygon(into writer: inout ShapeWriter) throws(GeometryTextFault) {
        guard try opens() else { return }
        let start = writer.bytes.count
        writer.begin(.polygon)
        let place = writer.beginParts()
        var rings = 0
        repeat {
            guard try opens() else { continue }
            let place = writer.beginParts()
            var count = try positions(into: &writer)
            writer.closeRing(place, count: &count)
            guard count > 3 else { throw GeometryTextFault("has a ring of fewer than three corners") }
            writer.endParts(place, count: count)
            rings += 1
        } while take(UInt8(ascii: ","))
        try close()
        writer.endParts(place, count: rings)
        if rings == 0 { writer.truncate(to: start) }
    }

    private mutating func positions(into writer: inout ShapeWriter) throws(GeometryTextFault) -> Int {
        var count = 0
        repeat {
            let position = try position()
            writer.put(x: position.x, y: position.y)
            count += 1
        } while take(UInt8(ascii: ","))
        try close()
        return count
    }

    private mutating func position() throws(GeometryTextFault) -> (x: Double, y: Double) {
        let x = try number()
        let y = try number()
        // Z and M.
        for _ in 0..<2 {
            skipSpace()
            guard index < end, bytes[index] != UInt8(ascii: ","), bytes[index] != UInt8(ascii: ")") else { break }
            _ = try number(mayBeNaN: true)
        }
        return (x, y)
    }

    private mutating func number(mayBeNaN: Bool = false) throws(GeometryTextFault) -> Double {
        skipSpace()
        if let value = DecimalText.number(bytes, &index, end: end), value.isFinite { return value }
        let word = word()
        if mayBeNaN, word == "NAN" { return 0 }
        throw GeometryTextFault("has a position that is not made of two numbers")
    }

    // MARK: Tokens

    private mutating func skipSpace() {
        while index < end, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Whether parts follow; they may be EMPTY.
    private mutating func opens() throws(GeometryTextFault) -> Bool {
        if take(UInt8(ascii: "(")) { return true }
        guard word() == "EMPTY" else { throw GeometryTextFault("lacks an opening parenthesis") }
        return false
    }

    private mutating func close() throws(GeometryTextFault) {
        guard take(UInt8(ascii: ")")) else {
            throw GeometryTextFault(index == end ? "ends too early: it was cut off" : "lacks a closing parenthesis")
        }
    }

    private mutating func peekWord() -> String {
        let before = index
        defer { index = before }
        return word()
    }

    /// Letters, in upper case.
    private mutating func word() -> String {
        skipSpace()
        let first = index
        while index < end, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index] | 0x20) { index += 1 }
        let letters = UnsafeBufferPointer(start: bytes + first, count: min(40, index - first))
        return String(decoding: letters.map { $0 & 0xDF }, as: UTF8.self)
    }
}
