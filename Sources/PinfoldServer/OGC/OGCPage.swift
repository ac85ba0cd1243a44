import Geo
import HTTP
import SocialModel
import Storage

/// A page of features.
struct OGCPage {
    /// Each as GeoJSON.
    let features: [[UInt8]]
    /// The cursor of the page that follows; nil on the last.
    let next: String?
    /// How many there are on all pages, where that is known.
    let matched: Int?
    var attributions: [LandmarkDataset] = []

    static let limits = 1...1_000
    static let defaultLimit = 100

    /// The parameters of every list of features, whatever is in it.
    struct Parameters {
        let box: BoundingBox?
        /// Milliseconds since 1970.
        let times: ClosedRange<Int64>?
        let limit: Int
        let cursor: String?
        let name: String?
        private let categories: [String]

        init(_ fields: inout QueryFields) {
            box = fields.optional("bbox", .box)
            times = fields.optional("datetime", .times)
            // The standard wants more than there may be to be as much as there may be.
            limit = min(fields.optional("limit", .integer(1...Int.max)) ?? defaultLimit, limits.upperBound)
            cursor = fields.optional("cursor", .text(1...1000))
            name = fields.optional("name", .text(1...200))
            categories = fields.repeated("category", limit: 18, .text(1...20))
            OGCPage.readFormat(&fields)
        }

        /// - Throws: `HTTPError` 400 for what is none of the collection's.
        func categories<Category: RawRepresentable & CaseIterable & Hashable>(
            of type: Category.Type
        ) throws -> Set<Category> where Category.RawValue == String {
            Set(
                try categories.map { text in
                    guard let category = Category(rawValue: text) else {
                        let all = Category.allCases.map(\.rawValue).joined(separator: ", ")
                        throw HTTPError.badRequest("category", "must be one of \(all)")
                    }
                    return category
                })
        }
    }

    /// JSON is the only form.
    static func readFormat(_ fields: inout QueryFields) {
        _ = fields.optional(
            "f",
            FieldReader { text in
                ["json", "geojson", "application/json", "application/geo+json"].contains(text)
                    ? .success(text) : .failure(FieldProblem("must be json"))
            })
    }

    func json(_ request: Request, _ collection: OGCCollection, at base: String) -> [UInt8] {
        let collectionAddress = "\(base)/ogc/collections/\(collection.pathPart)"
        let kept = (request.queryText ?? "").split(separator: "&").filter { part in
            PercentEncoding.decode(part.utf8.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true) != "cursor"
        }
        func address(_ query: [Substring]) -> String {
            collectionAddress + "/items" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        }
        let own = (request.queryText ?? "").split(separator: "&")
        var links = [
            OGCLink("self", address(own), "application/geo+json", "This page"),
            OGCLink("collection", collectionAddress, "application/json", "The collection"),
        ]
        if let next {
            links.append(OGCLink("next", address(kept + ["cursor=\(next)"]), "application/geo+json", "The next page"))
        }
        var json = JSONWriter(capacity: features.reduce(1024) { $0 + $1.count + 1 })
        json.object { json in
            json.key("type")
            json.string("FeatureCollection")
            json.key("features")
            json.array { json in
                for feature in features { json.raw(feature) }
            }
            json.links(links)
            json.key("numberReturned")
            json.integer(Int64(features.count))
            if let matched {
                json.key("numberMatched")
                json.integer(Int64(matched))
            }
            guard !attributions.isEmpty else { return }
            json.key("attributions")
            json.array { json in
                for dataset in attributions { dataset.writeAttribution(to: &json) }
            }
        }
        return json.bytes
    }
}

