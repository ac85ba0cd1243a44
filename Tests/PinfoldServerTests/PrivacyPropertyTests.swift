import SocialModel
import Testing

@testable import PinfoldServer

/// Random settings, requests, friendships and blocks: what each finds, reads and may do, against `PrivacyModel`.
@Suite struct PrivacyPropertyTests {
    private static let usernames = ["pia", "Piá.b", "pio", "piø_x", "paul"]
    private static let displayNames = ["Paula", "Pia", "Vega", "pio", "Ópal"]
    private static let searches = [
        "p", "pi", "PIA", "pia.b", "piá.b", "PIÁ.B", "pio", "Pio_X", "piø_x", "PIØ_X", "paul", "paula", "vega", "opal",
        "pia@example.org", "paul@example.org", "x",
    ]

    @Test(arguments: 0..<4) func `what strangers, friends, askers and the blocked find of each other`(
        seed: Int
    ) async throws {
        try await withApp { app, client in
            var random = SplitMix64(seed: UInt64(seed))
            var world = try await World(client)
            let count = Self.usernames.count
            for _ in 0..<120 {
                try await world.step(&random)
                for viewer in 0..<count {
                    for account in 0..<count { try await world.checkProfile(of: account, seenBy: viewer) }
                    try await world.checkSearch(random.pick(Self.searches), by: viewer)
                }
                let viewer = random.int(0..<count)
                try await world.checkRequests(of: viewer)
                try await world.checkBlocks(of: viewer)
            }
            #expect(world.seen.isSuperset(of: [.ok, .created, .noContent, .notFound, .conflict]))
        }
    }

    /// The model and the people whom it is of.
    private struct World {
        var model = PrivacyModel(
            usernames: PrivacyPropertyTests.usernames, displayNames: PrivacyPropertyTests.displayNames)
        var people: [Person] = []
        /// What an id that never was is answered with.
        let never: Answer
        /// The statuses that steps ended in.
        var seen: Set<Status> = []

        init(_ client: Client) async throws {
            for (username, displayName) in zip(model.usernames, model.displayNames) {
                let person = try await client.signUp(username)
                try await person.patch(
                    "/v1/me", ["displayName": .string(displayName), "bio": "a bio"], expect: .ok)
                people.append(person)
            }
            never = try await people[0].get("/v1/users/9223372036854775807", expect: .notFound)
        }

