/// A geometry in two dimensions as its parts.
enum PlanarGeometry: Sendable, Equatable {
    struct Position: Sendable, Equatable {
        var x: Double
        var y: Double
    }

    case point(Position)
    case line([Position])
    /// The outer ring and then the holes, each closed.
    case polygon([[Position]])
    case collection([PlanarGeometry])

    /// The most positions of one feature.
    static let mostPositions = 200_000

    /// Of a line, ring or point.
    var positionCount: Int {
        switch self {
        case .point: 1
        case .line(let line): line.count
        case .polygon(let rings): rings.reduce(0) { $0 + $1.count }
        case .collection(let parts): parts.reduce(0) { $0 + $1.positionCount }
        }
    }

    /// Without nesting, and without parts that have no positions.
    var parts: [PlanarGeometry] {
        switch self {
        case .point: [self]
        case .line(let line): line.isEmpty ? [] : [self]
        case .polygon(let rings): rings.first?.isEmpty ?? true ? [] : [.polygon(rings.filter { !$0.isEmpty })]
        case .collection(let parts): parts.flatMap(\.parts)
        }
    }

    /// As a feature has it; nil for an empty geometry.
    var ofFeature: Feature.Geometry? {
        let parts = parts
        if parts.count == 1, case .point(let position) = parts[0] { return .point(x: position.x, y: position.y) }
        return parts.isEmpty ? nil : .shape(ShapeBinary.bytes(of: parts))
    }
}

/// Well-known binary in two dimensions, little-endian (OGC 06-103r4, 8.2): what `Feature.Geometry.shape` holds.
enum ShapeBinary {
    /// One geometry of the parts: a part alone as itself, parts of a kind as that kind's `MULTI`.
    static func bytes(of parts: [PlanarGeometry]) -> [UInt8] {
        var writer = ShapeWriter()
        if parts.count != 1 {
            let kinds = Set(parts.map(kind))
            // MULTIPOINT is 4, of points, which are 1, and so on.
            let together = kinds.count == 1 ? kinds.first.flatMap { ShapeWriter.Kind(rawValue: $0.rawValue + 3) } : nil
            writer.begin(together ?? .geometryCollection)
            writer.endParts(writer.beginParts(), count: parts.count)
        }
        for part in parts { write(part, &writer) }
        return writer.bytes
    }

    /// The first position of a shape that was written here; nil if it has none.
    static func firstPosition(of shape: [UInt8]) -> PlanarGeometry.Position? {
        shape.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 9 <= bytes.count, bytes[offset] == 1 {
                let kind = bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self).littleEndian
                // Behind the kind a point has its position, a line and an area their counts, the others parts.
                offset += kind == 1 ? 5 : kind == 3 ? 13 : 9
                guard kind <= 3 else { continue }
                guard kind > 0, offset + 16 <= bytes.count else { return nil }
                let x = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                let y = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self).littleEndian
                return PlanarGeometry.Position(x: Double(bitPattern: x), y: Double(bitPattern: y))
            }
            return nil
        }
    }

    private static func kind(of part: PlanarGeometry) -> ShapeWriter.Kind {
        switch part {
        case .point: .point
        case .line: .lineString
        case .polygon: .polygon
        case .collection: .geometryCollection
        }
    }

    private static func write(_ part: PlanarGeometry, _ writer: inout ShapeWriter) {
        func write(_ line: [PlanarGeometry.Position], _ writer: inout ShapeWriter) {
            writer.endParts(writer.beginParts(), count: line.count)
            for position in line { writer.put(x: position.x, y: position.y) }
        }
        writer.begin(kind(of: part))
        switch part {
        case .point(let position): writer.put(x: position.x, y: position.y)
        case .line(let line): write(line, &writer)
        case .polygon(let rings):
            writer.endParts(writer.beginParts(), count: rings.count)
            for ring in rings { write(ring, &writer) }
        case .collection(let parts):
            writer.endParts(writer.beginParts(), count: parts.count)
            for part in parts { self.write(part, &writer) }
        }
    }
}
