import Foundation
import Geo
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// What the server writes, the types that clients share read back as the same values.
@Suite struct WireTests {
    private func roundTrip<T: JSONWritable & Decodable>(_ value: T) throws -> T {
        var json = JSONWriter()
        value.write(to: &json)
        return try JSONDecoder().decode(T.self, from: Data(json.bytes))
    }

    private static let texts = [
        "a", "", "\"\\/\u{8}\u{C}\n\r\t", "\u{0}\u{1F}\u{7F}", "é e\u{301}", "🍜👩‍👩‍👧", "\u{2028}\u{FFFF}", "</script>",
    ]

    private func user(_ generator: inout SplitMix64) -> User {
        User(
            id: Identifier(.random(in: 1...Int64.max, using: &generator)), username: generator.pick(Self.texts),
            displayName: generator.pick(Self.texts), bio: generator.chance(50) ? generator.pick(Self.texts) : nil,
            photoURL: generator.chance(50) ? "/v1/users/1/photo" : nil, createdAt: time(&generator))
    }

    private func time(_ generator: inout SplitMix64) -> Timestamp {
        Timestamp(milliseconds: .random(in: 0...4_102_444_800_000, using: &generator))
    }

    @Test func `pins, users and requests come back equal`() throws {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let address = generator.chance(50) ? generator.pick(Self.texts) : nil
            let pin = Pin(
                id: Identifier(.random(in: 1...Int64.max, using: &generator)),
                ownerId: Identifier(.random(in: 1...Int64.max, using: &generator)),
                ownerUsername: generator.pick(Self.texts), coordinate: .random(using: &generator),
                name: generator.pick(Self.texts), address: address,
                addressSource: address == nil ? nil : generator.pick(Pin.AddressSource.allCases),
                comment: generator.chance(50) ? generator.pick(Self.texts) : nil,
                rating: generator.chance(50) ? generator.int(1..<6) : nil,
                category: generator.pick(Pin.Category.allCases),
                audience: generator.chance(50) ? generator.pick([.friends, .private, .circle(Identifier(77))]) : nil,
                createdAt: time(&generator), updatedAt: time(&generator),
                distance: generator.chance(50) ? Double.random(in: 0...2e7, using: &generator) : nil)
            #expect(try roundTrip(pin) == pin)
            let encoded = try JSONEncoder().encode(pin)
            #expect(try JSONDecoder().decode(Pin.self, from: encoded) == pin)
            let user = user(&generator)
            #expect(try roundTrip(user) == user)
            let status = generator.pick(FriendRequest.Status.allCases)
            let request = FriendRequest(
                id: Identifier(.random(in: 1...Int64.max, using: &generator)), from: user, to: self.user(&generator),
                status: status, createdAt: time(&generator), respondedAt: status == .pending ? nil : time(&generator))
            #expect(try roundTrip(request) == request)
        }
    }

    @Test func `a GeoJSON feature has all of the pin`() throws {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<100 {
            let pin = Pin(
                id: Identifier(7), ownerId: Identifier(8), ownerUsername: "ana", coordinate: .random(using: &generator),
                name: generator.pick(Self.texts), address: nil, addressSource: nil, comment: nil, rating: 3,
                category: .food, audience: .private, createdAt: time(&generator), updatedAt: time(&generator),
                distance: 5)
            var feature = JSONWriter()
            pin.writeFeature(to: &feature)
            var plain = JSONWriter()
            pin.write(to: &plain)
            var members = try JSON(parsing: plain.bytes).members
            let json = try JSON(parsing: feature.bytes)
            #expect(json["type"] == "Feature" && json["id"] == "7")
            let position: JSON = [
                members.removeValue(forKey: "longitude") ?? nil, members.removeValue(forKey: "latitude") ?? nil,
            ]
            #expect(json["geometry"] == ["type": "Point", "coordinates": position])
            members["id"] = nil
            #expect(json["properties"] == .object(members))
        }
    }

    @Test func `the answers of a running service decode as the shared types`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let pin = try await ben.drop("🍜 \"Ramen\"", at: -16.5, -180, ["comment": "\u{1}\\", "rating": 5])
            let seen = try await ana.get("/v1/pins", expect: .ok).decoded(Items<Pin>.self)
            var expected = pin
            expected.audience = nil
            #expect(seen.items == [expected] && seen.next == nil)
            let friends = try await ana.get("/v1/friends", expect: .ok).decoded(Items<User>.self)
            #expect(friends.items == [try await ana.get("/v1/users/\(ben.id)", expect: .ok).decoded(User.self)])
            let requests = try await ana.get("/v1/friend-requests", expect: .ok).decoded(Items<FriendRequest>.self)
            #expect(requests.items.map(\.to) == friends.items)
            let problem = try await ana.post("/v1/pins", [:], expect: .badRequest).decoded(Problem.self)
            #expect(problem.type == "/problems/invalid-input" && problem.errors?.count == 3)
        }
    }
}
