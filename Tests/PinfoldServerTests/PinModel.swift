import Foundation
import Geo
import SocialModel
import Storage

@testable import PinfoldServer

/// A pin as a test knows it, beside the database.
struct ModelPin: Sendable {
    let id: Int64
    let owner: Int64
    var coordinate: Coordinate
    var words: [Word]
    var rating: Int?
    var category: Pin.Category
    var isPrivate: Bool
    var createdAt: Int64

    /// One word as it is written, and the plain letters that it is found by.
    struct Word: Sendable {
        let written: String
        let plain: String

        static let vocabulary = [
            Word(written: "Café", plain: "cafe"), Word(written: "cafeteria", plain: "cafeteria"),
            Word(written: "RAMEN", plain: "ramen"), Word(written: "Łódź", plain: "lodz"),
            Word(written: "Straße", plain: "strasse"), Word(written: "北京", plain: "北京"),
            Word(written: "42nd", plain: "42nd"), Word(written: "İzmir", plain: "izmir"),
            Word(written: "Ὀδυσσεύς", plain: "οδυσσευσ"), Word(written: "café-bar", plain: "cafe bar"),
        ]
    }

    static func random(id: Int64, owner: Int64, now: Int64, using generator: inout SplitMix64) -> ModelPin {
        ModelPin(
            id: id, owner: owner, coordinate: .random(using: &generator),
            words: (0..<generator.int(1..<4)).map { _ in generator.pick(Word.vocabulary) },
            rating: generator.chance(30) ? nil : generator.int(1..<6),
            category: generator.pick(Pin.Category.allCases), isPrivate: generator.chance(15),
            // Few moments for many pins, so that ties are common.
            createdAt: now - Int64(generator.int(0..<60)) * 1000)
    }

    /// Puts pins into the database as they are.
    static func insert(_ pins: [ModelPin], in write: WriteTransaction) throws {
        for pin in pins {
            let texts = pin.words.map(\.written)
            let comment = texts.count > 1 ? texts[1] : nil
            let address = texts.count > 2 ? texts[2] : nil
            try write.run(
                """
                INSERT INTO pin (id, ownerId, longitude, latitude, name, comment, address, addressByOwner, rating,
                    category, audience, createdAt, words)
                VALUES (\(pin.id), \(pin.owner), \(pin.coordinate.longitudeE7), \(pin.coordinate.latitudeE7),
                    \(texts[0]), \(comment), \(address), 1, \(pin.rating), \(pin.category.code),
                    \(pin.isPrivate ? 0 : 1), \(pin.createdAt), \(SearchWords.form(of: texts)))
                """)
        }
    }

    /// Puts people into the database who never sign in.
    static func insertPeople(_ ids: some Sequence<Int64>, in write: WriteTransaction) throws {
        for id in ids {
            let name = "stranger\(id)"
            try write.run(
                """
                INSERT INTO account (id, username, usernameFolded, email, emailFolded, displayName, usernameSearch,
                    displayNameSearch, passwordHash, createdAt, updatedAt)
                VALUES (\(id), \(name), \(name), \(name), \(name), \(name), \(name), \(name), '', 0, 0)
                """)
        }
    }

    static func insertFriends(_ friends: some Sequence<Int64>, of account: Int64, in write: WriteTransaction) throws {
        for friend in friends {
            try write.run(
                """
                INSERT INTO friendship (accountId, friendId, since)
                VALUES (\(account), \(friend), 0), (\(friend), \(account), 0)
                """)
        }
    }
}

extension Coordinate {
    /// Anywhere, but often at a pole, on the antimeridian, or at one busy spot.
    static func random(using generator: inout SplitMix64) -> Coordinate {
        func near(_ centre: Int32) -> Int32 { centre + Int32.random(in: -30_000...30_000, using: &generator) }
        switch generator.int(0..<10) {
        case 0: return Coordinate(latitudeE7: generator.chance(50) ? 900_000_000 : -900_000_000, longitudeE7: near(0))
        case 1: return Coordinate(latitudeE7: near(0), longitudeE7: -1_800_000_000)
        case 2: return Coordinate(latitudeE7: near(0), longitudeE7: 1_799_999_999 - abs(near(0)))
        case 3: return Coordinate(latitudeE7: near(0), longitudeE7: -1_800_000_000 + abs(near(0)))
        case 4...7: return Coordinate(latitudeE7: near(449_500_000), longitudeE7: near(-931_000_000))
        default:
            return Coordinate(
                latitudeE7: .random(in: -900_000_000...900_000_000, using: &generator),
                longitudeE7: .random(in: -1_800_000_000..<1_800_000_000, using: &generator))
        }
    }
}

/// What a list is asked for, and by brute force what it must answer.
struct ModelQuery: CustomStringConvertible {
    enum Area {
        case everywhere
        /// West, south, east, north, in whole degrees or halves, so that text and value are one.
        case box(Double, Double, Double, Double)
        case near(Coordinate, radius: Double?)
    }

    enum Sort: String { case newest, rating, distance }

    var area = Area.everywhere
    var sort: Sort?
    var owners: [Int64] = []
    var categories: Set<Pin.Category> = []
    var minRating: Int?
    var since: Int64?
    /// As they are typed, and as they are found.
    var words: [(typed: String, plain: String)] = []

