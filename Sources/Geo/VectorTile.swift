/// A Mapbox Vector Tile of points, lines and polygons (Mapbox Vector Tile Specification 2.1), written straight to the bytes of its protocol
/// buffer.
///
///     var tile = VectorTile()
///     tile.layer("pins") { layer in
///         layer.point(x: 2048, y: 17, id: 7, ["name": .string("Como Park Zoo"), "rating": .unsigned(4)])
///     }
///     send(tile.bytes)
///
/// Layers and features come in the order in which they are written. Within a layer each key and each value is kept once,
/// however many features have it.
public struct VectorTile: Sendable {
    /// As registered with IANA.
    public static let mediaType = "application/vnd.mapbox-vector-tile"

    /// The side of a tile in units of positions, as most tiles have it.
    public static let extent = 4096

    /// The tile so far; empty if no layer has a feature.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Adds a layer with the features that `body` writes; without any it is left out, as section 4.1 recommends.
    ///
    /// - Parameters:
    ///   - name: no other layer of the tile may have it.
    ///   - extent: the side of the tile in units of positions.
    public mutating func layer(
        _ name: String, extent: Int = Self.extent, _ body: (inout Layer) throws -> Void
    ) rethrows {
        var layer = Layer()
        try body(&layer)
        if layer.featureCount > 0 { bytes.append(layer.message(name: name, extent: extent), as: .layers) }
    }

    /// The value of a property.
    public enum Value: Sendable {
        case string(String)
        case double(Double)
        case integer(Int64)
        case unsigned(UInt64)
        case bool(Bool)
    }

    /// One layer while its features are written.
    public struct Layer: Sendable {
        public private(set) var featureCount = 0

        private var features: [UInt8] = []
        private var keys: [Value: UInt64] = [:]
        private var keyBytes: [UInt8] = []
        private var values: [Value: UInt64] = [:]
        private var valueBytes: [UInt8] = []
        /// The parts of one feature, kept so that their memory is used again.
        private var feature: [UInt8] = []
        private var part: [UInt8] = []

        /// Adds a point.
        ///
        /// - Parameters:
        ///   - x: rightwards from the left edge, 0 ..< extent within the tile.
        ///   - y: downwards from the upper edge.
        ///   - id: best unique within the layer. Many clients read it as a double, which is exact up to 2^53.
        ///   - properties: each name once. One that is nil is left out, because there is no null.
        public mutating func point(x: Int, y: Int, id: UInt64? = nil, _ properties: KeyValuePairs<String, Value?>) {
            add(type: Self.pointType, id, properties) { geometry in geometry.move(to: Position(x: x, y: y)) }
        }

        /// A place in a tile, in units of its extent from the upper left corner, and beyond it too.
        public struct Position: Sendable, Hashable {
            public let x: Int
            public let y: Int

            public init(x: Int, y: Int) {
                self.x = x
                self.y = y
            }
        }

        /// Adds one or more lines as one feature.
        ///
        /// - Parameter lines: each of two positions and more, no two following ones equal.
        public mutating func lines(
            _ lines: [[Position]], id: UInt64? = nil, _ properties: KeyValuePairs<String, Value?>
        ) {
            add(type: Self.lineType, id, properties) { geometry in
                for line in lines { geometry.path(line) }
            }
        }

        /// Adds one or more polygons as one feature.
        ///
        /// - Parameter rings: each of three positions and more without the first one again, no two following ones equal.
        ///   An outer ring goes clockwise as a tile is seen, and its holes follow it the other way round (4.3.4.4).
        public mutating func polygons(
            _ rings: [[Position]], id: UInt64? = nil, _ properties: KeyValuePairs<String, Value?>
        ) {
            add(type: Self.polygonType, id, properties) { geometry in
                for ring in rings {
                    geometry.path(ring)
                    geometry.close()
                }
            }
        }

        private mutating func add(
            type: UInt64, _ id: UInt64?, _ properties: KeyValuePairs<String, Value?>, _ write: (inout Geometry) -> Void
        ) {
            feature.removeAll(keepingCapacity: true)
            if let id { feature.append(number: id, as: .id) }
            part.removeAll(keepingCapacity: true)
            for (name, value) in properties {
                guard let value else { continue }
                part.append(varint: index(ofKey: name))
                part.append(varint: index(of: value))
            }
            if !part.isEmpty { feature.append(part, as: .tags) }
            feature.append(number: type, as: .type)
            part.removeAll(keepingCapacity: true)
            var geometry = Geometry(bytes: part)
            part = []
            write(&geometry)
            part = geometry.bytes
            feature.append(part, as: .geometry)
            features.append(feature, as: .features)
            featureCount += 1
        }

