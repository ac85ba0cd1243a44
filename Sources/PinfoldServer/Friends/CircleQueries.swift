import HTTP
import SocialModel
import Storage

/// Circles: some of one's friends, to show pins to. Only the owner sees that there is one.
extension Circle {
    /// The most circles of one account.
    static let maximumCount = 100
    /// The most members of one circle.
    static let maximumMembers = 2_000

    /// The ids of all circles of `owner`.
    static func ids(of owner: Identifier<User>, in read: some Transaction) throws -> Set<Identifier<Circle>> {
        Set(try read.rows("SELECT id FROM circle WHERE ownerId = \(owner)") { $0.identifier(0) })
    }

    /// The owner's circle with this id.
    static func own(
        _ id: Identifier<Circle>, of owner: Identifier<User>, in read: some Transaction
    ) throws -> Circle? {
        try read.row(
            "SELECT id, name, createdAt, updatedAt FROM circle WHERE ownerId = \(owner) AND id = \(id)"
        ) { try circle($0, in: read) }
    }

    /// The owner's circles, newest first, from the id `last` down.
    static func all(
        of owner: Identifier<User>, to last: Int64, limit: Int, in read: some Transaction
    ) throws -> [Circle] {
        try read.rows(
            """
            SELECT id, name, createdAt, updatedAt FROM circle WHERE ownerId = \(owner) AND id <= \(last)
            ORDER BY id DESC LIMIT \(limit)
            """
        ) { try circle($0, in: read) }
    }

    private static func circle(_ row: Row, in read: some Transaction) throws -> Circle {
        let id: Identifier<Circle> = row.identifier(0)
        let members: [Identifier<User>] = try read.rows(
            "SELECT memberId FROM circleMember WHERE circleId = \(id) ORDER BY memberId"
        ) { $0.identifier(0) }
        return Circle(
            id: id, name: row.text(1), members: members, createdAt: row.timestamp(2), updatedAt: row.timestamp(3))
    }

    /// Makes a circle of friends of `owner`.
    ///
    /// - Throws: `HTTPError` 400 for a member who is no friend, 409 for one circle too many.
    static func create(
        _ name: String, _ members: Set<Identifier<User>>, of owner: Identifier<User>, in write: WriteTransaction
    ) throws -> Circle {
        let count = try write.row("SELECT count(*) FROM circle WHERE ownerId = \(owner)") { $0.int(0) } ?? 0
        guard count < maximumCount else {
            throw HTTPError.conflict("too-many-circles", "Nobody has more than \(maximumCount) circles")
        }
        let id = Identifier<Circle>(write.newIdentifier())
        try write.run(
            """
            INSERT INTO circle (id, ownerId, name, createdAt, updatedAt)
            VALUES (\(id), \(owner), \(name), \(write.now), \(write.now))
            """)
        try setMembers(of: id, to: members, of: owner, in: write)
        guard let circle = try own(id, of: owner, in: write) else { throw HTTPError.notFound }
        return circle
    }

    /// Gives a circle another name or other members.
    ///
    /// - Throws: `HTTPError` 400 for a member who is no friend.
    static func change(
        _ before: Circle, name: String?, members: Set<Identifier<User>>?, of owner: Identifier<User>,
        in write: WriteTransaction
    ) throws -> Circle {
        let changesName = name.map { !$0.hasBytes(of: before.name) } ?? false
        let changesMembers = members.map { $0 != Set(before.members) } ?? false
        guard changesName || changesMembers else { return before }
        try write.run(
            """
            UPDATE circle SET name = \(name ?? before.name),
                updatedAt = \(max(write.now, before.updatedAt.milliseconds + 1))
            WHERE id = \(before.id) AND ownerId = \(owner)
            """)
        if let members, changesMembers { try setMembers(of: before.id, to: members, of: owner, in: write) }
        guard let after = try own(before.id, of: owner, in: write) else { throw HTTPError.notFound }
        return after
    }

    /// Removes a circle; the pins that were for it are the owner's alone from now on.
    static func delete(_ circle: Circle, of owner: Identifier<User>, in write: WriteTransaction) throws {
        try PinChange.makePrivate(ofCircle: circle.id, of: owner, in: write)
        try write.run("DELETE FROM circle WHERE id = \(circle.id) AND ownerId = \(owner)")
    }

    private static func setMembers(
        of circle: Identifier<Circle>, to members: Set<Identifier<User>>, of owner: Identifier<User>,
        in write: WriteTransaction
    ) throws {
        for member in members where try !Friendship.exists(between: owner, and: member, in: write) {
            // The same for a stranger and for nobody.
            throw HTTPError.badRequest("members", "must be friends of yours")
        }
        let before: [Identifier<User>] = try write.rows(
            "SELECT memberId FROM circleMember WHERE circleId = \(circle)"
        ) { $0.identifier(0) }
        for member in Set(before).subtracting(members).sorted() {
            try write.run("DELETE FROM circleMember WHERE circleId = \(circle) AND memberId = \(member)")
        }
        for member in members.subtracting(before).sorted() {
            try write.run(
                "INSERT INTO circleMember (circleId, ownerId, memberId) VALUES (\(circle), \(owner), \(member))")
        }
    }
}

extension Circle: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            json.key("name")
            json.string(name)
            json.key("members")
            json.array { json in
                for member in members { json.identifier(member) }
            }
            json.key("createdAt")
            json.time(createdAt.milliseconds)
            json.key("updatedAt")
            json.time(updatedAt.milliseconds)
        }
    }
}
