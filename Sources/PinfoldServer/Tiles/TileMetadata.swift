import Geo
import HTTP
import Storage

/// What an MBTiles file says of itself. Much of it is often missing or wrong; what cannot be used is left out.
struct TileMetadata: Sendable {
    /// A layer of vector tiles, as TileJSON describes it.
    struct Layer: Sendable, Equatable {
        let id: String
        var description = ""
        /// By name, what a field holds.
        var fields: [(name: String, content: String)] = []
        var zooms: ClosedRange<Int>?

        static func == (a: Layer, b: Layer) -> Bool {
            a.id == b.id && a.description == b.description && a.zooms == b.zooms
                && a.fields.elementsEqual(b.fields) { $0 == $1 }
        }
    }

    var name: String?
    var description: String?
    var version: String?
    /// Safe to be shown as HTML.
    var attribution: String?
    var zooms: ClosedRange<Int>
    /// West, south, east, north.
    var bounds: [Double]?
    /// Longitude, latitude, zoom.
    var center: [Double]?
    /// Empty where it is not known.
    var layers: [Layer] = []

    /// - Throws: `DatabaseError`.
    init(of read: ReadTransaction) throws {
        var values: [String: String] = [:]
        do {
            try read.forEach("SELECT name, value FROM metadata LIMIT 1000") { row in
                values[row.text(0)] = row.text(1)
                return true
            }
        } catch let error as DatabaseError where error.message.hasPrefix("no such") {
            // The tiles are what counts.
        }
        func text(_ name: String, limit: Int = 1000) -> String? {
            guard let value = values[name]?.prefix(limit), !value.allSatisfy(\.isWhitespace) else { return nil }
            return String(value)
        }
        name = text("name")
        description = text("description")
        version = text("version")
        attribution = text("attribution", limit: 4000).map { AttributionMarkup($0).html }
        if let least = Self.zoom(values["minzoom"]), let most = Self.zoom(values["maxzoom"]), least <= most {
            zooms = least...most
        } else {
            zooms = try Self.zooms(of: read)
        }
        bounds = Self.numbers(values["bounds"], count: 4).flatMap { bounds in
            let box = [
                max(bounds[0], -180), max(bounds[1], -Self.edge), min(bounds[2], 180), min(bounds[3], Self.edge),
            ]
            return box[0] < box[2] && box[1] < box[3] ? box : nil
        }
        center = Self.numbers(values["center"], count: 3).flatMap { center in
            abs(center[0]) <= 180 && abs(center[1]) <= Self.edge && (0...22).contains(center[2]) ? center : nil
        }
        layers = values["json"].map(Self.layers) ?? []
    }

    /// A digest of this and of a tile.
    func digest(with sample: [UInt8]) -> String {
        let text = "\(name ?? "")\n\(version ?? "")\n\(zooms)\n\(bounds ?? [])\n\(layers.map(\.id))\n"
        return base64URL(blake2b(Array(text.utf8) + sample, count: 6))
    }

    /// The latitude at which the projection ends.
    private static let edge = 85.0511287798066

    private static func zoom(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { TileCoordinate.zooms.contains($0) ? $0 : nil }
    }

    private static func zooms(of read: ReadTransaction) throws -> ClosedRange<Int> {
        func end(_ sql: SQL) throws -> Int { try read.row(sql) { $0.int(0) } ?? 0 }
        let least = try end("SELECT min(zoom_level) FROM tiles")
        let most = try end("SELECT max(zoom_level) FROM tiles")
        let lower = min(max(least, 0), TileCoordinate.zooms.upperBound)
        return lower...min(max(most, lower), TileCoordinate.zooms.upperBound)
    }

    private static func numbers(_ text: String?, count: Int) -> [Double]? {
        guard let parts = text?.prefix(200).split(separator: ",", omittingEmptySubsequences: false) else { return nil }
        let numbers = parts.compactMap { part -> Double? in
            let value = Double(part.filter { !$0.isWhitespace })
            return value.flatMap { $0.isFinite ? $0 : nil }
        }
        return numbers.count == count && parts.count == count ? numbers : nil
    }

    /// The `vector_layers` of the row `json`.
    private static func layers(_ text: String) -> [Layer] {
        guard text.utf8.count <= 1 << 20, case .object(let members)? = try? JSONValue(parsing: Array(text.utf8)),
            case .array(let items)? = members.first(where: { $0.name == "vector_layers" })?.value
        else { return [] }
        return items.prefix(200).compactMap(layer)
    }

    private static func layer(_ json: JSONValue) -> Layer? {
        guard case .object(let members) = json else { return nil }
        func member(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
        func zoom(_ name: String) -> Int? {
            guard case .number(let value)? = member(name), let zoom = Int(exactly: value) else { return nil }
            return TileCoordinate.zooms.contains(zoom) ? zoom : nil
        }
        guard case .string(let id)? = member("id"), !id.isEmpty else { return nil }
        var layer = Layer(id: id)
        if case .string(let description)? = member("description") { layer.description = description }
        if case .object(let fields)? = member("fields") {
            layer.fields = fields.prefix(500).compactMap { field in
                if case .string(let content) = field.value { (field.name, content) } else { nil }
            }
        }
        if let least = zoom("minzoom"), let most = zoom("maxzoom"), least <= most { layer.zooms = least...most }
        return layer
    }
}
