import FeatureFiles
import Geo
import HTTP
import SocialModel

/// Reads the file of an import as landmarks: opens it, takes its positions to WGS 84, its shapes to what can be stored
/// and its columns to fields, and judges in the end whether the positions can be meant so.
final class ImportReading {
    /// Changes when the same file is read as something else than before.
    static let revision = 1

    /// Shapes whose rings cross take some milliseconds each: more than so many are the source's to mend.
    private static let mostMended = 5_000

    private let isLand: ImportWorker.LandTest?
    private let isForced: Bool
    private let file: FeatureFile
    private let transformer: CoordinateTransformer
    private let referenceSystem: String?
    private var mapping: LandmarkMapping
    private let judge = ShapeJudge()
    private var check: PositionCheck
    private var sample: [String] = []
    private let hasCategories: Bool

    /// - Parameter look: is called while the file is read, whatever comes of it; what it throws ends the reading.
    /// - Throws: `FeatureFileFault`, `ImportRun.Failure`, or what `look` throws.
    init(
        _ path: String, _ request: ImportRequest, _ categories: CategoryTable?, isLand: ImportWorker.LandTest?,
        look: (() throws -> Void)? = nil
    ) throws {
        self.isLand = isLand
        isForced = request.isForced
        var options = FeatureFile.Options()
        options.format = request.format.flatMap(FeatureFormat.init)
        options.layer = request.layer
        for part in FeatureFile.PositionPart.allCases { options.columns[part] = request.mapping[part.rawValue] }
        file = try FeatureFile(path: path, options, look: look)
        referenceSystem = request.referenceSystem ?? file.referenceSystem
        do {
            transformer = try CoordinateTransformer(from: referenceSystem)
        } catch {
            throw ImportRun.Failure(problem: "unknown-reference-system", message: "the reference system \(error)")
        }
        check = PositionCheck(referenceSystem, transformer)
        let fields = request.mapping.filter { FeatureFile.PositionPart(rawValue: $0.key) == nil }
        do {
            mapping = try LandmarkMapping(
                columns: file.columns, mayGrow: file.format.columnsMayGrow, fields: fields, key: request.key,
                categories: request.categories, table: categories)
        } catch {
            throw ImportRun.Failure(problem: "invalid-mapping", message: error.description, columns: file.columns)
        }
        hasCategories = categories != nil
    }

    /// How much of the file is read, 0 to 1.
    var part: Double { file.byteCount == 0 ? 1 : min(1, Double(file.bytesRead) / Double(file.byteCount)) }

    /// How many rows there are, where the file says it.
    var total: Int? { file.recordCount }

    var findings: ImportFindings {
        var findings = ImportFindings()
        findings.format = file.format.rawValue
        findings.referenceSystem = referenceSystem
        findings.columns = Array(file.columns.prefix(ImportFindings.listed))
        findings.mapping = mapping.fieldColumns
        for (part, column) in file.positionColumns { findings.mapping[part.rawValue] = column }
        findings.warnings = file.warnings
        if !mapping.hasKey {
            findings.warnings.append(
                """
                no column identifies a row: landmarks are known by name and position, so one that is renamed or moves \
                becomes another; name a column with key
                """)
        }
        if judge.mendedCount > 0 {
            findings.warnings.append("\(judge.mendedCount) shapes had rings that cross, and were mended")
        }
        if !hasCategories {
            findings.warnings.append(
                "the table of categories is not found: only categories given for the import are known")
        }
        findings.warnings = Array(findings.warnings.prefix(ImportFindings.listed))
        findings.sample = sample
        return findings
    }

    /// Hands each row to `take`, as a landmark or with what is wrong with it.
    ///
    /// - Throws: `FeatureFileFault`; `ImportRun.Failure` in the end, if the positions cannot be meant so; or what `take`
    ///   throws.
    func read(_ take: (Result<LandmarkDraft, FeatureFault>) throws -> Void) throws {
        try file.read { item in
            switch item {
            case .fault(let fault): try take(.failure(fault))
            case .feature(let feature):
                let draft: LandmarkDraft
                do throws(FeatureFault) {
                    draft = try self.draft(of: feature)
                } catch {
                    return try take(.failure(error))
                }
                guard judge.mendedCount <= Self.mostMended else {
                    throw ImportRun.Failure(
                        problem: "broken-shapes",
                        message: "the file has more than \(Self.mostMended) shapes whose rings cross; mend it first")
                }
                if sample.count < ImportFindings.sampleSize { sample.append(draft.json) }
                try take(.success(draft))
            }
        }
        if let (field, column) = mapping.missingColumns.min(by: { $0.key < $1.key }) {
            throw ImportRun.Failure(
                problem: "invalid-mapping",
                message: "\(field) is mapped to “\(column)”, which is no column of the file")
        }
        if !isForced, let refusal = check.refusalOfZeros {
            throw ImportRun.Failure(problem: "positions-at-zero", message: refusal)
        }
        if let refusal = check.refusal(isLand: isLand) {
            throw ImportRun.Failure(problem: "implausible-positions", message: refusal)
        }
    }

    private func draft(of feature: Feature) throws(FeatureFault) -> LandmarkDraft {
        guard let geometry = feature.geometry else {
            throw FeatureFault(row: feature.row, field: "geometry", message: "is missing")
        }
        let isInside = check.take(geometry)
        switch geometry {
        case .point(let x, let y):
            guard isInside, let position = transformer.position(x: x, y: y),
                let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude)
            else { throw outside(feature) }
            return try mapping.draft(of: feature, columns: file.columns, coordinate: coordinate, shape: nil)
        case .shape:
            guard isInside, case .shape(let shape) = try transformer.geometry(geometry, row: feature.row) else {
                throw outside(feature)
            }
            let (point, judged) = try judge.judge(shape, row: feature.row)
            return try mapping.draft(of: feature, columns: file.columns, coordinate: point, shape: judged)
        }
    }

    private func outside(_ feature: Feature) -> FeatureFault {
        FeatureFault(row: feature.row, field: "position", message: "is outside of where \(transformer.name) is used")
    }
}

extension LandmarkDraft {
    /// As the API shows a landmark that is not stored yet.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("row")
            json.integer(Int64(row))
            json.key("key")
            json.string(key)
            json.key("name")
            json.string(name)
            json.key("category")
            json.string(category.rawValue)
            json.key("latitude")
            json.e7(coordinate.latitudeE7)
            json.key("longitude")
            json.e7(coordinate.longitudeE7)
            json.key("hasShape")
            json.bool(shape != nil)
            let texts: KeyValuePairs = [
                "sourceCategory": sourceCategory, "description": description, "address": address,
                "website": website, "phone": phone, "openingHours": openingHours, "imageURL": imageURL,
            ]
            for (name, text) in texts {
                json.key(escaping: name)
                json.optionalString(text.map { String($0.unicodeScalars.prefix(500)) })
            }
            for (name, object) in ["names": names, "properties": properties] {
                json.key(escaping: name)
                if let object, object.utf8.count < 4_000 { json.raw(Array(object.utf8)) } else { json.null() }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
