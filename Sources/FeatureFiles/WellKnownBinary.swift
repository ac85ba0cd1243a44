/// Reads well-known binary of all its dialects: either byte order, with Z and M (which are left out) as of ISO or as of
/// PostGIS. Open rings are closed; curves and surfaces are refused.
struct WellKnownBinary {
    private static let deepest = 8

    /// The number that PostGIS writes before the geometry.
    private(set) var srid: Int?
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var positionsLeft = PlanarGeometry.mostPositions
    private var partsLeft = PlanarGeometry.mostPositions

    /// - Parameter bytes: are alive as long as this is.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The one geometry that the bytes are.
    mutating func geometry() throws(GeometryTextFault) -> PlanarGeometry {
        let geometry = try geometry(depth: 0)
        guard offset == bytes.count else { throw GeometryTextFault("has something behind its geometry") }
        return geometry
    }

    /// The same of bytes that are kept.
    static func geometry(of bytes: [UInt8]) throws(GeometryTextFault) -> PlanarGeometry {
        do {
            return try bytes.withUnsafeBytes { bytes in
                var binary = WellKnownBinary(bytes)
                return try binary.geometry()
            }
        } catch let fault as GeometryTextFault {
            throw fault
        } catch {
            throw GeometryTextFault("cannot be read")
        }
    }

    /// Bytes from hexadecimal digits; nil for what are none.
    static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count >= 10, text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        for place in stride(from: 0, to: text.count, by: 2) {
            guard let high = hexadecimalDigit(text[place]), let low = hexadecimalDigit(text[place + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private mutating func geometry(depth: Int) throws(GeometryTextFault) -> PlanarGeometry {
        guard depth <= Self.deepest else { throw GeometryTextFault("is nested deeper than \(Self.deepest)") }
        partsLeft -= 1
        guard partsLeft >= 0 else { throw Self.tooLarge }
        let isLittle = try byte()
        guard isLittle <= 1 else { throw GeometryTextFault("is damaged: it has no byte order") }
        let order = Order(isLittle: isLittle == 1)
        let word = try number(order)
        var ordinates = 2
        let code = word & 0x0FFF_FFFF
        guard word & 0x1000_0000 == 0, code < 4000 else { throw GeometryTextFault("is damaged: its kind is not known") }
        if word & 0x2000_0000 != 0 { srid = Int(try number(order)) }
        switch code / 1000 {
        case 0: ordinates += (word & 0x8000_0000 != 0 ? 1 : 0) + (word & 0x4000_0000 != 0 ? 1 : 0)
        case 3: ordinates = 4
        default: ordinates = 3
        }
        let layout = Layout(order: order, ordinates: ordinates)
        switch code % 1000 {
        case 1:
            let position = try position(layout)
            if position.x.isNaN, position.y.isNaN { return .collection([]) }
            guard position.x.isFinite, position.y.isFinite else { throw Self.notFinite }
            return .point(position)
        case 2:
            let line = try line(layout)
            guard line.count != 1 else { throw GeometryTextFault("has a line of one position") }
            return .line(line)
        case 3:
            let count = try count(order, least: 4)
            var rings: [[PlanarGeometry.Position]] = []
            for _ in 0..<count {
                var ring = try line(layout)
                if let first = ring.first, ring.last != first { ring.append(first) }
                guard ring.isEmpty || ring.count > 3 else {
                    throw GeometryTextFault("has a ring of fewer than three corners")
                }
                rings.append(ring)
            }
            return .polygon(rings)
        case 4...7:
            let count = try count(order, least: 9)
            var parts: [PlanarGeometry] = []
            for _ in 0..<count { parts.append(try geometry(depth: depth + 1)) }
            return .collection(parts)
        case 8...14: throw GeometryTextFault("has curves, which are not read; save it with straight lines instead")
        case 15...17: throw GeometryTextFault("is a surface of triangles or patches, which is not read")
        default: throw GeometryTextFault("is damaged: its kind is not known")
        }
    }

    private struct Order {
        let isLittle: Bool
    }

    private struct Layout {
        let order: Order
        let ordinates: Int
    }

    private static let notFinite = GeometryTextFault("has a position that is not finite")
    private static let cut = GeometryTextFault("is damaged: it ends too early")
    private static let tooLarge = GeometryTextFault("has more than \(PlanarGeometry.mostPositions) positions or parts")

    private mutating func byte() throws(GeometryTextFault) -> UInt8 {
        guard offset < bytes.count else { throw Self.cut }
        offset += 1
        return bytes[offset - 1]
    }

    private mutating func number(_ order: Order) throws(GeometryTextFault) -> UInt32 {
        guard bytes.count - offset >= 4 else { throw Self.cut }
        defer { offset += 4 }
        let number = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return order.isLittle ? UInt32(littleEndian: number) : UInt32(bigEndian: number)
    }

    /// A count of things that each take `least` bytes or more, so that a false one makes nothing large.
    private mutating func count(_ order: Order, least: Int) throws(GeometryTextFault) -> Int {
        let count = Int(try number(order))
        guard count <= (bytes.count - offset) / least else { throw Self.cut }
        return count
    }

    private mutating func line(_ layout: Layout) throws(GeometryTextFault) -> [PlanarGeometry.Position] {
        partsLeft -= 1
        guard partsLeft >= 0 else { throw Self.tooLarge }
        return try positions(try count(layout.order, least: 8 * layout.ordinates), layout)
    }

    private mutating func positions(
        _ count: Int, _ layout: Layout
    ) throws(GeometryTextFault) -> [PlanarGeometry.Position] {
        positionsLeft -= count
        guard positionsLeft >= 0 else { throw Self.tooLarge }
        var positions: [PlanarGeometry.Position] = []
        positions.reserveCapacity(count)
        for _ in 0..<count {
            let position = try position(layout)
            guard position.x.isFinite, position.y.isFinite else { throw Self.notFinite }
            positions.append(position)
        }
        return positions
    }

    private mutating func position(_ layout: Layout) throws(GeometryTextFault) -> PlanarGeometry.Position {
        let size = 8 * layout.ordinates
        guard bytes.count - offset >= size else { throw Self.cut }
        defer { offset += size }
        return PlanarGeometry.Position(x: ordinate(offset, layout.order), y: ordinate(offset + 8, layout.order))
    }

    private func ordinate(_ offset: Int, _ order: Order) -> Double {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return Double(bitPattern: order.isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
    }
}
