import HTTP
import Testing

@testable import PinfoldServer

/// What the server answers is what it says of itself: `DescribedService` compares every answer.
@Suite struct OpenAPIAnswerTests {
    @Test func `friends, requests and blocks`() async throws {
        let service = try DescribedService()
        let (id, token, _) = try await service.signUp("marisol")
        let (otherId, otherToken, _) = try await service.signUp("teddy_k")
        let path = "/v1/friend-requests"
        let key = Header("Idempotency-Key", "once")
        let ask = #"{"to": "\#(otherId)"}"#
        let request = try await service.call("POST", path, as: token, ask, expect: 201, headers: [key])
        let other = #"{"to": "1"}"#
        try await service.call("POST", path, as: token, other, expect: 422, headers: [key])
        try await service.call("POST", path, as: token, ask, expect: 200)
        try await service.call("POST", path, as: token, other, expect: 404)
        let own = "\(path)/\(request.text("id"))"
        try await service.call("GET", own, as: otherToken, expect: 200)
        try await service.call("GET", "/v1/users/\(id)", as: otherToken, expect: 200)
        try await service.call("GET", "\(path)?direction=incoming&status=pending", as: otherToken, expect: 200)
        try await service.call("POST", "\(own)/accept", as: otherToken, expect: 200)
        try await service.call("POST", "\(own)/reject", as: otherToken, expect: 409)
        try await service.call("DELETE", own, as: token, expect: 409)
        try await service.call("POST", path, as: token, ask, expect: 409)
        let friends = try await service.call("GET", "/v1/friends", as: token, expect: 200)
        #expect(friends.json["items"]?.elements.count == 1)
        try await service.call("DELETE", "/v1/friends/\(otherId)", as: token, expect: 204)
        try await service.call("DELETE", "/v1/friends/\(otherId)", as: token, expect: 404)
        try await service.call("PUT", "/v1/blocks/\(otherId)", as: token, expect: 204)
        try await service.call("PUT", "/v1/blocks/\(id)", as: token, expect: 400)
        try await service.call("POST", path, as: token, ask, expect: 409)
        let blocks = try await service.call("GET", "/v1/blocks", as: token, expect: 200)
        #expect(blocks.json["items"]?.elements.count == 1)
        try await service.call("DELETE", "/v1/blocks/\(otherId)", as: token, expect: 204)
    }

