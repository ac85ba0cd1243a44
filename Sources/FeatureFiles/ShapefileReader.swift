import Foundation

/// An Esri shapefile in a ZIP archive (ESRI Shapefile Technical Description, 1998).
///
/// Its parts have records one after the other, so that they are read side by side as they are unpacked. A library such as
/// shapelib would want them on disk, whole, and an index that is often missing.
final class ShapefileReader: FeatureReader {
    private let shapes: ArchivedFile
    private let index: ArchivedFile?
    private let table: ShapefileTable?
    private let shapeBytes: UInt64

    init(opening file: FeatureFile) throws {
        let archive = try ArchiveListing(path: file.path, look: file.look)
        let main = try Self.choose(from: archive, file.options.layer)
        shapes = try archive.open(main)
        shapeBytes = main.size
        let header = try shapes.bytes(100)
        guard header.count == 100, Self.big(header, 0) == 9994 else {
            throw FeatureFileFault("is a ZIP archive whose \(main.name) is no shapefile")
        }
        guard Self.big(header, 32).byteSwapped != 31 else {
            throw FeatureFileFault("holds a shapefile of surfaces (MultiPatch), which is not read")
        }

        if let entry = archive.sibling(of: main, "prj"), entry.size > 0 {
            file.referenceSystem = String(decoding: try archive.open(entry).bytes(1 << 16), as: UTF8.self)
        } else {
            file.warnings.append(
                "the archive has no .prj, so that nothing says which reference system it is in: longitude and latitude "
                    + "are taken for granted unless one is named")
        }
        var characters: String?
        if let entry = archive.sibling(of: main, "cpg") {
            characters = String(decoding: try archive.open(entry).bytes(64), as: UTF8.self)
        }
        if let entry = archive.sibling(of: main, "shx") {
            let count = try Self.checkIndex(try archive.open(entry), main.name)
            file.recordCount = count
            index = try archive.open(entry)
            _ = try index?.skip(100)
        } else {
            index = nil
        }
        if let entry = archive.sibling(of: main, "dbf") {
            let table = try ShapefileTable(try archive.open(entry), characters)
            file.columns = table.names
            file.warnings += table.warnings
            if file.recordCount == nil { file.recordCount = table.count }
            self.table = table
        } else {
            table = nil
            file.warnings.append("the archive has no .dbf, so that the shapes have no names or other values")
        }
    }

    private static func choose(from archive: ArchiveListing, _ layer: String?) throws -> ArchiveListing.Entry {
        let all = archive.entries("shp")
        let names = all.prefix(20).map(\.base).joined(separator: ", ")
        if let layer {
            guard let named = all.first(where: { $0.base == layer || $0.name == layer }) else {
                throw FeatureFileFault("has no layer \(layer.prefix(100)); it has \(names.isEmpty ? "none" : names)")
            }
            return named
        }
        guard let first = all.first else { throw FeatureFileFault("is a ZIP archive without a .shp") }
        guard all.count == 1 else { throw FeatureFileFault("holds \(all.count) shapefiles; choose a layer: \(names)") }
        return first
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        var row = 0
        // Where the next record starts.
        var offset = 100
        while true {
            if let start = try nextStart() {
                guard try shapes.skip(start - offset) else { throw Self.cut }
                offset = start
            } else if index != nil {
                break
            }
            let head = try shapes.bytes(8)
            if head.isEmpty, index == nil { break }
            guard head.count == 8 else { throw Self.cut }
            let length = Int(Self.big(head, 4)) * 2
            // The kind alone takes as much.
            guard length >= 4 else { throw FeatureFileFault("holds a damaged .shp: a record has no content") }
            offset += 8 + length
            row += 1
            let values = try table?.next()
            if table != nil, values == nil {
                throw FeatureFileFault("has more shapes in its .shp than records in its .dbf: one of them is cut off")
            }
            let item: FeatureFile.Item
            if length > ShapefileGeometry.mostBytes {
                guard try shapes.skip(length) else { throw Self.cut }
                item = .fault(FeatureFault(row: row, field: "geometry", message: ShapefileGeometry.tooLarge.message))
            } else {
                let content = try shapes.bytes(length)
                guard content.count == length else { throw Self.cut }
                item = Self.item(row, content, values?.values ?? [])
            }
            file.bytesRead = min(
                file.byteCount, Int(Double(file.byteCount) * Double(offset) / Double(max(shapeBytes, 1))))
            if values?.isDeleted != true { try take(item) }
        }
        if let table, try table.next() != nil {
            throw FeatureFileFault("has fewer shapes in its .shp than records in its .dbf: it is cut off")
        }
        file.bytesRead = file.byteCount
    }

    private static let cut = FeatureFileFault("holds a .shp that ends too early")

    private static func item(_ row: Int, _ content: [UInt8], _ values: [Feature.Value]) -> FeatureFile.Item {
        do {
            let geometry = try ShapefileGeometry.geometry(of: content)
            return .feature(Feature(row: row, values: values, geometry: geometry.ofFeature))
        } catch {
            return .fault(FeatureFault(row: row, field: "geometry", message: error.message))
        }
    }

    // MARK: The index

    /// Where the next record is by the index; nil at its end, or without one.
    private func nextStart() throws -> Int? {
        guard let entry = try index?.bytes(8), entry.count == 8 else { return nil }
        return Int(Self.big(entry, 0)) * 2
    }

    /// Records may stand in any order, with remains of older ones between them: programs put a shape that has grown at the
    /// end.
    ///
    /// - Returns: how many there are.
    /// - Throws: `FeatureFileFault` if they cannot be read one after the other.
    private static func checkIndex(_ index: ArchivedFile, _ name: String) throws -> Int {
        guard try index.skip(100) else { throw FeatureFileFault("holds a .shx that ends too early") }
        var next = 100
        var count = 0
        while true {
            let entries = try index.bytes(8 << 10)
            if entries.isEmpty { return count }
            guard entries.count % 8 == 0 else { throw FeatureFileFault("holds a .shx that ends too early") }
            for entry in stride(from: 0, to: entries.count, by: 8) {
                let start = Int(big(entries, entry)) * 2
                guard start >= next else {
                    throw FeatureFileFault(
                        "holds a shapefile whose records are not in the order of its .shx; save \(name) again from a GIS "
                            + "program, or as a GeoPackage")
                }
                next = start + 8 + Int(big(entries, entry + 4)) * 2
                count += 1
            }
        }
    }

    static func big(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }
}
