import Testing

/// A vector tile as a client reads it: by the Mapbox Vector Tile Specification 2.1 alone, and strictly.
struct DecodedTile {
    struct Layer {
        var name: String?
        var version: UInt64?
        /// 4096 where the tile does not say (4.1).
        var extent: UInt64 = 4096
        var features: [Feature] = []
        /// How many keys and values it has.
        var keys: [String] = []
        var values: [Value] = []
    }

    struct Feature: Equatable {
        var id: UInt64?
        /// Of a point.
        var x = 0
        var y = 0
        var kind = Kind.point
        /// The points of each line, or of each ring without its end.
        var parts: [[Position]] = []
        var properties: [String: Value] = [:]

        func text(_ name: String) -> String? {
            if case .string(let text)? = properties[name] { String(decoding: text, as: UTF8.self) } else { nil }
        }

        func unsigned(_ name: String) -> UInt64? {
            if case .unsigned(let value)? = properties[name] { value } else { nil }
        }

        func double(_ name: String) -> Double? {
            if case .double(let value)? = properties[name] { value } else { nil }
        }
    }

    /// The types of geometries (4.3.4).
    enum Kind: UInt64 {
        case point = 1
        case line, polygon
    }

    struct Position: Hashable {
        let x: Int
        let y: Int
    }

    enum Value: Hashable {
        /// Bytes, so that spellings differ.
        case string([UInt8])
        case double(Double)
        case integer(Int64)
        case unsigned(UInt64)
        case bool(Bool)
    }

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    let layers: [Layer]

    init(_ bytes: [UInt8]) throws {
        var message = Message(bytes[...])
        var layers: [Layer] = []
        while let field = try message.next() {
            guard case (3, .bytes(let bytes)) = field else { throw Malformed(description: "a tile has only layers") }
            layers.append(try Self.layer(bytes))
        }
        let names = layers.compactMap(\.name)
        guard names.count == layers.count, Set(names).count == names.count else {
            throw Malformed(description: "each layer has a name of its own")
        }
        self.layers = layers
    }

    private static func layer(_ bytes: ArraySlice<UInt8>) throws -> Layer {
        var layer = Layer()
        var message = Message(bytes)
        var features: [ArraySlice<UInt8>] = []
        while let field = try message.next() {
            switch field {
            case (15, .varint(let version)): layer.version = version
            case (1, .bytes(let name)): layer.name = try text(name)
            case (2, .bytes(let feature)): features.append(feature)
            case (3, .bytes(let key)): layer.keys.append(try text(key))
            case (4, .bytes(let bytes)): layer.values.append(try value(bytes))
            case (5, .varint(let extent)): layer.extent = extent
            default: throw Malformed(description: "a layer has no field \(field.number)")
            }
        }
        guard layer.version == 2, Set(layer.keys.map { Array($0.utf8) }).count == layer.keys.count,
            Set(layer.values).count == layer.values.count, !features.isEmpty
        else { throw Malformed(description: "version 2, keys and values once each, and some feature") }
        layer.features = try features.map { try feature($0, of: layer) }
        let ids = layer.features.compactMap(\.id)
        guard Set(ids).count == ids.count else { throw Malformed(description: "ids are unique in a layer") }
        return layer
    }

    private static func feature(_ bytes: ArraySlice<UInt8>, of layer: Layer) throws -> Feature {
        var feature = Feature()
        var message = Message(bytes)
        var (type, geometry) = (UInt64(0), [UInt64]())
        while let field = try message.next() {
            switch field {
            case (1, .varint(let id)): feature.id = id
            case (2, .bytes(let packed)):
                let tags = try Message.varints(packed)
                guard tags.count % 2 == 0 else { throw Malformed(description: "tags come in pairs") }
                for pair in stride(from: 0, to: tags.count, by: 2) {
                    guard tags[pair] < layer.keys.count, tags[pair + 1] < layer.values.count else {
                        throw Malformed(description: "a tag is beyond the keys or values")
                    }
                    let old = feature.properties.updateValue(
                        layer.values[Int(tags[pair + 1])], forKey: layer.keys[Int(tags[pair])])
                    guard old == nil else { throw Malformed(description: "a feature has a key twice") }
                }
            case (3, .varint(let value)): type = value
            case (4, .bytes(let packed)): geometry = try Message.varints(packed)
            default: throw Malformed(description: "a feature has no field \(field.number)")
            }
        }
        guard let kind = Kind(rawValue: type) else { throw Malformed(description: "no type of geometry") }
        feature.kind = kind
        let parts = try parts(geometry, kind)
        if kind == .point, let point = parts.first?.first {
            (feature.x, feature.y) = (point.x, point.y)
        } else {
            feature.parts = parts
        }
        return feature
    }

