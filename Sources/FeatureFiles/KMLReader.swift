/// Placemarks of KML (OGC 12-007r2) and of its older versions.
final class KMLReader: FeatureReader {
    private let file: FeatureFile
    private let source: any ByteStream
    private let columns: RecordColumns
    /// The names of the elements that are open.
    private var path: [String] = []
    /// The folders that are open, with the depth of each and its name.
    private var folders: [(depth: Int, name: String)] = []
    private var placemark: Placemark?
    private var placemarks = 0
    /// What an element says that is wanted; nil while none is open.
    private var text: [UInt8]?
    private var linkCount = 0

    private static let longestText = 1 << 20
    private static let mostNamed = 32
    private static let texts: Set<String> = ["name", "description", "address", "phoneNumber"]

    convenience init(opening file: FeatureFile) throws {
        self.init(file, try ByteSource(path: file.path, look: file.look))
    }

    init(_ file: FeatureFile, _ source: any ByteStream) {
        (self.file, self.source) = (file, source)
        file.referenceSystem = "OGC:CRS84"
        columns = RecordColumns(file, ["name", "description", "folder"])
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        try XMLStream(source).read { event in
            switch event {
            case .start(let name, let attributes): try start(name, attributes)
            case .text(let bytes):
                guard text != nil else { return }
                text?.append(contentsOf: bytes)
                let most = placemark?.isInCoordinates == true ? 64 * PlanarGeometry.mostPositions : Self.longestText
                if text?.count ?? 0 > most {
                    placemark?.fault = "has more than \(most) bytes in one element"
                    if placemark?.isInCoordinates == false { placemark?.faultField = "feature" }
                    text = []
                }
            case .end(let name):
                if let item = end(name) {
                    file.bytesRead = source.position
                    try take(item)
                }
            }
        }
        file.bytesRead = source.position
        if linkCount > 0 {
            file.warnings.append("\(linkCount) links to other files (NetworkLink) were not followed")
        }
    }

    // MARK: Elements

    private func start(_ name: String, _ attributes: XMLStream.Attributes) throws {
        if path.isEmpty, name != "kml", name != "Placemark", name != "Document", name != "Folder" {
            throw FeatureFileFault("is XML, but not KML: its first element is <\(name.prefix(40))>")
        }
        let parent = path.last
        path.append(name)
        if placemark != nil {
            startInPlacemark(name, parent, attributes)
        } else if name == "Placemark" {
            placemarks += 1
            placemark = Placemark(row: placemarks, id: attributes["id"])
        } else if name == "Folder" {
            folders.append((path.count, ""))
        } else if name == "name", parent == "Folder" {
            text = []
        } else if name == "NetworkLink" {
            linkCount += 1
        }
    }

    private func startInPlacemark(_ name: String, _ parent: String?, _ attributes: XMLStream.Attributes) {
        switch name {
        case "Data", "SimpleData": placemark?.column = attributes["name"] ?? ""
        case "coordinates": placemark?.isInCoordinates = true
        default: placemark?.begin(name)
        }
        let isValue =
            name == "coordinates" || name == "SimpleData" || (name == "value" && parent == "Data")
            || parent == "ExtendedData" && name != "Data" && name != "SchemaData"
            || parent == "Placemark" && Self.texts.contains(name)
        if isValue { text = [] }
    }

    private func end(_ name: String) -> FeatureFile.Item? {
        path.removeLast()
        defer { if text != nil { text = nil } }
        if placemark != nil {
            if name == "Placemark" { return finishPlacemark() }
            endInPlacemark(name)
        } else if name == "Folder" {
            folders.removeLast()
        } else if name == "name", let text, !folders.isEmpty, folders[folders.count - 1].depth == path.count {
            folders[folders.count - 1].name = Self.trimmed(text)
        }
        return nil
    }

    private func endInPlacemark(_ name: String) {
        switch name {
        case "coordinates":
            placemark?.isInCoordinates = false
            if let text { placemark?.take(CoordinateList.positions(text[...])) }
        case "Data": placemark?.column = nil
        default: placemark?.end(name)
        }
        guard let text, name != "coordinates" else { return }
        let isNamed = name == "SimpleData" || name == "value" && placemark?.column != nil
        let column = isNamed ? placemark?.column ?? "" : name
        placemark?.values.set(column, Self.trimmed(text), columns)
    }

    private func finishPlacemark() -> FeatureFile.Item? {
        guard var placemark else { return nil }
        self.placemark = nil
        if let message = placemark.fault {
            return .fault(FeatureFault(row: placemark.row, field: placemark.faultField, message: message))
        }
        let folder = folders.map(\.name).filter { !$0.isEmpty }.joined(separator: "/")
        placemark.values.set("folder", folder, columns)
        guard !placemark.values.isTooLarge else {
            return .fault(FeatureFault(row: placemark.row, field: "feature", message: "has too much text"))
        }
        return .feature(
            Feature(
                row: placemark.row, id: placemark.id, values: placemark.values.finished(columns),
                geometry: placemark.geometry?.ofFeature))
    }

    private static func trimmed(_ text: [UInt8]) -> String {
        let rest = text.drop { $0 <= 0x20 }
        return String(decoding: rest[..<((rest.lastIndex { $0 > 0x20 } ?? rest.startIndex - 1) + 1)], as: UTF8.self)
    }
}