    @Test func `pins, as JSON and as GeoJSON`() async throws {
        let service = try DescribedService()
        let (id, token, _) = try await service.signUp("marisol")
        let (_, otherToken, _) = try await service.signUp("teddy_k")
        let bare = #"{"latitude": 10, "longitude": 20, "name": "Middle"}"#
        let full = """
            {"latitude": 0, "longitude": 180, "name": "Edge", "comment": "far", "address": "At sea", "rating": 5,
            "category": "nature", "audience": "private"}
            """
        let pin = try await service.call("POST", "/v1/pins", as: token, bare, expect: 201)
        #expect(pin.text("addressSource") == "gazetteer")
        try await service.call("POST", "/v1/pins", as: token, full, expect: 201)
        try await service.call("POST", "/v1/pins", as: token, #"{"latitude": 91, "nme": "x"}"#, expect: 400)
        let path = "/v1/pins/\(pin.text("id"))"
        try await service.call("GET", path, as: token, expect: 200)
        try await service.call("GET", path, as: otherToken, expect: 404)
        // A friend's pin has fewer fields than one's own.
        let request = try await service.call(
            "POST", "/v1/friend-requests", as: otherToken, #"{"to": "\#(id)"}"#, expect: 201)
        try await service.call("POST", "/v1/friend-requests/\(request.text("id"))/accept", as: token, expect: 200)
        let seen = try await service.call("GET", path, as: otherToken, expect: 200)
        #expect(seen.json["audience"] == nil)

        let list = try await service.call("GET", "/v1/pins?near=10,20&limit=1", as: token, expect: 200)
        #expect(list.json["items"]?.elements.first?["distance"]?.number == 0)
        try await service.call("GET", "/v1/pins?bbox=19,9,21,11&category=other&category=food", as: token, expect: 200)
        let accept = [Header("Accept", "application/geo+json")]
        let features = try await service.call(
            "GET", "/v1/pins?near=10,20&limit=1", as: token, expect: 200, headers: accept)
        #expect(features.response.header("Link")?.hasSuffix("rel=\"next\"") == true)
        #expect(features.json["features"]?.elements.count == 1)
        try await service.call("GET", "/v1/pins?radius=1", as: token, expect: 400)
        try await service.call("GET", "/v1/pins?cursor=x", as: token, expect: 400)

        let change = #"{"rating": 3, "comment": null}"#
        try await service.call("PATCH", path, as: token, change, expect: 200)
        let stale = [Header("If-Match", pin.response.header("ETag") ?? "")]
        try await service.call("PATCH", path, as: token, change, expect: 412, headers: stale)
        try await service.call("PATCH", path, as: otherToken, change, expect: 404)
        try await service.call("DELETE", path, as: token, expect: 412, headers: stale)
        try await service.call("DELETE", path, as: token, expect: 204)
        try await service.call("POST", "\(path)/restore", as: token, expect: 200)
    }

    @Test func `many pins at once`() async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        let batch = #"{"pins": [{"latitude": 10, "longitude": 20, "name": "Middle", "externalId": "m"}]}"#
        let key = [Header("Idempotency-Key", "once")]
        try await service.call("POST", "/v1/pins/batch", as: token, batch, expect: 200, headers: key)
        let mixed = try await service.call(
            "POST", "/v1/pins/batch", as: token,
            #"{"pins": [{"latitude": 9, "longitude": 1, "name": "x", "createdAt": "2999-01-01T00:00:00Z"}]}"#,
            expect: 200)
        #expect(mixed.json["results"]?.elements.first?["errors"]?.elements.count == 1)
        try await service.call("POST", "/v1/pins/batch", as: token, #"{"pins": []}"#, expect: 400)
        try await service.call("POST", "/v1/pins/batch", as: token, #"{"pins": [{}]}"#, expect: 422, headers: key)
        try await service.call("POST", "/v1/pins/batch", expect: 401)
        let path = "/v1/pins/import?dryRun=false&category=food&audience=friends"
        let report = try await service.call("POST", path, as: token, ImportSamples.takeout, expect: 200)
        #expect(report.json["notPlaced"]?.elements.isEmpty == false)
        try await service.call("POST", path, as: token, "{}", expect: 400)
        try await service.call("POST", path, expect: 401)
    }

    @Test func `files of one's own`() async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        let body = #"{"latitude": 10, "longitude": 20, "name": "Middle", "rating": 3}"#
        try await service.call("POST", "/v1/pins", as: token, body, expect: 201)
        for format in PinFileFormat.allCases {
            let path = "/v1/me/pins.\(format.rawValue)"
            try await service.call("GET", path, as: token, expect: 200)
            try await service.call("GET", path + "?x=1", as: token, expect: 400)
            try await service.call("GET", path, expect: 401)
        }
        let path = "/v1/me/export"
        try await service.call("POST", path, as: token, #"{"password": "correct horse battery"}"#, expect: 200)
        try await service.call("POST", path, as: token, #"{"password": "wrong"}"#, expect: 400)
        try await service.call("POST", path, as: token, expect: 415)
    }

    @Test func `tiles and clusters`() async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        let tile = "/v1/tiles/pins/0/0/0.mvt"
        try await service.call("GET", tile, as: token, expect: 204)
        try await service.call("GET", tile, expect: 401)
        for longitude in [20, 20, 120] {
            let pin = #"{"latitude": 10, "longitude": \#(longitude), "name": "Middle", "rating": 4}"#
            try await service.call("POST", "/v1/pins", as: token, pin, expect: 201)
        }
        let clusters = "/v1/pins/clusters?bbox=-180,-90,180,90&zoom=2&category=other"
        let found = try await service.call("GET", clusters, as: token, expect: 200)
        #expect(found.json["items"]?.elements.compactMap { $0["kind"]?.text } == ["cluster", "pin"])
        for path in [tile, clusters] {
            let answer = try await service.call("GET", path, as: token, expect: 200)
            let tag = Header("If-None-Match", answer.response.header("ETag") ?? "")
            try await service.call("GET", path, as: token, expect: 304, headers: [tag])
        }
        try await service.call("GET", "/v1/tiles/pins/0/1/0.mvt", as: token, expect: 400)
        try await service.call("GET", "/v1/pins/clusters", as: token, expect: 400)
    }

    @Test func `places and the service itself`() async throws {
        let service = try DescribedService()
        try await service.call("GET", "/v1/places/reverse?lat=10&lon=20&lang=de", expect: 200)
        try await service.call("GET", "/v1/places/reverse?lat=0&lon=-30", expect: 200)
        try await service.call("GET", "/v1/places/reverse?lat=0", expect: 400)
        try await service.call("GET", "/v1/places/search?q=mitte&near=10,20&bbox=1,2,3,4&lang=de&limit=3", expect: 200)
        try await service.call("GET", "/v1/places/search?q=testland&kind=place", expect: 200)
        try await service.call("GET", "/v1/places/search?q=", expect: 400)
        let (_, token, _) = try await service.signUp("rosa")
        let pin = #"{"latitude": 1, "longitude": 2, "name": "Mittens"}"#
        try await service.call("POST", "/v1/pins", as: token, pin, expect: 201)
        try await service.call("GET", "/v1/places/search?q=mit&kind=pin&kind=place", as: token, expect: 200)
        try await service.call("GET", "/v1/places/search?q=mit", as: "nonsense", expect: 401)
        try await service.call("POST", "/v1/places/reverse", #"{"points": [[10, 20], [0, -30]]}"#, expect: 200)
        let place = try await service.call("GET", "/v1/places/2", expect: 200)
        let tag = Header("If-None-Match", place.response.header("ETag") ?? "")
        try await service.call("GET", "/v1/places/2", expect: 304, headers: [tag])
        try await service.call("GET", "/v1/places/999", expect: 404)
        for path in [
            "/health", "/ready", "/metrics", "/openapi.json", "/docs", "/", "/p/1", "/sw.js", "/manifest.webmanifest",
        ] {
            let answer = try await service.call("GET", path, expect: 200)
            guard let tag = answer.response.header("ETag") else { continue }
            try await service.call("GET", path, expect: 304, headers: [Header("If-None-Match", tag)])
        }
        try await service.call("GET", "/health?x=1", expect: 400)
    }

    @Test func `the server knows every query parameter, with its limits`() async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        try await service.makeAdmin("marisol")
        for operation in OpenAPIDescription().operations where operation.method == "GET" {
            let path = operation.path.replacing(#/{[^}]*}/#, with: "1")
            for parameter in operation.parameters where parameter["in"]?.text == "query" {
                let name = parameter["name"]?.text ?? ""
                let given = Self.queryText(parameter["example"] ?? .null)
                let ask = { (value: String) -> [String] in
                    let request = Request(
                        id: "", method: "GET", path: path, queryText: "\(name)=\(value)",
                        headers: [Header("Authorization", "Bearer \(token)")])
                    let answer = await service.router.respond(to: request) {
                        ProblemResponse.make($0, $1, Log(descriptor: nil, clock: { 0 }))
                    }
                    if answer.status == 204 { return [] }
                    let faults = try JSONValue(parsing: answer.body)["errors"]?.elements ?? []
                    return faults.filter { $0["field"]?.text == name }.compactMap { $0["message"]?.text }
                }
                // A radius needs a centre, and a cursor is nothing that a document could give.
                let needs = name == "radius" || name == "cursor" || parameter["example"]?.text == "kT1yZm9vYmFy"
                let faults = try await ask(given)
                #expect(needs ? !faults.contains("is not a known parameter") : faults == [], "\(path) \(name)")
                for value in Self.beyondLimits(parameter["schema"] ?? .null) {
                    #expect(try await ask(value) != [], "\(path) \(name)=\(value)")
                }
            }
        }
    }

    private static func queryText(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements) where elements.allSatisfy { $0.number != nil }:
            elements.map(queryText).joined(separator: ",")
        case .array(let elements): queryText(elements.first ?? .null)
        case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
        case .bool(let flag): String(flag)
        default: value.text?.replacing(" ", with: "+") ?? ""
        }
    }

    /// Values just outside of what a schema allows.
    private static func beyondLimits(_ schema: JSONValue) -> [String] {
        var values: [String] = []
        if let least = schema["minimum"]?.number { values.append(String(Int(least) - 1)) }
        if let most = schema["maximum"]?.number { values.append(String(Int(most) + 1)) }
        if schema["minLength"]?.number != nil { values.append("") }
        if let most = schema["maxLength"]?.number { values.append(String(repeating: "x", count: Int(most) + 1)) }
        if schema["enum"] != nil { values.append("neverheardof") }
        return values
    }

    @Test(arguments: [
        ("POST", "/v1/pins"), ("POST", "/v1/users"), ("PATCH", "/v1/me"), ("PATCH", "/v1/pins/{pinId}"),
        ("POST", "/v1/sessions"), ("POST", "/v1/me/tokens"), ("PUT", "/v1/me/password"),
    ])
    func `the server knows every field of a body, with its limits`(method: String, path: String) async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        let pin = try await service.call(
            "POST", "/v1/pins", as: token, #"{"latitude": 10, "longitude": 20, "name": "Middle"}"#, expect: 201)
        let description = OpenAPIDescription()
        let media = description.operation(method, path)?.json["requestBody"]?["content"]?.members.first?.value
        let schema = description.resolved(media?["schema"] ?? .null)
        #expect(schema["properties"]?.members.isEmpty == false)
        for (name, property) in schema["properties"]?.members ?? [] {
            for (value, isGood) in Self.probes(description.resolved(property)) {
                let request = Request(
                    id: "", method: method, path: path.replacing("{pinId}", with: pin.text("id")),
                    headers: [Header("Authorization", "Bearer \(token)"), Header("Content-Type", "application/json")],
                    body: Array(#"{"\#(name)": \#(value), "unheardof": 1}"#.utf8))
                let answer = await service.router.respond(to: request) {
                    ProblemResponse.make($0, $1, Log(descriptor: nil, clock: { 0 }))
                }
                let faults =
                    try JSONValue(parsing: answer.body)["errors"]?.elements.compactMap { $0["field"]?.text } ?? []
                #expect(faults.contains("unheardof"), "\(name)")
                #expect(faults.contains(name) != isGood, "\(name): \(value.prefix(40))")
            }
        }
    }

    /// JSON texts at the limits of a schema, and just outside.
    private static func probes(_ schema: JSONValue) -> [(json: String, isGood: Bool)] {
        func text(_ count: Double) -> String { "\"\(String(repeating: "x", count: Int(count)))\"" }
        var probes: [(String, Bool)] = [("[]", false)]
        let types = schema["type"]?.text.map { [$0] } ?? schema["type"]?.elements.compactMap(\.text) ?? []
        if !types.isEmpty { probes.append(("null", types.contains("null"))) }
        if let least = schema["minimum"]?.number { probes += [("\(Int(least))", true), ("\(Int(least) - 1)", false)] }
        if let most = schema["maximum"]?.number { probes += [("\(Int(most))", true), ("\(Int(most) + 1)", false)] }
        guard schema["format"]?.text != "email" else { return probes }
        if let least = schema["minLength"]?.number, least > 0 { probes.append((text(least - 1), false)) }
        // A password is judged by what it opens, so only one that is too long is surely bad.
        let isPassword = schema["format"]?.text == "password"
        if let most = schema["maxLength"]?.number {
            probes += (isPassword ? [] : [(text(most), true)]) + [(text(most + 1), false)]
        }
        for value in schema["enum"]?.elements.compactMap(\.text) ?? [] { probes.append(("\"\(value)\"", true)) }
        return probes
    }
}
