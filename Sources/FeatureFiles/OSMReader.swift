/// Nodes with tags of OpenStreetMap's XML (https://wiki.openstreetmap.org/wiki/OSM_XML).
final class OSMReader: FeatureReader {
    private let file: FeatureFile
    private let source: any ByteStream
    private let columns: RecordColumns
    private var depth = 0
    private var nodes = 0
    private var node: Node?
    private var isInOther = false
    private var isOtherTagged = false
    private var othersTagged = 0

    private struct Node {
        let row: Int
        let id: Int64?
        let position: PlanarGeometry.Position?
        let isVisible: Bool
        var values = RecordValues()
        var isTagged = false
    }

    init(opening file: FeatureFile) throws {
        self.file = file
        source = try ByteSource(path: file.path, look: file.look)
        file.referenceSystem = "OGC:CRS84"
        columns = RecordColumns(file, ["name"])
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        try XMLStream(source).read { event in
            switch event {
            case .start(let name, let attributes): try start(name, attributes)
            case .text: break
            case .end(let name):
                if let item = end(name) {
                    file.bytesRead = source.position
                    try take(item)
                }
            }
        }
        file.bytesRead = source.position
        if othersTagged > 0 { file.warnings.append(Self.warning(othersTagged)) }
    }

    static func warning(_ count: Int) -> String {
        "\(count) ways and relations with tags were not read: nodes alone are"
    }

    private func start(_ name: String, _ attributes: XMLStream.Attributes) throws {
        depth += 1
        switch depth {
        case 1:
            guard name == "osm" else {
                throw FeatureFileFault("is XML, but not OpenStreetMap's: its first element is <\(name.prefix(40))>")
            }
        case 2:
            (isInOther, isOtherTagged) = (name == "way" || name == "relation", false)
            guard name == "node" else { return }
            nodes += 1
            let latitude = attributes["lat"].flatMap { CoordinateList.number(Array($0.utf8)[...]) }
            let longitude = attributes["lon"].flatMap { CoordinateList.number(Array($0.utf8)[...]) }
            var position: PlanarGeometry.Position?
            if let latitude, let longitude { position = PlanarGeometry.Position(x: longitude, y: latitude) }
            node = Node(
                row: nodes, id: attributes["id"].flatMap { Int64($0) }, position: position,
                isVisible: attributes["visible"] != "false")
        case 3 where name == "tag":
            if isInOther { isOtherTagged = true }
            guard node != nil, let key = attributes["k"], let value = attributes["v"] else { return }
            node?.isTagged = true
            node?.values.set(key, value, columns)
        default: break
        }
    }

    private func end(_ name: String) -> FeatureFile.Item? {
        depth -= 1
        guard depth == 1 else { return nil }
        if isInOther, isOtherTagged { othersTagged += 1 }
        isInOther = false
        guard var ended = node else { return nil }
        node = nil
        guard ended.isTagged, ended.isVisible else { return nil }
        return Self.item(row: ended.row, id: ended.id, position: ended.position, values: &ended.values, columns)
    }

    static func item(
        row: Int, id: Int64?, position: PlanarGeometry.Position?, values: inout RecordValues, _ columns: RecordColumns
    ) -> FeatureFile.Item {
        guard let id else { return .fault(FeatureFault(row: row, field: "id", message: "is missing or no number")) }
        guard let position else {
            return .fault(FeatureFault(row: row, field: "geometry", message: "has no lat and lon that are numbers"))
        }
        let finished = values.finished(columns)
        guard !values.isTooLarge else {
            return .fault(FeatureFault(row: row, field: "feature", message: "has too much text"))
        }
        return .feature(
            Feature(row: row, id: "node/\(id)", values: finished, geometry: .point(x: position.x, y: position.y)))
    }
}
