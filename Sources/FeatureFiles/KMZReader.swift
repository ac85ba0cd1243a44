/// The KML document of a ZIP archive (OGC 12-007r2, Annex C).
final class KMZReader: FeatureReader {
    private let reader: KMLReader

    init(opening file: FeatureFile) throws {
        let archive = try ArchiveListing(path: file.path, look: file.look)
        let documents = archive.entries("kml")
        let chosen = try file.options.layer.map { name in
            guard let named = documents.first(where: { $0.name == name || $0.base == name }) else {
                throw FeatureFileFault(
                    "has no \(name.prefix(100)); it has \(documents.prefix(10).map(\.name).joined(separator: ", "))")
            }
            return named
        }
        guard let document = chosen ?? documents.first else {
            throw FeatureFileFault("is a ZIP archive without a .kml")
        }
        let others = documents.map(\.name).filter { $0 != document.name }
        if chosen == nil, !others.isEmpty {
            file.warnings.append(
                "the archive has \(documents.count) .kml files, of which \(document.name) was read; choose another as "
                    + "layer: \(others.prefix(10).joined(separator: ", "))")
        }
        reader = KMLReader(file, try archive.open(document))
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        try reader.read(into: file, take)
        file.bytesRead = file.byteCount
    }
}
