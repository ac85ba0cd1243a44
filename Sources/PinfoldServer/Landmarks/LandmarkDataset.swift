import Geo
import HTTP
import SocialModel
import Storage

/// A dataset as everybody may read it: what it is, whose it is, and what its current version holds.
struct LandmarkDataset: Sendable {
    let id: Identifier<Dataset>
    /// As queries and commands name it.
    let name: String
    let title: String
    let description: String?
    let licence: String?
    let attribution: String?
    let sourceURL: String?
    /// 0 before anything was imported.
    let version: Int64
    /// The state whose rows it has.
    let state: Int64
    /// Its landmarks.
    let count: Int
    /// The box around their geometries; nil for none.
    let extent: BoundingBox?
    let createdAt: Timestamp
    let updatedAt: Timestamp

    /// All datasets that something was ever imported into, by name.
    static func all(in read: some Transaction) throws -> [LandmarkDataset] {
        try read.rows(
            """
            SELECT \(literal: columns) WHERE dataset.name IS NOT NULL AND dataset.version > 0 ORDER BY dataset.name
            """
        ) { LandmarkDataset($0) }
    }

    /// The dataset that a text names, by its name or else by its id.
    static func find(_ text: String, in read: some Transaction) throws -> LandmarkDataset? {
        if let found = try read.row(
            "SELECT \(literal: columns) WHERE dataset.name = \(text) AND dataset.version > 0", { LandmarkDataset($0) })
        {
            return found
        }
        guard let id = Identifier<Dataset>(parsing: text) else { return nil }
        return try read.row(
            "SELECT \(literal: columns) WHERE dataset.id = \(id) AND dataset.name IS NOT NULL AND dataset.version > 0"
        ) { LandmarkDataset($0) }
    }

    /// Some datasets, in one order: what everybody may read of them is what it was as long as this is.
    static func signature(of datasets: [LandmarkDataset]) -> String {
        datasets.map { "\($0.id) \($0.state) \($0.updatedAt.milliseconds)" }.joined(separator: ",")
    }

    private init(_ row: Row) {
        id = row.identifier(0)
        name = row.text(1)
        title = row.text(2)
        description = row.optionalText(3)
        licence = row.optionalText(4)
        attribution = row.optionalText(5)
        sourceURL = row.optionalText(6)
        version = row.int64(7)
        state = row.int64(8)
        createdAt = row.timestamp(9)
        updatedAt = row.timestamp(10)
        count = row.int(11)
        func degrees(_ column: Int) -> Double { Double(row.int64(column)) / Coordinate.unitsPerDegree }
        extent =
            row.isNull(12)
            ? nil : BoundingBox(west: degrees(12), south: degrees(13), east: degrees(14), north: degrees(15))
    }
}

private let columns: StaticString = """
    dataset.id, dataset.name, dataset.title, dataset.description, dataset.licence, dataset.attribution,
    dataset.sourceURL, dataset.version, dataset.state, dataset.createdAt, dataset.updatedAt, datasetVersion.count,
    datasetVersion.west, datasetVersion.south, datasetVersion.east, datasetVersion.north
    FROM dataset LEFT JOIN datasetVersion
        ON datasetVersion.datasetId = dataset.id AND datasetVersion.number = dataset.version
    """

extension LandmarkDataset: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            json.key("name")
            json.string(name)
            json.key("title")
            json.string(title)
            json.key("description")
            json.optionalString(description)
            json.key("licence")
            json.optionalString(licence)
            json.key("attribution")
            json.optionalString(attribution)
            json.key("sourceURL")
            json.optionalString(sourceURL)
            json.key("version")
            json.integer(version)
            json.key("count")
            json.integer(Int64(count))
            json.key("extent")
            if let extent {
                json.object { json in
                    json.key("west")
                    json.e7(extent.west)
                    json.key("south")
                    json.e7(extent.south)
                    json.key("east")
                    json.e7(extent.east)
                    json.key("north")
                    json.e7(extent.north)
                }
            } else {
                json.null()
            }
            json.key("createdAt")
            json.time(createdAt.milliseconds)
            json.key("updatedAt")
            json.time(updatedAt.milliseconds)
        }
    }

    /// What is to be shown wherever its landmarks are, as an element of `attributions`.
    func writeAttribution(to json: inout JSONWriter) {
        json.object { json in
            json.key("datasetId")
            json.identifier(id)
            json.key("dataset")
            json.string(name)
            json.key("title")
            json.string(title)
            json.key("attribution")
            json.optionalString(attribution)
            json.key("licence")
            json.optionalString(licence)
            json.key("sourceURL")
            json.optionalString(sourceURL)
        }
    }
}
