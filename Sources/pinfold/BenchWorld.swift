import Foundation
import Geo
import PinfoldServer
import Storage

/// A world of pins made from a seed: the same numbers always give the same people, friendships and pins.
///
/// 25 pins a person on average, a few persons with most of them; 400 cities, the first with 3 % of the people; friends
/// mostly of one's own city, a few persons with many. The viewer, account 1, lives in the first city and has exactly
/// 500 friends, half of them there.
struct BenchWorld: Sendable {
    struct Pin: Sendable {
        let id: Int64
        /// An index into the accounts, whose id is one more.
        let owner: Int32
        let longitude: Int32
        let latitude: Int32
        /// Milliseconds.
        let createdAt: Int64
        /// 0 for none.
        let rating: Int8
        let category: Int8
        let isForFriends: Bool
    }

    struct City: Sendable {
        let latitude: Double
        let longitude: Double
        /// Degrees.
        let spread: Double
    }

    static let seed: UInt64 = 20_260_131
    /// Goes up whenever another world comes of the same seed.
    private static let version = 1
    static let viewerFriends = 500
    static let token = "the-token-of-the-viewer-in-the-benchmark"

    let people: Int
    private(set) var cities: [City] = []
    private(set) var friendships: [(Int32, Int32)] = []
    /// The viewer's friends, as indices.
    private(set) var friends: [Int32] = []
    /// Oldest first.
    private(set) var pins: [Pin] = []

    init(pins count: Int) {
        people = max(2_000, count / 25)
        var random = BenchRandom(seed: Self.seed)
        for index in 0..<400 {
            cities.append(
                index == 0
                    ? City(latitude: 48.8566, longitude: 2.3522, spread: 0.05)
                    : City(
                        latitude: -40 + 100 * random.unit(), longitude: -180 + 360 * random.unit(),
                        spread: 0.03 + 0.05 * random.unit()))
        }
        let rest = (1..<400).map { pow(Double($0) + 10, -0.9) }
        let restSum = rest.reduce(0, +)
        let cityOf = BenchChoice([0.03] + rest.map { 0.97 * $0 / restSum })
        var homes = (0..<people).map { _ in Int32(cityOf.pick(&random)) }
        homes[0] = 0
        befriend(homes, &random)
        dropPins(count, homes, cityOf, &random)
    }

    private mutating func befriend(_ homes: [Int32], _ random: inout BenchRandom) {
        var neighbours = [[Int32]](repeating: [], count: cities.count)
        for person in 1..<people { neighbours[Int(homes[person])].append(Int32(person)) }
        var chosen: Set<Int32> = []
        while chosen.count < min(Self.viewerFriends / 2, neighbours[0].count / 2) {
            chosen.insert(neighbours[0][random.below(neighbours[0].count)])
        }
        while chosen.count < Self.viewerFriends { chosen.insert(Int32(1 + random.below(people - 1))) }
        friends = chosen.sorted()
        friendships = friends.map { (0, $0) }
        let popularity = BenchChoice((1...people).map { pow(Double($0), -0.5) })
        for _ in 0..<(people * 20) {
            let person = Int32(1 + random.below(people - 1))
            let near = neighbours[Int(homes[Int(person)])]
            let other =
                random.unit() < 0.7 && !near.isEmpty
                ? near[random.below(near.count)] : Int32(popularity.pick(&random))
            if other != person, other != 0 { friendships.append((person, other)) }
        }
    }

    private mutating func dropPins(
        _ count: Int, _ homes: [Int32], _ cityOf: BenchChoice, _ random: inout BenchRandom
    ) {
        // Who is active has nothing to do with who is popular or with the order of accounts.
        let activity = BenchChoice((0..<people).map { _ in pow(1 - random.unit(), -0.6) })
        let first: Int64 = 1_700_000_000_000
        let span = 63_000_000_000.0
        pins.reserveCapacity(count)
        for index in 0..<count {
            let owner = activity.pick(&random)
            let place = random.unit()
            var (latitude, longitude) = (-60 + 130 * random.unit(), -180 + 360 * random.unit())
            if place < 0.95 {
                let city = cities[place < 0.7 ? Int(homes[owner]) : cityOf.pick(&random)]
                latitude = city.latitude + city.spread * random.normal()
                longitude = city.longitude + city.spread * random.normal()
            }
            let createdAt = first + Int64(span * Double(index) / Double(count))
            let coordinate = Coordinate(
                latitude: min(max(latitude, -89), 89), longitude: min(max(longitude, -180), 180))
            pins.append(
                Pin(
                    id: createdAt << 20 | Int64(index & 0xFFFFF), owner: Int32(owner),
                    longitude: coordinate?.longitudeE7 ?? 0, latitude: coordinate?.latitudeE7 ?? 0,
                    createdAt: createdAt, rating: Int8(random.below(6)), category: Int8(random.below(7)),
                    isForFriends: random.unit() < 0.9))
        }
    }

