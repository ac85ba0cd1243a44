import Storage

/// A layer of a GeoPackage (OGC 12-128r19).
final class GeoPackageReader: FeatureReader {
    /// The most bytes of a row.
    private static let valueLimit = 32 << 20
    private static let mostLayers = 1000

    private let database: GuestDatabase
    private let layer: Layer

    private struct Layer {
        let table: String
        let geometry: String
        let system: Int64
        var values: [(name: String, isTruth: Bool)] = []
    }

    init(opening file: FeatureFile) throws {
        do {
            database = try GuestDatabase(path: file.path, readers: 1, valueLimit: Self.valueLimit)
            let asked = file.options.layer
            let (layer, system, count) = try database.read { read in
                var layer = try Self.choose(asked, read)
                layer.values = try Self.columns(layer, read)
                return (layer, try Self.system(layer.system, read), try Self.count(layer, read))
            }
            self.layer = layer
            file.columns = layer.values.map(\.name)
            (file.referenceSystem, file.recordCount) = (system, count)
            if system == nil {
                file.warnings.append(
                    "the layer does not say which reference system it is in: longitude and latitude are taken for granted "
                        + "unless one is named")
            }
        } catch let error as DatabaseError {
            throw Self.fault(error)
        }
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        // Names cannot be bound, so they are quoted.
        let names = ["_rowid_", Self.quoted(layer.geometry)] + layer.values.map { Self.quoted($0.name) }
        let query = SQL(
            stringLiteral: "SELECT \(names.joined(separator: ", ")) FROM \(Self.quoted(layer.table)) NOT INDEXED")
        var row = 0
        var last: Int64?
        // Apart, so that an error of the importer's own database is not taken for one of this.
        var failure: (any Error)?
        do {
            try database.read { read in
                try read.forEach(query) { found in
                    let id = found.int64(0)
                    // In a table that is sound they ascend; pages of a damaged one can go round and round.
                    guard last.map({ $0 < id }) ?? true else {
                        throw FeatureFileFault("is a damaged GeoPackage: its rows are out of order")
                    }
                    last = id
                    row += 1
                    if let count = file.recordCount {
                        let share = Double(row) / Double(max(count, row))
                        file.bytesRead = Int(share * Double(file.byteCount))
                    }
                    do {
                        try take(item(row, id, found))
                    } catch {
                        failure = error
                        return false
                    }
                    return true
                }
            }
        } catch let error as DatabaseError {
            throw Self.fault(error)
        }
        if let failure { throw failure }
        file.bytesRead = file.byteCount
    }

    private func item(_ row: Int, _ id: Int64, _ found: Row) -> FeatureFile.Item {
        let geometry: Feature.Geometry?
        do {
            geometry = try found.withBytes(1) { try Self.geometry(of: $0)?.ofFeature }
        } catch {
            let message = (error as? GeometryTextFault)?.message ?? "cannot be read"
            return .fault(FeatureFault(row: row, field: layer.geometry, message: message))
        }
        let values = layer.values.enumerated().map { index, column in
            Self.value(found, index + 2, isTruth: column.isTruth)
        }
        return .feature(Feature(row: row, id: "\(id)", values: values, geometry: geometry))
    }

    private static func value(_ found: Row, _ column: Int, isTruth: Bool) -> Feature.Value {
        switch found.kind(column) {
        case .null, .blob: return .null
        case .text: return .text(found.text(column))
        case .integer:
            let number = found.int64(column)
            return isTruth && (number == 0 || number == 1) ? .json(number == 1 ? "true" : "false") : .json("\(number)")
        case .real:
            let number = found.double(column)
            return number.isFinite ? .json("\(number)") : .null
        }
    }

    /// The geometry of a blob (2.1.3): a header, and well-known binary behind it.
    private static func geometry(
        of blob: UnsafeRawBufferPointer
    ) throws(GeometryTextFault) -> PlanarGeometry? {
        guard !blob.isEmpty else { return nil }
        guard blob.count >= 8, blob[0] == UInt8(ascii: "G"), blob[1] == UInt8(ascii: "P") else {
            throw GeometryTextFault("is no geometry of a GeoPackage")
        }
        let flags = blob[3]
        guard flags & 0x20 == 0 else {
            throw GeometryTextFault("is of an extended kind, which is not read")
        }
        let envelope = [0, 32, 48, 48, 64]
        guard Int(flags >> 1 & 7) < envelope.count else {
            throw GeometryTextFault("is damaged: its envelope is of no known kind")
        }
        let start = 8 + envelope[Int(flags >> 1 & 7)]
        guard start <= blob.count else { throw GeometryTextFault("is damaged: it ends too early") }
        if flags & 0x10 != 0 { return nil }
        var binary = WellKnownBinary(UnsafeRawBufferPointer(rebasing: blob[start...]))
        return try binary.geometry()
    }

