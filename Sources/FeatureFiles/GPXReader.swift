/// Waypoints of GPX 1.0 and 1.1.
final class GPXReader: FeatureReader {
    private let file: FeatureFile
    private let source: any ByteStream
    private let columns: RecordColumns
    private var depth = 0
    private var waypoints = 0
    private var waypoint: Waypoint?
    private var text: [UInt8]?
    private var trackCount = 0

    private struct Waypoint {
        let row: Int
        var position: PlanarGeometry.Position?
        var fault: FeatureFault?
        var values = RecordValues()
    }

    private static let longestText = 1 << 20

    init(opening file: FeatureFile) throws {
        self.file = file
        source = try ByteSource(path: file.path, look: file.look)
        file.referenceSystem = "OGC:CRS84"
        columns = RecordColumns(file, ["name", "desc", "type", "sym"])
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        try XMLStream(source).read { event in
            switch event {
            case .start(let name, let attributes): try start(name, attributes)
            case .text(let bytes):
                guard text != nil else { return }
                text?.append(contentsOf: bytes)
                if text?.count ?? 0 > Self.longestText { text = [] }
            case .end(let name):
                if let item = end(name) {
                    file.bytesRead = source.position
                    try take(item)
                }
            }
        }
        file.bytesRead = source.position
        if trackCount > 0 { file.warnings.append("\(trackCount) tracks and routes were not read: waypoints alone are") }
    }

    private func start(_ name: String, _ attributes: XMLStream.Attributes) throws {
        depth += 1
        switch depth {
        case 1:
            guard name == "gpx" else {
                throw FeatureFileFault("is XML, but not GPX: its first element is <\(name.prefix(40))>")
            }
        case 2:
            if name == "wpt" { waypoint = begin(attributes) }
            if name == "trk" || name == "rte" { trackCount += 1 }
        case 3 where waypoint != nil:
            if name == "link", let address = attributes["href"] { waypoint?.values.set("link", address, columns) }
            text = []
        // What stands deeper is of others: extensions, of which the plain texts are kept.
        case 4 where waypoint != nil: text = []
        default: break
        }
    }

    private func begin(_ attributes: XMLStream.Attributes) -> Waypoint {
        waypoints += 1
        var waypoint = Waypoint(row: waypoints)
        let latitude = attributes["lat"].flatMap { CoordinateList.number(Array($0.utf8)[...]) }
        let longitude = attributes["lon"].flatMap { CoordinateList.number(Array($0.utf8)[...]) }
        if let latitude, let longitude {
            waypoint.position = PlanarGeometry.Position(x: longitude, y: latitude)
        } else {
            waypoint.fault = FeatureFault(
                row: waypoints, field: latitude == nil ? "lat" : "lon", message: "is missing or no number")
        }
        return waypoint
    }

    private func end(_ name: String) -> FeatureFile.Item? {
        depth -= 1
        defer { if text != nil { text = nil } }
        if depth == 1, name == "wpt", var ended = waypoint {
            waypoint = nil
            if let fault = ended.fault { return .fault(fault) }
            let values = ended.values.finished(columns)
            if ended.values.isTooLarge {
                return .fault(FeatureFault(row: ended.row, field: "feature", message: "has too much text"))
            }
            return .feature(
                Feature(row: ended.row, values: values, geometry: ended.position.map { .point(x: $0.x, y: $0.y) }))
        }
        guard depth == 2 || depth == 3, waypoint != nil, let text else { return nil }
        let rest = text.drop { $0 <= 0x20 }
        let trimmed = rest[..<((rest.lastIndex { $0 > 0x20 } ?? rest.startIndex - 1) + 1)]
        let isLinkText = depth == 3 && (name == "text" || name == "type")
        if !isLinkText { waypoint?.values.set(name, String(decoding: trimmed, as: UTF8.self), columns) }
        return nil
    }
}
