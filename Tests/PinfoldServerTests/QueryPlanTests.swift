import HTTP
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// How SQLite runs the hot statements, as its own EXPLAIN QUERY PLAN tells.
@Suite struct QueryPlanTests {
    /// The steps of the plan of each statement that `work` prepares.
    private func plans(
        _ work: (TestApp, Person, Person) async throws -> Void
    ) async throws -> [(sql: String, steps: [String])] {
        var plans: [(String, [String])] = []
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let before = app.statements.all.count
            try await work(app, ana, ben)
            // The writer may read all tables, so it may be asked how a reader would run this.
            for text in Set(app.statements.all.dropFirst(before)) {
                let steps = try await app.database.write { write in
                    try write.rows(Self.explained(text)) { $0.text(3) }
                }
                plans.append((text, steps))
            }
        }
        return plans
    }

    static func explained(_ text: String) -> SQL {
        let parts = text.split(separator: "?", omittingEmptySubsequences: false)
        var interpolation = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        interpolation.appendLiteral("EXPLAIN QUERY PLAN ")
        for (index, part) in parts.enumerated() {
            if index > 0 { interpolation.appendInterpolation(SQLValue.null) }
            interpolation.appendLiteral(String(part))
        }
        return SQL(stringInterpolation: interpolation)
    }

    /// Steps that read a table from end to end, but for what is materialised by the statement itself.
    private func scans(_ steps: [String]) -> [String] {
        let tables = [
            "pin", "deletedPin", "account", "sender", "addressee", "token", "session", "friendship", "friendRequest",
            "block", "event", "idempotentAnswer", "tie", "back",
        ]
        return steps.filter { step in
            guard step.hasPrefix("SCAN ") else { return false }
            return tables.contains(String(step.dropFirst(5).prefix { $0 != " " }))
        }
    }

    @Test func `no request of a signed-in person reads a table from end to end`() async throws {
        let plans = try await plans { app, ana, ben in
            let request = try #require(
                try await ana.post("/v1/friend-requests", ["to": "\(ben.id)"], expect: .created).json["id"]?.text)
            try await ben.post("/v1/friend-requests/\(request)/accept", expect: .ok)
            let pin = try await ben.drop()
            for query in [
                "", "?sort=rating", "?near=1,2", "?near=1,2&radius=5", "?near=1,2&radius=5&sort=rating", "?q=ramen",
                "?bbox=1,2,3,4", "?owner=\(ben.id)&category=food&minRating=2&since=2020-01-01T00:00:00Z",
            ] { try await ana.get("/v1/pins\(query)", expect: .ok) }
            try await ana.get("/v1/pins/\(pin.id)", expect: .ok)
            for path in ["0/0/0.mvt", "16/36408/30938.mvt?q=ramen"] {
                #expect(try await ana.get("/v1/tiles/pins/\(path)", expect: .ok).pinFeatures().count == 1)
            }
            for zoom in [0, 14] { try await ana.get("/v1/pins/clusters?bbox=1,2,3,4&zoom=\(zoom)", expect: .ok) }
            try await ben.patch("/v1/pins/\(pin.id)", ["rating": 3], expect: .ok)
            try await ben.delete("/v1/pins/\(pin.id)", expect: .noContent)
            try await ben.post("/v1/pins/\(pin.id)/restore", headers: [("Idempotency-Key", "k")], expect: .ok)
            for path in [
                "/v1/me", "/v1/friends", "/v1/friend-requests", "/v1/friend-requests?direction=incoming",
                "/v1/friend-requests?direction=outgoing&status=pending", "/v1/friend-requests?status=accepted",
                "/v1/friend-requests/\(request)", "/v1/blocks", "/v1/me/privacy",
                "/v1/users?q=be", "/v1/users/\(ben.id)", "/v1/sessions",
            ] { try await ana.get(path, expect: .ok) }
            for format in PinFileFormat.allCases { try await ben.get("/v1/me/pins.\(format.rawValue)", expect: .ok) }
            let row: JSON = ["latitude": 1, "longitude": 2, "name": "x", "externalId": "k"]
            for _ in 0..<2 { try await ben.post("/v1/pins/batch", ["pins": [row, row]], expect: .ok) }
            let file = Array("id,name,lat,lon\n\(pin.id),A,1,2\n,B,3,4\n".utf8)
            for query in ["?dryRun=true", ""] {
                try await ben.client.send("POST", "/v1/pins/import" + query, body: file, token: ben.token, expect: .ok)
            }
            try await ben.patch("/v1/me/privacy", ["discoverable": "nobody"], expect: .ok)
            let secret = JSON.string(Client.password(of: "ana"))
            try await ana.post("/v1/me/export", ["password": secret], expect: .ok)
            try await ana.put("/v1/blocks/\(ben.id)", expect: .noContent)
            try await ana.client.refresh(ana.refreshToken, expect: .ok)
            try await ana.client.signIn("ana", expect: .created)
            let password = JSON.string(Client.password(of: "ben"))
            try await ben.delete("/v1/me", ["password": password], expect: .noContent)
        }
        #expect(plans.count > 40)
        let byKey = plans.filter { $0.sql.contains("pin.externalId = ?") }
        #expect(!byKey.isEmpty && byKey.allSatisfy { $0.steps.contains { $0.contains("pinByExternalId") } })
        for plan in plans {
            #expect(scans(plan.steps).isEmpty, "\(plan.sql)\n\(plan.steps.joined(separator: "\n"))")
        }
    }

    @Test func `a list of pins reads nothing but its covering index`() async throws {
        let lists = try await plans { app, ana, ben in
            for text in ["", "sort=rating", "near=1,2", "since=2020-01-01T00:00:00Z", "bbox=1,2,3,4&minRating=2"] {
                var fields = try QueryFields(Request(id: "", method: "GET", path: "/", queryText: text))
                let query = PinQuery(&fields)
                // First with nothing in memory, then with what it takes to have it there.
                for planner in [nil, app.app.planner] {
                    _ = try app.database.read {
                        try VisiblePins(of: ana.id, in: $0, planner).list(query, after: nil, limit: 5)
                    }
                }
            }
        }.filter { $0.sql.contains("INDEXED BY pinByOwner") }
        #expect(lists.count == 7)
        for list in lists {
            let hasTimes = list.sql.contains("createdAt BETWEEN")
            let constraint = hasTimes ? "(ownerId=? AND createdAt>? AND createdAt<?)" : "(ownerId=?)"
            let reads = list.steps.filter { $0.contains(" pin ") }
            #expect(reads == ["SEARCH pin USING COVERING INDEX pinByOwner \(constraint)"], "\(list.steps)")
        }
    }

    @Test func `an export finds one's own pins by the index, in its order`() async throws {
        let orders = try await plans { app, ana, ben in
            try await ana.drop()
            try await ana.get("/v1/me/pins.csv", expect: .ok)
        }.filter { $0.sql.contains("INDEXED BY") }
        #expect(orders.count == 1)
        // Only pins of one moment are sorted.
        #expect(
            orders.first?.steps == [
                "SEARCH pin USING COVERING INDEX pinByOwner (ownerId=?)",
                "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
            ])
    }

    @Test func `requests of one status are read, and counted, without those of another`() async throws {
        let statements = try await plans { app, ana, ben in
            for query in ["status=pending", "status=accepted&direction=incoming"] {
                try await ana.get("/v1/friend-requests?\(query)", expect: .ok)
            }
            try await ana.get("/v1/me", expect: .ok)
        }.filter { $0.sql.contains("status = ?") || $0.sql.contains("incoming") || $0.sql.contains("count(*)") }
        let lists = statements.filter { $0.sql.contains("ORDER BY friendRequest.id") }
        let counts = statements.filter { $0.sql.contains("FROM friendRequest WHERE toId") }
        #expect(lists.count == 1 && counts.count == 1)
        for list in lists {
            for (index, end) in [("To", "toId"), ("From", "fromId")] {
                #expect(
                    list.steps.contains {
                        $0.contains("friendRequest\(index)ByStatus (\(end)=? AND status=? AND rowid<?)")
                            || $0.contains("friendRequest\(index)ByStatus (\(end)=? AND status=? AND id<?)")
                    }, "\(list.steps.joined(separator: "\n"))")
            }
        }
        for count in counts {
            #expect(
                count.steps.contains { $0.contains("INDEX friendRequestToByStatus (toId=? AND status=?)") },
                "\(count.steps.joined(separator: "\n"))")
        }
    }

    @Test func `a page of people is found by its prefix, not by walking all names`() async throws {
        let searches = try await plans { app, ana, ben in
            try await ana.get("/v1/users?q=be", expect: .ok)
        }.filter { $0.sql.contains("usernameSearch") }
        #expect(searches.count == 1)
        for step in searches.flatMap(\.steps) where step.contains(" account ") {
            let byPrefix = step.contains("usernameSearch>?") || step.contains("displayNameSearch>?")
            #expect(byPrefix || step.contains("INTEGER PRIMARY KEY (rowid=?)"), "\(step)")
        }
        // Whether they are close is two look-ups, however many friends and requests either has.
        let ties = searches.flatMap(\.steps).filter { $0.contains(" tie ") }
        #expect(
            Set(ties) == [
                "SEARCH tie USING PRIMARY KEY (accountId=? AND friendId=?)",
                "SEARCH tie USING INDEX friendRequestPending (<expr>=? AND <expr>=?)",
            ])
    }
}