    // MARK: The tables about tables

    /// A view may never end, and a virtual table be anything: only plain tables are read.
    private static func isTable(_ name: String, _ read: ReadTransaction) throws -> Bool {
        try read.exists(
            """
            SELECT 1 FROM sqlite_schema
            WHERE type = 'table' AND name = \(name) COLLATE NOCASE AND rootpage > 0
            """)
    }

    private static func choose(_ asked: String?, _ read: ReadTransaction) throws -> Layer {
        for name in ["gpkg_contents", "gpkg_geometry_columns", "gpkg_spatial_ref_sys"] {
            guard try isTable(name, read) else { throw FeatureFileFault("is an SQLite database, but no GeoPackage") }
        }
        let layers = try read.rows(
            """
            SELECT columns.table_name, columns.column_name, columns.srs_id
            FROM gpkg_geometry_columns AS columns
            JOIN gpkg_contents AS contents ON contents.table_name = columns.table_name COLLATE NOCASE
            WHERE contents.data_type = 'features' ORDER BY columns.table_name LIMIT \(mostLayers)
            """
        ) { Layer(table: $0.text(0), geometry: $0.text(1), system: $0.int64(2)) }
        let names = layers.prefix(20).map { String($0.table.prefix(100)) }.joined(separator: ", ")
        let chosen: Layer
        if let asked {
            guard let named = layers.first(where: { $0.table == asked }) else {
                throw FeatureFileFault("has no layer \(asked.prefix(100)); it has \(names.isEmpty ? "none" : names)")
            }
            chosen = named
        } else {
            guard let first = layers.first else { throw FeatureFileFault("is a GeoPackage without features") }
            guard layers.count == 1 else {
                throw FeatureFileFault("has \(layers.count) layers; choose one of them: \(names)")
            }
            chosen = first
        }
        guard try isTable(chosen.table, read) else {
            throw FeatureFileFault(
                "has a layer \(chosen.table.prefix(100)) that is a view or missing; save it as a layer of its own")
        }
        return chosen
    }

    /// Generated columns are not among them, nor is the key.
    private static func columns(_ layer: Layer, _ read: ReadTransaction) throws -> [(name: String, isTruth: Bool)] {
        let all = try read.rows("SELECT name, upper(type), pk FROM pragma_table_info(\(layer.table))") {
            (name: $0.text(0), type: $0.text(1), isKey: $0.bool(2))
        }
        guard all.contains(where: { $0.name.lowercased() == layer.geometry.lowercased() }) else {
            throw FeatureFileFault(
                "is a damaged GeoPackage: \(layer.table.prefix(100)) has no column \(layer.geometry.prefix(100))")
        }
        return all.filter { !$0.isKey && $0.name.lowercased() != layer.geometry.lowercased() }
            .map { ($0.name, $0.type == "BOOLEAN") }
    }

    private static func count(_ layer: Layer, _ read: ReadTransaction) throws -> Int? {
        guard try isTable("gpkg_ogr_contents", read) else { return nil }
        let columns = try read.rows("SELECT name FROM pragma_table_info('gpkg_ogr_contents')") { $0.text(0) }
        guard columns.contains("feature_count"), columns.contains("table_name") else { return nil }
        return try read.row(
            "SELECT feature_count FROM gpkg_ogr_contents WHERE table_name = \(layer.table) LIMIT 1"
        ) { $0.optionalInt(0) }.flatMap { $0 }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// -1 and 0 are systems that are not known (1.1.2.1.2).
    private static func system(_ id: Int64, _ read: ReadTransaction) throws -> String? {
        guard id > 0 else { return nil }
        let found = try read.row(
            """
            SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys
            WHERE srs_id = \(id) LIMIT 1
            """
        ) { (organization: $0.text(0).uppercased(), code: $0.int64(1), definition: $0.text(2)) }
        guard let found else { return nil }
        if found.organization == "EPSG", found.code > 0 { return "EPSG:\(found.code)" }
        return found.definition.isEmpty || found.definition == "undefined" ? nil : found.definition
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func fault(_ error: DatabaseError) -> FeatureFileFault {
        FeatureFileFault("is a damaged GeoPackage (\(error.message))")
    }
}
