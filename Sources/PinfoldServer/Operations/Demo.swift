import Geo
import HTTP
import SocialModel
import Storage

/// Puts the demo's people, friendships and pins into a new database.
package enum Demo {
    /// How one of the demo's people signs in.
    package struct Login: Sendable {
        package let username: String
        package let password: String
    }

    /// Whether nobody has an account yet.
    package static func hasRoom(_ app: App) throws -> Bool {
        try app.database.read { try !$0.exists("SELECT 1 FROM account") }
    }

    /// Fills `app`'s database with `DemoWorld.saintPaul`, all or nothing; the passwords are random.
    package static func fill(_ app: App) throws -> [Login] {
        let world = DemoWorld.saintPaul
        let logins = world.people.map { Login(username: $0.username, password: base64URL(app.random(9))) }
        let hashes = try logins.map { try app.passwords.hash($0.password) }
        try app.database.write { write in
            var accounts: [String: Identifier<User>] = [:]
            for (person, hash) in zip(world.people, hashes) {
                let account = NewAccount(
                    username: person.username, email: "\(person.username)@demo.invalid",
                    displayName: person.displayName, passwordHash: hash)
                let user = try Account.create(account, in: write)
                try write.run("UPDATE account SET bio = \(person.bio) WHERE id = \(user.id)")
                accounts[person.username] = user.id
            }
            func account(_ username: String) throws -> Identifier<User> {
                guard let account = accounts[username] else { throw HTTPError.notFound }
                return account
            }
            for friendship in world.friendships {
                let (a, b) = (try account(friendship.first), try account(friendship.second))
                try PinfoldServer.Friendship.begin(between: a, and: b, in: write)
                let since = write.now - friendship.secondsAgo * 1000
                try write.run(
                    """
                    UPDATE friendship SET since = \(since)
                    WHERE accountId = \(a) AND friendId = \(b) OR accountId = \(b) AND friendId = \(a)
                    """)
            }
            for request in world.friendRequests {
                let (sender, addressee) = (try account(request.sender), try account(request.addressee))
                let viewer = Viewer(id: sender, session: Identifier(0), role: .user)
                if case .created(let made) = try FriendRequest.ask(addressee, by: viewer, in: write) {
                    let createdAt = write.now - request.secondsAgo * 1000
                    try write.run("UPDATE friendRequest SET createdAt = \(createdAt) WHERE id = \(made.id)")
                }
            }
            for block in world.blocks {
                let viewer = Viewer(id: try account(block.blocker), session: Identifier(0), role: .user)
                try Block.add(try account(block.blocked), by: viewer, in: write)
            }
            for pin in world.pins.sorted(by: { $0.secondsAgo > $1.secondsAgo }) {
                try drop(pin, of: try account(pin.owner), app, in: write)
            }
        }
        return logins
    }

    private static func drop(
        _ pin: DemoWorld.Pin, of owner: Identifier<User>, _ app: App, in write: WriteTransaction
    ) throws {
        guard let coordinate = Coordinate(latitude: pin.latitude, longitude: pin.longitude) else { return }
        let at = Timestamp(milliseconds: write.now - pin.secondsAgo * 1000)
        let address = app.address(of: coordinate)
        let new = Pin(
            id: Identifier(write.newIdentifier()), ownerId: owner, ownerUsername: pin.owner,
            coordinate: coordinate, name: pin.name, address: address,
            addressSource: address == nil ? nil : .gazetteer, comment: pin.comment, rating: pin.rating,
            category: Pin.Category(rawValue: pin.category) ?? .other,
            audience: pin.audience == "private" ? .private : .friends, createdAt: at, updatedAt: at)
        try PinChange.create(new, in: write)
    }
}
