import Foundation
import PinfoldServer
import Storage

/// The accounts of the web benchmark, all signed in: a newcomer with a few pins and a friend, and a traveller with
/// thousands of pins around one city.
struct BenchWebWorld {
    let newcomer: Int64 = 1
    let friend: Int64 = 2
    let traveller: Int64 = 3
    let travellerPins = 5_000

    /// Latitude and longitude of the city.
    static let middle = (44.95, -93.1)

    func token(_ account: Int64) -> String { "token-of-account-\(account)-in-the-web-benchmark" }

    /// Fills a new database.
    ///
    /// - Throws: `DatabaseError`.
    func store(in pool: DatabasePool) throws {
        try pool.write { write in
            for account in [newcomer, friend, traveller] {
                try BenchWorld.insertAccount(account, in: write)
                try write.run(
                    """
                    INSERT INTO session
                        (id, accountId, confirmedGeneration, latestGeneration, address, createdAt, lastSeenAt)
                    VALUES (\(account), \(account), 1, 1, '127.0.0.1', \(write.now), \(write.now))
                    """)
                try write.run(
                    """
                    INSERT INTO token (hash, sessionId, purpose, generation, expiresAt)
                    VALUES (\(blake2b(Array(token(account).utf8))), \(account), 'access', 1, \(write.now + 86_400_000))
                    """)
            }
            try write.run(
                """
                INSERT INTO friendship (accountId, friendId, since)
                VALUES (\(newcomer), \(friend), \(write.now)), (\(friend), \(newcomer), \(write.now))
                """)
        }
    }

    /// Has all pins dropped but the friend's, as an import would.
    ///
    /// - Throws: `CommandFailure`.
    func drop(at server: BenchServer) throws {
        try drop(newcomerPins, of: newcomer, within: 0.02, at: server)
        try drop(travellerPins, of: traveller, within: 0.25, at: server)
    }

    private let newcomerPins = 12
    private static let batch = 1_000
    private static let categories = ["food", "nightlife", "nature", "shopping", "culture", "education", "other"]

    private func drop(_ count: Int, of account: Int64, within degrees: Double, at server: BenchServer) throws {
        var random = BenchRandom(seed: UInt64(account))
        for start in stride(from: 0, to: count, by: Self.batch) {
            let pins = (start..<min(count, start + Self.batch)).map { index in
                let latitude = Self.middle.0 + (Double(random.below(20_001)) / 10_000 - 1) * degrees
                let longitude = Self.middle.1 + (Double(random.below(20_001)) / 10_000 - 1) * degrees * 1.4
                return """
                    {"latitude": \(latitude), "longitude": \(longitude), "name": "Place \(index)", \
                    "category": "\(Self.categories[index % 7])", "rating": \(index % 5 + 1)}
                    """
            }
            let answer = BenchClient(port: server.port)?.post(
                "/v1/pins/batch", headers: ["Authorization: Bearer \(token(account))"],
                "{\"pins\": [\(pins.joined(separator: ","))]}")
            guard let answer, answer.status < 300 else {
                throw CommandFailure(
                    "the pins are refused: \(answer.map { String(decoding: $0.body.prefix(300), as: UTF8.self) } ?? "")"
                )
            }
        }
    }
}
