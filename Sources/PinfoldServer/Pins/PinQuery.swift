import Geo
import SocialModel

/// Which of the visible pins, and in which order.
struct PinQuery: Sendable {
    enum Area: Sendable, Hashable {
        case everywhere
        case box(BoundingBox)
        /// Within `radius` metres, if there is one; each pin gets its distance.
        case near(Coordinate, radius: Double?)
    }

    enum Sort: String, CaseIterable, Sendable {
        /// By `createdAt`, then id, latest first.
        case newest
        /// Best first, unrated last; then newest.
        case rating
        /// Nearest first, then id.
        case distance
    }

    var area = Area.everywhere
    var sort = Sort.newest
    /// Only pins of these; nil for the viewer and all friends.
    var owners: Set<Identifier<User>>?
    /// Only these; empty for all.
    var categories: Set<Pin.Category> = []
    /// Only pins with at least so many stars.
    var minRating: Int?
    /// Only pins that have each of these words at the start of a word of name, comment or address.
    var words: SearchWords.Pattern?
    /// Only pins created at or after this.
    var since: Timestamp?

    /// All that decides which items the list has and how they are ordered: a cursor is good for one of these.
    var description: String {
        let owners = owners.map { $0.map(\.rawValue).sorted().description } ?? "all"
        let categories = categories.map(\.rawValue).sorted()
        return
            "pins \(area) \(sort) \(owners) \(categories) \(minRating ?? 0) \(words?.description ?? "") \(since?.milliseconds ?? 0)"
    }
}

/// A pin's place in a sorted list: ascending ranks are the list's order, whatever the sort. A cursor is a rank.
struct PinRank: Comparable, Hashable, Sendable {
    private(set) var keys: (Int64, Int64, Int64)

    /// Latest first.
    static func newest(createdAt: Int64, id: Int64) -> PinRank { PinRank(keys: (-createdAt, -id, 0)) }

    /// Best first, unrated (0) last.
    static func rating(_ rating: Int64, createdAt: Int64, id: Int64) -> PinRank {
        PinRank(keys: (-rating, -createdAt, -id))
    }

    /// Nearest first. The bits of doubles that are not negative sort as the doubles do.
    static func distance(_ metres: Double, id: Int64) -> PinRank {
        PinRank(keys: (Int64(bitPattern: metres.bitPattern), id, 0))
    }

    private init(keys: (Int64, Int64, Int64)) {
        self.keys = keys
    }

    /// The distance in metres of a rank by distance.
    var metres: Double { Double(bitPattern: UInt64(bitPattern: keys.0)) }

    static func < (a: PinRank, b: PinRank) -> Bool { a.keys < b.keys }
    static func == (a: PinRank, b: PinRank) -> Bool { a.keys == b.keys }

    func hash(into hasher: inout Hasher) {
        hasher.combine(keys.0)
        hasher.combine(keys.1)
        hasher.combine(keys.2)
    }

    /// The payload of a cursor: the keys, 24 bytes.
    var bytes: [UInt8] {
        [keys.0, keys.1, keys.2].flatMap { key in withUnsafeBytes(of: key.littleEndian) { Array($0) } }
    }

    /// Nil unless there are 24 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 24 else { return nil }
        let words = (0..<3).map { word in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[word * 8 + $1]) << UInt64(8 * $1) }
        }
        keys = (Int64(bitPattern: words[0]), Int64(bitPattern: words[1]), Int64(bitPattern: words[2]))
    }
}