    /// The commands of a geometry (4.3.3 and 4.3.4): a point is one MoveTo, a line MoveTo and LineTo, a ring those and
    /// ClosePath.
    private static func parts(_ geometry: [UInt64], _ kind: Kind) throws -> [[Position]] {
        var rest = geometry[...]
        var at = (x: 0, y: 0)
        func command(_ id: UInt64, _ counts: PartialRangeFrom<UInt64>) throws -> Int {
            guard let word = rest.popFirst(), word & 7 == id, counts.contains(word >> 3), word >> 3 < 1 << 24 else {
                throw Malformed(description: "not the command \(id) that is due")
            }
            return Int(word >> 3)
        }
        func positions(_ count: Int) throws -> [Position] {
            try (0..<count).map { index in
                guard let dx = rest.popFirst(), let dy = rest.popFirst() else {
                    throw Malformed(description: "cut off")
                }
                guard index == 0 || dx != 0 || dy != 0 else { throw Malformed(description: "a step of no length") }
                at = (at.x + Int(Message.signed(dx)), at.y + Int(Message.signed(dy)))
                return Position(x: at.x, y: at.y)
            }
        }
        var parts: [[Position]] = []
        while !rest.isEmpty {
            guard try command(1, 1...) == 1 else { throw Malformed(description: "several points at once") }
            var part = try positions(1)
            if kind != .point { part += try positions(command(2, (kind == .line ? 1 : 2)...)) }
            if kind == .polygon, try command(7, 1...) != 1 { throw Malformed(description: "a ring is closed once") }
            parts.append(part)
        }
        guard !parts.isEmpty, kind != .point || parts.count == 1 else { throw Malformed(description: "not one point") }
        return parts
    }

    private static func value(_ bytes: ArraySlice<UInt8>) throws -> Value {
        var message = Message(bytes)
        guard let field = try message.next(), try message.next() == nil else {
            throw Malformed(description: "a value has one field")
        }
        switch field {
        case (1, .bytes(let text)): return .string(Array(text))
        case (3, .fixed64(let bits)): return .double(Double(bitPattern: bits))
        case (4, .varint(let value)): return .integer(Int64(bitPattern: value))
        case (5, .varint(let value)): return .unsigned(value)
        case (6, .varint(let value)): return .integer(Message.signed(value))
        case (7, .varint(let value)) where value <= 1: return .bool(value == 1)
        default: throw Malformed(description: "a value has no field \(field.number)")
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed(description: "not UTF-8") }
        return text
    }
}

/// A message of protocol buffers, field by field.
private struct Message {
    enum Content {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() throws -> (number: UInt64, content: Content)? {
        guard !rest.isEmpty else { return nil }
        let key = try varint()
        switch key & 7 {
        case 0: return (key >> 3, .varint(try varint()))
        case 1:
            let bits = try take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (key >> 3, .fixed64(bits))
        case 2: return (key >> 3, .bytes(try take(Int(varint()))))
        default: throw DecodedTile.Malformed(description: "no wire type that is used here")
        }
    }

    static func varints(_ packed: ArraySlice<UInt8>) throws -> [UInt64] {
        var message = Message(packed)
        var values: [UInt64] = []
        while !message.rest.isEmpty { values.append(try message.varint()) }
        return values
    }

    static func signed(_ zigzag: UInt64) -> Int64 { Int64(bitPattern: zigzag >> 1) ^ -Int64(zigzag & 1) }

    private mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try take(1).first ?? 0
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw DecodedTile.Malformed(description: "a number without an end")
    }

    private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw DecodedTile.Malformed(description: "cut off") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension Answer {
    /// The features of the layer `pins` of a tile, the only one it has; none for 204.
    func pinFeatures(sourceLocation: SourceLocation = #_sourceLocation) throws -> [DecodedTile.Feature] {
        if status == .noContent {
            #expect(response.body.isEmpty, sourceLocation: sourceLocation)
            return []
        }
        #expect(status == .ok, sourceLocation: sourceLocation)
        #expect(header("Content-Type") == "application/vnd.mapbox-vector-tile", sourceLocation: sourceLocation)
        let layers = try DecodedTile(response.body).layers
        #expect(layers.map(\.name) == ["pins"] && layers.first?.extent == 4096, sourceLocation: sourceLocation)
        let features = layers.first?.features ?? []
        #expect(features.allSatisfy { $0.kind == .point }, sourceLocation: sourceLocation)
        return features
    }
}
