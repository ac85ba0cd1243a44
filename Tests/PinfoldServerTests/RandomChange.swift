import Geo
import SocialModel
import Storage

@testable import PinfoldServer

/// What may happen to pins and to who sees them, straight on the writer: all rules are the schema's.
enum RandomChange {
    /// One thing that may happen to what people see.
    ///
    /// - Parameter forgets: whether the log may lose its beginning.
    static func make(
        people: [Int64], now: Int64, forgets: Bool, _ generator: inout SplitMix64
    ) -> @Sendable (WriteTransaction) throws -> Void {
        let owner = generator.pick(people)
        let other = generator.pick(people.filter { $0 != owner })
        let pick = generator.next()
        @Sendable func aPin(_ write: WriteTransaction) throws -> Int64 {
            let ids = try write.rows("SELECT id FROM pin WHERE ownerId = \(owner)") { $0.int64(0) }
            return ids.isEmpty ? 0 : ids[Int(pick % UInt64(ids.count))]
        }
        let new = ModelPin.random(id: 0, owner: owner, now: now, using: &generator)
        let rating = generator.int(1..<6)
        switch generator.int(0..<(forgets ? 20 : 19)) {
        case 0..<7:
            return { write in
                var id = write.newIdentifier()
                // Sometimes an old one comes back.
                if pick % 5 == 0 { id -= 1 << 30 }
                guard try !write.exists("SELECT 1 FROM pin WHERE id = \(id)") else { return }
                var pin = new.with(id: id)
                pin.createdAt = min(pin.createdAt, id >> 20)
                try ModelPin.insert([pin], in: write)
            }
        case 7..<10:
            return { write in
                let id = try aPin(write)
                try write.run(
                    """
                    UPDATE pin SET rating = \(rating), longitude = \(new.coordinate.longitudeE7),
                        latitude = \(new.coordinate.latitudeE7), audience = \(Int64(pick % 2)) WHERE id = \(id)
                    """)
            }
        case 10..<12:
            return { try $0.run("DELETE FROM pin WHERE id = \(try aPin($0))") }
        case 12:
            return { write in
                let name = "renamed\(pick % 1_000_000)"
                try write.run("UPDATE account SET username = \(name), usernameFolded = \(name) WHERE id = \(owner)")
                try write.log(.profileChanged(Identifier(owner)))
            }
        case 13..<15:
            return { write in
                let (a, b) = (Identifier<User>(owner), Identifier<User>(other))
                if try write.exists("SELECT 1 FROM friendship WHERE accountId = \(a) AND friendId = \(b)") {
                    try Friendship.end(between: a, and: b, in: write)
                } else {
                    try Friendship.begin(between: a, and: b, in: write)
                }
            }
        case 15..<18:
            return { write in
                // A circle of the owner's with the other in it, a pin of the owner's for it.
                guard try write.exists("SELECT 1 FROM friendship WHERE accountId = \(owner) AND friendId = \(other)")
                else { return }
                let circle = write.newIdentifier()
                try write.run("INSERT INTO circle VALUES (\(circle), \(owner), 'c', 0, 0)")
                try write.run("INSERT INTO circleMember VALUES (\(circle), \(other), \(owner))")
                try write.run("UPDATE pin SET audience = \(circle) WHERE id = \(try aPin(write))")
            }
        case 18:
            return { try $0.run("DELETE FROM circleMember WHERE memberId = \(owner)") }
        default:
            return { write in
                // What was long ago is no longer in the log.
                try write.run("DELETE FROM event WHERE sequence < (SELECT max(sequence) FROM event) - 3")
            }
        }
    }
}