    static func random(owners: [Int64], now: Int64, using generator: inout SplitMix64) -> ModelQuery {
        var query = ModelQuery()
        switch generator.int(0..<6) {
        case 0, 1:
            let (a, b) = (Double(generator.int(-180..<181)) / 2, Double(generator.int(-180..<181)) / 2)
            let (west, east) = (Double(generator.int(-360..<361)) / 2, Double(generator.int(-360..<361)) / 2)
            query.area = .box(west, min(a, b), east, max(a, b))
        case 2:
            query.area = generator.pick([.box(170, -10, -170, 10), .box(-180, -90, 180, 90), .box(180, -90, 180, 90)])
        case 3, 4:
            let radius = generator.pick([nil, 0, 500, 40_000, 5_000_000, 20_100_000]) as Double?
            query.area = .near(.random(using: &generator), radius: radius)
            query.sort = generator.pick([nil, .distance, .newest, .rating])
        default: break
        }
        if query.sort == nil, generator.chance(40) { query.sort = generator.pick([.newest, .rating]) }
        if generator.chance(20) { query.owners = (0..<generator.int(1..<6)).map { _ in generator.pick(owners) } }
        if generator.chance(30) {
            query.categories = Set((0..<generator.int(1..<4)).map { _ in generator.pick(Pin.Category.allCases) })
        }
        if generator.chance(20) { query.minRating = generator.int(1..<6) }
        if generator.chance(20) { query.since = now - Int64(generator.int(0..<60)) * 1000 }
        if generator.chance(25) {
            query.words = generator.pick([
                [("cafe", "cafe")], [("CAFÉ", "cafe")], [("caf", "caf")], [("ramen", "ramen")], [("lodz", "lodz")],
                [("STRASSE", "strasse")], [("京", "京")], [("42", "42")], [("izmir", "izmir")],
                [("cafe", "cafe"), ("r", "r")], [("οδυσσευς", "οδυσσευσ")], [("bar", "bar")], [("amen", "amen")],
            ])
        }
        return query
    }

    /// The query of the URL, without limit and cursor.
    var description: String {
        var parts: [String] = []
        switch area {
        case .everywhere: break
        case .box(let west, let south, let east, let north): parts.append("bbox=\(west),\(south),\(east),\(north)")
        case .near(let point, let radius):
            parts.append("near=\(point)")
            if let radius { parts.append("radius=\(radius)") }
        }
        if let sort { parts.append("sort=\(sort.rawValue)") }
        parts += owners.map { "owner=\($0)" }
        parts += categories.map { "category=\($0.rawValue)" }.sorted()
        if let minRating { parts.append("minRating=\(minRating)") }
        if let since { parts.append("since=\(Self.time(since))") }
        if !words.isEmpty { parts.append("q=" + words.map { escaped($0.typed) }.joined(separator: "+")) }
        return parts.joined(separator: "&")
    }

    var path: String { "/v1/pins" + (description.isEmpty ? "" : "?" + description) }

    private static func time(_ milliseconds: Int64) -> String {
        JSON(timestamp: milliseconds).text ?? ""
    }

    /// The ids that a viewer must get, in order.
    func answer(_ pins: [ModelPin], viewer: Int64, friends: Set<Int64>) -> [Int64] {
        let found = pins.filter { pin in
            let isVisible = pin.owner == viewer || friends.contains(pin.owner) && !pin.isPrivate
            return isVisible && (owners.isEmpty || owners.contains(pin.owner)) && holds(pin.coordinate)
                && (categories.isEmpty || categories.contains(pin.category))
                && (minRating.map { pin.rating ?? 0 >= $0 } ?? true) && (since.map { pin.createdAt >= $0 } ?? true)
                && words.allSatisfy { word in
                    pin.words.contains { written in
                        written.plain.split(separator: " ").contains { $0.hasPrefix(word.plain) }
                            || word.plain == "京" && written.plain.contains("京")
                    }
                }
        }
        return found.map { (pin: $0, metres: metres($0.coordinate)) }.sorted { a, b in
            switch order {
            case .newest: (a.pin.createdAt, a.pin.id) > (b.pin.createdAt, b.pin.id)
            case .rating:
                (a.pin.rating ?? 0, a.pin.createdAt, a.pin.id) > (b.pin.rating ?? 0, b.pin.createdAt, b.pin.id)
            case .distance: (a.metres, a.pin.id) < (b.metres, b.pin.id)
            }
        }.map(\.pin.id)
    }

    private var order: Sort {
        if let sort { return sort }
        if case .near = area { return .distance }
        return .newest
    }

    private func metres(_ coordinate: Coordinate) -> Double {
        if case .near(let point, _) = area { Geodesic.distance(point, coordinate) } else { 0 }
    }

    private func holds(_ coordinate: Coordinate) -> Bool {
        switch area {
        case .everywhere: return true
        case .near(_, let radius): return radius.map { metres(coordinate) <= $0 } ?? true
        case .box(let west, let south, let east, let north):
            guard coordinate.latitude >= south, coordinate.latitude <= north else { return false }
            // The antimeridian has two longitudes.
            let longitudes = coordinate.longitude == -180 ? [-180, 180] : [coordinate.longitude]
            return longitudes.contains { west <= east ? $0 >= west && $0 <= east : $0 >= west || $0 <= east }
        }
    }
}

/// Percent-encoded, for the value of a query parameter.
func escaped(_ text: String) -> String {
    text.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "\u{0}"..."\u{7F}")))
        ?? ""
}