        /// Somebody does something.
        mutating func step(_ random: inout SplitMix64) async throws {
            let viewer = random.int(0..<people.count)
            let account = (viewer + random.int(1..<people.count)) % people.count
            let (person, other) = (people[viewer], people[account].id)
            switch random.int(0..<10) {
            case 0..<3:
                model.settings[viewer].discoverable = random.pick(Privacy.Discoverability.allCases)
                model.settings[viewer].requestsFrom = random.pick(Privacy.RequestSource.allCases)
                let answer = try await person.patch(
                    "/v1/me/privacy",
                    [
                        "discoverable": .string(model.settings[viewer].discoverable.rawValue),
                        "requestsFrom": .string(model.settings[viewer].requestsFrom.rawValue),
                    ], expect: .ok)
                #expect(try answer.decoded() == model.settings[viewer])
            case 3..<7:
                let due = model.ask(account, by: viewer)
                let answer = try await person.post("/v1/friend-requests", ["to": "\(other)"])
                check(answer, due.status, "\(viewer) asks \(account)")
                if let slug = due.conflict { #expect(answer.json["type"]?.text == "/problems/\(slug)") }
            case 7: try await settle(viewer, &random)
            case 8:
                let isBlocked = model.isBlocked(account, by: viewer)
                let due = isBlocked ? model.unblock(account, by: viewer) : model.block(account, by: viewer)
                let path = "/v1/blocks/\(other)"
                let answer = isBlocked ? try await person.delete(path) : try await person.put(path)
                check(answer, due, "\(viewer) blocks \(account), or no more")
            default:
                let answer = try await person.delete("/v1/friends/\(other)")
                check(answer, model.unfriend(account, by: viewer), "\(viewer) unfriends \(account)")
            }
        }

        /// Somebody's first pending request is cancelled or rejected.
        private mutating func settle(_ viewer: Int, _ random: inout SplitMix64) async throws {
            let found = try await people[viewer].get("/v1/friend-requests?status=pending", expect: .ok)
            let own = model.pending.keys.filter { $0.one == viewer || $0.other == viewer }
            #expect(found.ids.count == own.count)
            guard let id = found.ids.first, let from = found.json["items"]?.elements.first?["from"]?["id"]?.text,
                let to = found.json["items"]?.elements.first?["to"]?["id"]?.text
            else { return }
            let path = "/v1/friend-requests/\(id)"
            if from == people[viewer].id.description {
                try await people[viewer].delete(path, expect: .noContent)
            } else {
                try await people[viewer].post("\(path)/reject", expect: .ok)
            }
            guard let a = people.firstIndex(where: { $0.id.description == from }),
                let b = people.firstIndex(where: { $0.id.description == to })
            else { throw UnexpectedStatus(description: "a request of nobody") }
            model.pending[PrivacyModel.Pair(a, b)] = nil
        }

        private mutating func check(_ answer: Answer, _ due: Status, _ what: String) {
            seen.insert(answer.status)
            #expect(answer.status == due, "\(what): \(answer.text)")
            if answer.status == .notFound { #expect(answer.response.body == never.response.body) }
        }

        func checkProfile(of account: Int, seenBy viewer: Int) async throws {
            let answer = try await people[viewer].get("/v1/users/\(people[account].id)")
            if model.sees(viewer, account) {
                let relationship = model.relationship(of: viewer, to: account).rawValue
                #expect(answer.status == .ok && answer.json["relationship"]?.text == relationship)
            } else {
                #expect(answer.status == .notFound, "\(viewer) sees \(account)")
                #expect(answer.response.body == never.response.body)
                #expect(answer.response.headers.map(\.name) == never.response.headers.map(\.name))
            }
        }

        func checkSearch(_ text: String, by viewer: Int) async throws {
            let query = PercentEncoded(text).description
            let found = try await people[viewer].all("/v1/users?q=\(query)", limit: 2)
            let due = people.indices.filter { model.finds(viewer, $0, typing: text) }.map { people[$0].id.description }
            #expect(Set(found) == Set(due) && found.count == due.count, "\(viewer) types \(text)")
        }

        func checkRequests(of viewer: Int) async throws {
            let answer = try await people[viewer].get("/v1/friend-requests?limit=500", expect: .ok)
            for request in answer.json["items"]?.elements ?? [] {
                for end in [request["from"], request["to"]] { try checkName(end, seenBy: viewer) }
            }
        }

        func checkBlocks(of viewer: Int) async throws {
            let answer = try await people[viewer].get("/v1/blocks", expect: .ok)
            let due = people.indices.filter { model.isBlocked($0, by: viewer) }
            #expect(Set(answer.ids) == Set(due.map { people[$0].id.description }))
            for user in answer.json["items"]?.elements ?? [] { try checkName(user, seenBy: viewer) }
        }

        /// Of somebody who hides, only the name that never changes.
        private func checkName(_ user: JSON?, seenBy viewer: Int) throws {
            let account = try #require(people.firstIndex { $0.id.description == user?["id"]?.text })
            let isSeen = model.sees(viewer, account)
            #expect(user?["username"]?.text == model.usernames[account])
            #expect(
                user?["displayName"]?.text == (isSeen ? model.displayNames[account] : model.usernames[account]),
                "\(viewer) reads of \(account)")
            #expect(user?["bio"] == (isSeen ? "a bio" : .null))
        }
    }
}

/// Text as it stands in a query.
private struct PercentEncoded: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