extension OGCRoutes {
    static func landmarks(
        of dataset: LandmarkDataset, _ parameters: OGCPage.Parameters, _ app: App, _ read: ReadTransaction
    ) throws -> OGCPage {
        var query = LandmarkQuery()
        query.categories = try parameters.categories(of: Landmark.Category.self)
        query.datasets = [dataset.id.rawValue]
        query.name = parameters.name
        query.updated = parameters.times
        if let box = parameters.box { query.area = .box(box) }

        let list = "ogc \(query.description)"
        var after: LandmarkRank?
        if let cursor = parameters.cursor { after = LandmarkRank(bytes: try app.cursors.open(cursor, for: list)) }
        // All datasets, so that it is known how much else there is.
        let landmarks = try CurrentLandmarks(in: read)
        let found = try landmarks.page(
            query, after: after, limit: parameters.limit, hasGeometry: true, app.landmarkNames)
        let isWhole = query.categories.isEmpty && query.name == nil && query.updated == nil && parameters.box == nil
        let isOnly = after == nil && found.next == nil
        return OGCPage(
            features: found.landmarks.map { landmark in
                var json = JSONWriter(capacity: 1024)
                landmark.writeFeature(to: &json)
                return json.bytes
            }, next: found.next.map { app.cursors.seal($0.bytes, for: list) },
            matched: isWhole ? dataset.count : isOnly ? found.landmarks.count : nil, attributions: [dataset])
    }

    static func pins(
        of viewer: Viewer, _ parameters: OGCPage.Parameters, _ app: App, _ read: ReadTransaction
    ) throws -> OGCPage {
        var query = PinQuery()
        query.categories = try parameters.categories(of: Pin.Category.self)
        if let box = parameters.box { query.area = .box(box) }
        let list =
            "ogc \(viewer.id) \(query.description) \(parameters.name.debugDescription) \(String(describing: parameters.times))"
        var after: PinRank?
        if let times = parameters.times {
            query.since = Timestamp(milliseconds: times.lowerBound)
            // Behind all that is newer.
            if times.upperBound < .max { after = .newest(createdAt: times.upperBound + 1, id: 0) }
        }
        if let name = parameters.name {
            let words = SearchWords.split(name)
            if !words.isEmpty { query.words = SearchWords.Pattern(words) }
        }
        if let cursor = parameters.cursor { after = PinRank(bytes: try app.cursors.open(cursor, for: list)) }

        let pins = VisiblePins(of: viewer, in: read, app.planner)
        var (features, room, next): ([[UInt8]], Int, PinRank?) = ([], 1 << 20, nil)
        // Few of those that have the words of a name have no more than it.
        search: while true {
            let found = try pins.list(query, after: after, limit: parameters.limit + 1)
            for item in found where parameters.name.map({ item.pin.name.hasBytes(of: $0) }) ?? true {
                guard features.count < parameters.limit, room > 0 else {
                    next = after
                    break search
                }
                var json = JSONWriter(capacity: 512)
                item.pin.writeFeature(to: &json)
                room -= json.bytes.count
                features.append(json.bytes)
                after = item.rank
            }
            guard found.count > parameters.limit, let last = found.last else { break }
            after = last.rank
        }
        return OGCPage(features: features, next: next.map { app.cursors.seal($0.bytes, for: list) }, matched: nil)
    }
}

extension FieldReader where Source == String, Value == BoundingBox {
    /// `WEST,SOUTH,EAST,NORTH`, or with heights, which do not matter: `WEST,SOUTH,LOW,EAST,NORTH,HIGH`.
    fileprivate static var box: FieldReader {
        FieldReader { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 6 else { return FieldReader.boundingBox.read(text) }
            guard Double(decimal: parts[2]) != nil, Double(decimal: parts[5]) != nil else {
                return .failure(FieldProblem("must have heights that are numbers"))
            }
            return FieldReader.boundingBox.read([parts[0], parts[1], parts[3], parts[4]].joined(separator: ","))
        }
    }
}

extension FieldReader where Source == String, Value == ClosedRange<Int64> {
    /// A moment, or two with a slash between them, of which one may be open: `..` or nothing.
    fileprivate static var times: FieldReader {
        FieldReader { text in
            let problem = FieldProblem("must be a time, or START/END of which one may be ..")
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let moments = parts.map { CivilTime.milliseconds(parsing: String($0)) }
            let isOpen = parts.map { $0.isEmpty || $0 == ".." }
            if parts.count == 1, let moment = moments[0] { return .success(moment...moment) }
            guard parts.count == 2, zip(moments, isOpen).allSatisfy({ $0 != nil || $1 }), isOpen != [true, true] else {
                return .failure(problem)
            }
            let (start, end) = (moments[0] ?? .min, moments[1] ?? .max)
            return start <= end ? .success(start...end) : .failure(FieldProblem("must not end before it begins"))
        }
    }
}