        /// The commands of a geometry (4.3.1): each position is a step from the one before, the first from the corner.
        private struct Geometry {
            var bytes: [UInt8]
            private var x = 0
            private var y = 0

            init(bytes: [UInt8]) {
                self.bytes = bytes
            }

            mutating func move(to position: Position) {
                bytes.append(varint: 1 | 1 << 3)
                step(to: position)
            }

            mutating func path(_ positions: [Position]) {
                guard let first = positions.first else { return }
                move(to: first)
                bytes.append(varint: 2 | UInt64(positions.count - 1) << 3)
                for position in positions.dropFirst() { step(to: position) }
            }

            mutating func close() { bytes.append(varint: 7 | 1 << 3) }

            private mutating func step(to position: Position) {
                bytes.append(varint: UInt64(zigzag: Int64(position.x - x)))
                bytes.append(varint: UInt64(zigzag: Int64(position.y - y)))
                (x, y) = (position.x, position.y)
            }
        }

        private mutating func index(ofKey key: String) -> UInt64 {
            if let known = keys[.string(key)] { return known }
            let index = UInt64(keys.count)
            keys[.string(key)] = index
            keyBytes.append(key.utf8, as: .keys)
            return index
        }

        private mutating func index(of value: Value) -> UInt64 {
            if let known = values[value] { return known }
            let index = UInt64(values.count)
            values[value] = index
            valueBytes.append(value.message, as: .values)
            return index
        }

        fileprivate func message(name: String, extent: Int) -> [UInt8] {
            var message: [UInt8] = []
            message.reserveCapacity(features.count + keyBytes.count + valueBytes.count + name.utf8.count + 32)
            message.append(number: 2, as: .version)
            message.append(name.utf8, as: .name)
            message += features
            message += keyBytes
            message += valueBytes
            message.append(number: UInt64(extent), as: .extent)
            return message
        }

        private static let pointType: UInt64 = 1
        private static let lineType: UInt64 = 2
        private static let polygonType: UInt64 = 3
    }
}

/// Values are equal if their bytes are: Swift's own equality of texts takes two spellings of `é` for one.
extension VectorTile.Value: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .double(let value): hasher.combine(value.bitPattern)
        case .integer(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        }
    }

    /// The message of a value (4.4).
    fileprivate var message: [UInt8] {
        var message: [UInt8] = []
        switch self {
        case .string(let text): message.append(text.utf8, as: .string)
        case .double(let value): message.append(value, as: .double)
        case .integer(let value): message.append(number: UInt64(zigzag: value), as: .sint)
        case .unsigned(let value): message.append(number: value, as: .uint)
        case .bool(let value): message.append(number: value ? 1 : 0, as: .bool)
        }
        return message
    }
}

/// The field numbers of vector_tile.proto, by message.
private enum Field: UInt64 {
    /// Of a tile.
    case layers = 0x03
    /// Of a layer.
    case name = 0x101, features = 0x102, keys = 0x103, values = 0x104, extent = 0x105, version = 0x10F
    /// Of a feature.
    case id = 0x201, tags = 0x202, type = 0x203, geometry = 0x204
    /// Of a value.
    case string = 0x301, double = 0x303, uint = 0x305, sint = 0x306, bool = 0x307

    /// The number without the message that tells equal ones apart here.
    var number: UInt64 { rawValue & 0xFF }
}

/// The wire format of protocol buffers (protobuf.dev, Encoding).
extension [UInt8] {
    fileprivate mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// A number: wire type 0.
    fileprivate mutating func append(number value: UInt64, as field: Field) {
        append(varint: field.number << 3)
        append(varint: value)
    }

    /// A double: wire type 1.
    fileprivate mutating func append(_ value: Double, as field: Field) {
        append(varint: field.number << 3 | 1)
        Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { append(contentsOf: $0) }
    }

    /// Text, a message or packed numbers: wire type 2.
    fileprivate mutating func append(_ content: some Collection<UInt8>, as field: Field) {
        append(varint: field.number << 3 | 2)
        append(varint: UInt64(content.count))
        append(contentsOf: content)
    }
}

extension UInt64 {
    /// Small numbers of either sign as small numbers without one.
    fileprivate init(zigzag value: Int64) { self = UInt64(bitPattern: value << 1 ^ value >> 63) }
}
