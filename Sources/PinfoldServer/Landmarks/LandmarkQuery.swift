import Geo
import HTTP
import SocialModel
import Storage

/// Which of the landmarks, and in which order: nearest first where a point is given, else along the Hilbert curve, on which
/// neighbours in space mostly are neighbours too.
struct LandmarkQuery: Sendable {
    enum Area: Sendable, Hashable {
        case everywhere
        /// Points inside it, and lines and areas that have a point in common with it.
        case box(BoundingBox)
        /// Within `radius` metres, if there is one; each landmark gets its distance.
        case near(Coordinate, radius: Double?)
    }

    var area = Area.everywhere
    /// Ids; nil for all datasets.
    var datasets: Set<Int64>?
    /// Only these; empty for all.
    var categories: Set<Landmark.Category> = []
    /// Only landmarks whose texts have each of these words.
    var words: LandmarkWords?
    /// Only landmarks of just this name.
    var name: String?
    /// Only landmarks whose content came in these milliseconds since 1970.
    var updated: ClosedRange<Int64>?

    /// All that decides which items the list has and how they are ordered: a cursor is good for one of these.
    var description: String {
        let datasets = datasets.map { $0.sorted().description } ?? "all"
        let updated = updated.map { "\($0)" } ?? ""
        return
            "landmarks \(area) \(datasets) \(categories.map(\.rawValue).sorted()) \(words?.text.debugDescription ?? "") "
            + "\(name.debugDescription) \(updated)"
    }

    var radius: Double? {
        if case .near(_, let radius?) = area { radius } else { nil }
    }

    /// A bit for each category's code.
    var categoryMask: Int64 { categories.isEmpty ? -1 : categories.reduce(0) { $0 | 1 << $1.code } }
}

/// Words that the texts of a landmark must have: each must begin a word of them.
struct LandmarkWords: Sendable {
    /// As they were asked for.
    let text: String
}

/// A landmark's place in a list: ascending ranks are the list's order. A cursor is a rank.
struct LandmarkRank: Comparable, Hashable, Sendable {
    /// The position on the Hilbert curve, or the bits of a distance: those of doubles that are not negative sort as the
    /// doubles do.
    let key: Int64
    /// The landmark's.
    let id: Int64

    init(key: Int64, id: Int64) {
        self.key = key
        self.id = id
    }

    init(metres: Double, id: Int64) {
        self.init(key: Int64(bitPattern: metres.bitPattern), id: id)
    }

    /// Of a rank by distance.
    var metres: Double { Double(bitPattern: UInt64(bitPattern: key)) }

    static func < (a: LandmarkRank, b: LandmarkRank) -> Bool { (a.key, a.id) < (b.key, b.id) }

    /// The payload of a cursor: 16 bytes.
    var bytes: [UInt8] { [key, id].flatMap { key in withUnsafeBytes(of: key.littleEndian) { Array($0) } } }

    /// Nil unless there are 16 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let words = (0..<2).map { word in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[word * 8 + $1]) << UInt64(8 * $1) }
        }
        self.init(key: Int64(bitPattern: words[0]), id: Int64(bitPattern: words[1]))
    }
}

extension LandmarkQuery {
    /// The most datasets that one query may name.
    static let datasetLimit = 100

    /// The query parameters that narrow lists and tiles alike; datasets by name or id.
    ///
    /// - Parameter known: all datasets.
    init(filters fields: inout QueryFields, _ known: [LandmarkDataset]) {
        let named = Set(fields.repeated("dataset", limit: Self.datasetLimit, .text(1...64)))
        if fields.has("dataset") {
            let chosen = known.filter { named.contains($0.name) || named.contains("\($0.id)") }
            datasets = Set(chosen.map(\.id.rawValue))
        }
        categories = Set(fields.repeated("category", limit: 18, .choice(Landmark.Category.self)))
    }

    /// The query parameters of a list.
    init(_ fields: inout QueryFields, _ known: [LandmarkDataset]) {
        let box = fields.optional("bbox", .boundingBox)
        let near = fields.optional("near", .coordinate)
        let radius = fields.optional("radius", .number(0...20_100_000))
        let words = fields.optional("q", .landmarkWords)
        self.init(filters: &fields, known)
        self.words = words
        if fields.has("near"), fields.has("bbox") { fields.fault("near", "cannot go with bbox") }
        if fields.has("radius"), !fields.has("near") { fields.fault("radius", "needs near") }
        if let box {
            area = .box(box)
        } else if let near {
            area = .near(near, radius: radius)
        }
    }
}

extension FieldReader where Source == String, Value == LandmarkWords {
    /// Text to search for.
    static var landmarkWords: FieldReader {
        FieldReader { text in
            FieldReader<String, String>.text(1...200).read(text).flatMap { text in
                PlaceFolding.alone.words(text.unicodeScalars).words.isEmpty
                    ? .failure(FieldProblem("must have a letter or a digit")) : .success(LandmarkWords(text: text))
            }
        }
    }
}