    // MARK: In a database

    /// Fills the folder's database, unless it holds this world already, and signs the viewer in.
    ///
    /// - Throws: `CommandFailure`, `DatabaseOpenError`, `DatabaseError`.
    func store(in folder: DataFolder) throws {
        let mark = "\(folder.path)/world.txt"
        let description =
            "seed \(Self.seed) version \(Self.version) pins \(pins.count) schema \(Schema.migrations.count)\n"
        let isThere = (try? String(contentsOfFile: mark, encoding: .utf8)) == description
        if !isThere {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.database + suffix) }
            try? FileManager.default.removeItem(atPath: mark)
        }
        let configuration = Schema.configuration(path: folder.database, clock: systemClock)
        let pool = try DatabasePool(configuration, migrations: Schema.migrations)
        defer { pool.close() }
        if !isThere {
            try fill(pool)
            try description.write(toFile: mark, atomically: true, encoding: .utf8)
        }
        try pool.write { try Self.signIn($0) }
    }

    private static func signIn(_ write: WriteTransaction) throws {
        try write.run("DELETE FROM session WHERE accountId = 1")
        try write.run(
            """
            INSERT INTO session (id, accountId, confirmedGeneration, latestGeneration, address, createdAt, lastSeenAt)
            VALUES (1, 1, 1, 1, '127.0.0.1', \(write.now), \(write.now))
            """)
        let hash = blake2b(Array(token.utf8))
        try write.run(
            """
            INSERT INTO token (hash, sessionId, purpose, generation, expiresAt)
            VALUES (\(hash), 1, 'access', 1, \(write.now + 86_400_000))
            """)
    }

    private func fill(_ pool: DatabasePool) throws {
        let bar = ProgressBar("Making a world of \(pins.count) pins")
        let batch = 20_000
        let total = Double(people + friendships.count + pins.count)
        var done = 0
        func inBatches(_ count: Int, _ insert: @escaping @Sendable (Int, WriteTransaction) throws -> Void) throws {
            for start in stride(from: 0, to: count, by: batch) {
                let range = start..<min(start + batch, count)
                try pool.write { write in
                    for index in range { try insert(index, write) }
                }
                done += range.count
                bar.show(min(Double(done) / total, 0.999))
            }
        }
        try inBatches(people) { try Self.insertAccount(Int64($0 + 1), in: $1) }
        let edges = friendships
        try inBatches(edges.count) { index, write in
            let (a, b) = (Int64(edges[index].0 + 1), Int64(edges[index].1 + 1))
            try write.run(
                "INSERT OR IGNORE INTO friendship (accountId, friendId, since) VALUES (\(a), \(b), 0), (\(b), \(a), 0)")
        }
        let pins = pins
        try inBatches(pins.count) { try Self.insert(pins[$0], $0, in: $1) }
        bar.show(1)
    }

    static func insertAccount(_ id: Int64, in write: WriteTransaction) throws {
        let name = "person\(id)"
        try write.run(
            """
            INSERT INTO account (id, username, usernameFolded, email, emailFolded, displayName, usernameSearch,
                displayNameSearch, passwordHash, createdAt, updatedAt)
            VALUES (\(id), \(name), \(name), \(name + "@bench.invalid"), \(name + "@bench.invalid"), \(name), \(name),
                \(name), '', 0, 0)
            """)
    }

    private static func insert(_ pin: Pin, _ index: Int, in write: WriteTransaction) throws {
        let comment = index % 5 < 3 ? "Come before ten and sit by the window; the second room is the quiet one." : nil
        try write.run(
            """
            INSERT INTO pin (id, ownerId, longitude, latitude, name, comment, address, addressByOwner, rating, category,
                audience, createdAt)
            VALUES (\(pin.id), \(Int64(pin.owner) + 1), \(pin.longitude), \(pin.latitude), \("A place, number \(index)"),
                \(comment), 'A Town, A Division, A Country', 0, \(pin.rating == 0 ? nil : Int64(pin.rating)),
                \(Int64(pin.category)), \(pin.isForFriends), \(pin.createdAt))
            """)
    }
}

/// Numbers that look random and are the same everywhere: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
/// pseudorandom number generators, OOPSLA 2014).
struct BenchRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// 0 up to 1, without 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(limit, 1))) }

    /// Of the normal distribution (G. E. P. Box, M. E. Muller, 1958).
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }
}

/// Picks indices in proportion to their weights.
struct BenchChoice {
    private var sums: [Double] = []

    init(_ weights: [Double]) {
        sums.reserveCapacity(weights.count)
        var sum = 0.0
        for weight in weights {
            sum += weight
            sums.append(sum)
        }
    }

    func pick(_ random: inout BenchRandom) -> Int {
        let wanted = random.unit() * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
