import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct BadInputTests {
    /// A value as it is written in a body, and the field at fault; the body is a good one but for this.
    static let faultyFields: [(field: String, json: String)] = [
        ("latitude", "90.0000001"), ("latitude", "-91"), ("latitude", "1e999"), ("latitude", "-1e999"),
        ("latitude", "\"NaN\""), ("latitude", "\"1\""), ("latitude", "null"), ("latitude", "[1]"), ("latitude", "true"),
        ("longitude", "180.0000001"), ("longitude", "-181"), ("longitude", "1e400"), ("longitude", "{}"),
        ("name", "\"\""), ("name", "\" \\t\\n \""), ("name", "\"\\u0001\\u0002\""), ("name", "\"\\u200b\\u202e\""),
        ("name", "\"\\u00a0\\u3000\""), ("name", "\"a\\u0000b\""), ("name", "null"), ("name", "5"), ("name", "[\"x\"]"),
        ("name", "\"" + String(repeating: "x", count: 201) + "\""),
        ("name", "\"" + String(repeating: "🍜", count: 201) + "\""),
        ("comment", "\"" + String(repeating: "x", count: 10_001) + "\""), ("comment", "\"a\\u0000\""), ("comment", "7"),
        ("address", "\"\""), ("address", "\"  \""), ("address", "\"" + String(repeating: "x", count: 501) + "\""),
        ("address", "\"\\u0000\""), ("address", "false"),
        ("rating", "0"), ("rating", "6"), ("rating", "-1"), ("rating", "2.5"), ("rating", "\"3\""), ("rating", "1e99"),
        ("rating", "true"), ("rating", "[]"),
        ("category", "\"Food\""), ("category", "\"\""), ("category", "\"pizza\""), ("category", "null"),
        ("category", "0"),
        ("audience", "\"everyone\""), ("audience", "null"), ("audience", "1"), ("circleId", "5"),
        ("circleId", "\"x\""), ("circleId", "\"5\""), ("circleId", "[]"),
        ("privat", "true"), ("Name", "\"x\""), ("id", "\"5\""), ("ownerId", "\"5\""), ("na\\u0000me", "1"),
    ]

    @Test func `each faulty field of a pin is named, on creating and on changing`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop()
            for (field, json) in Self.faultyFields {
                var members = ["latitude": "1", "longitude": "2", "name": "\"Ramen\""]
                members[field] = json
                let body = "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ",") + "}"
                let created = try await client.send("POST", "/v1/pins", body: Array(body.utf8), token: ana.token)
                let name = field == "na\\u0000me" ? "na\0me" : field
                #expect(created.status == .badRequest && created.faults == [name], "\(field): \(json.prefix(30))")
                let patch = "{\"\(field)\": \(json)}"
                let changed = try await client.send(
                    "PATCH", "/v1/pins/\(pin.id)", body: Array(patch.utf8), token: ana.token)
                #expect(changed.status == .badRequest && changed.faults == [name], "\(field): \(json.prefix(30))")
            }
            #expect(try await ana.all("/v1/pins") == [pin.id.description])
            #expect(try await ana.get("/v1/pins/\(pin.id)").decoded(Pin.self) == pin)
        }
    }

    @Test func `all faults of a body come together`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await ana.post(
                "/v1/pins",
                [
                    "latitude": 91, "longitude": 999, "name": 5, "rating": 9, "category": "x", "audience": "all",
                    "comment": 1, "address": "", "foo": 1, "bar": 2,
                ], expect: .badRequest)
            #expect(
                answer.faults == [
                    "latitude", "longitude", "name", "rating", "category", "audience", "comment", "address", "foo",
                    "bar",
                ])
            let problem = try answer.decoded(Problem.self)
            #expect(problem.errors?.allSatisfy { !$0.message.isEmpty } == true)
            #expect(
                try await ana.post("/v1/pins", [:], expect: .badRequest).faults == ["latitude", "longitude", "name"])
        }
    }

    @Test func `the limits themselves are good`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let bodies: [JSON] = [
                ["latitude": 90, "longitude": -180, "name": "x"], ["latitude": -90, "longitude": 180, "name": "🍜"],
                ["latitude": 0, "longitude": 0, "name": .string(String(repeating: "🍜", count: 200))],
                [
                    "latitude": 1, "longitude": 1, "name": " x ",
                    "comment": .string(String(repeating: "é", count: 10_000)),
                    "address": .string(String(repeating: "x", count: 500)), "rating": 1,
                ],
                ["latitude": 1, "longitude": 1, "name": "a\u{7}b", "comment": "", "rating": 5],
                ["latitude": 1, "longitude": 1, "name": "x", "comment": nil, "address": nil, "rating": nil],
            ]
            for body in bodies {
                let answer = try await ana.post("/v1/pins", body, expect: .created)
                #expect(answer.json["name"] == body["name"] && answer.json["comment"] == body["comment"] ?? .null)
            }
        }
    }

    static let unreadableBodies: [[UInt8]] =
        [
            "", " ", "{", "}", "[]", "5", "\"x\"", "null", "{}{}", "{\"name\":}", "{\"name\":\"x\",}", "{name:1}",
            "{'name':1}",
            "{\"latitude\": NaN}", "{\"latitude\": Infinity}", "{\"latitude\": -Infinity}", "{\"latitude\": 01}",
            "{\"latitude\": +1}", "{\"latitude\": .5}", "{\"latitude\": 1.}", "{\"latitude\": 0x10}",
            "{\"name\":\"a\",\"name\":\"b\"}", "{\"name\":\"a\",\"n\\u0061me\":\"b\"}", "{\"name\":\"\\ud800\"}",
            "{\"name\":\"\\udc00\\ud800\"}", "{\"name\":\"\\ud83c\"}", "{\"name\":\"a\tb\"}", "{\"name\":\"\\x\"}",
            "\u{FEFF}{}", "{\"a\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}",
            String(repeating: "{\"a\":", count: 100_000), "{} // x", "{\"name\":\"x\"",
        ].map { Array($0.utf8) } + [
            Array("{\"name\":\"".utf8) + [0xFF] + Array("\"}".utf8),
            Array("{\"name\":\"".utf8) + [0xC0, 0xAF] + Array("\"}".utf8),
            Array("{\"name\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8), [0xFF, 0xFE], [0],
        ]

    @Test func `what is no JSON object is 400 and names no field`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for (index, body) in Self.unreadableBodies.enumerated() {
                for (method, path) in [("POST", "/v1/pins"), ("PATCH", "/v1/me"), ("POST", "/v1/sessions")] {
                    let answer = try await client.send(method, path, body: body, token: ana.token)
                    #expect(answer.status == .badRequest && answer.faults.isEmpty, "body \(index) on \(path)")
                }
            }
        }
    }

    @Test func `a body of another media type, or too large, is refused`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let body = Array("{\"latitude\":1,\"longitude\":1,\"name\":\"x\"}".utf8)
            for type in ["text/plain", "application/xml", "application/x-www-form-urlencoded", "", "application/jsonx"]
            {
                let headers = [("Content-Type", type)]
                let answer = try await client.send("POST", "/v1/pins", body: body, token: ana.token, headers: headers)
                #expect(answer.status == .unsupportedMediaType, "\(type)")
            }
            for type in ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"] {
                let headers = [("Content-Type", type)]
                let answer = try await client.send("POST", "/v1/pins", body: body, token: ana.token, headers: headers)
                #expect(answer.status == .created, "\(type)")
            }
            let large = [UInt8](repeating: UInt8(ascii: " "), count: 3 << 20) + body
            let answer = try await client.send("POST", "/v1/pins", body: large, token: ana.token)
            #expect(answer.status == .contentTooLarge)
        }
    }

    @Test(arguments: [
        ("bbox=1,2,3", "bbox"), ("bbox=1,2,3,4,5", "bbox"), ("bbox=a,b,c,d", "bbox"), ("bbox=NaN,0,1,1", "bbox"),
        ("bbox=1,5,2,4", "bbox"), ("bbox=-181,0,1,1", "bbox"), ("bbox=0,-91,1,1", "bbox"), ("bbox=0,0,1,inf", "bbox"),
        ("bbox=", "bbox"), ("bbox=0,0,1,1&bbox=0,0,1,1", "bbox"), ("bbox=0x1,0,1,1", "bbox"), ("bbox=0,0,1,1e", "bbox"),
        ("near=1", "near"), ("near=91,0", "near"), ("near=0,181", "near"), ("near=nan,0", "near"),
        ("near=1,2,3", "near"),
        ("near=1;2", "near"), ("near=0,0&radius=-1", "radius"), ("near=0,0&radius=NaN", "radius"),
        ("near=0,0&radius=inf", "radius"), ("near=0,0&radius=1e9", "radius"), ("radius=5", "radius"),
        ("sort=distance", "sort"), ("sort=Newest", "sort"), ("sort=", "sort"), ("near=0,0&bbox=0,0,1,1", "near"),
        ("category=Food", "category"), ("category=food&category=x", "category"), ("category=", "category"),
        ("minRating=0", "minRating"), ("minRating=6", "minRating"), ("minRating=2.5", "minRating"),
        ("since=yesterday", "since"), ("since=2026-02-30T00:00:00Z", "since"), ("since=2026-01-01", "since"),
        ("since=1700000000", "since"), ("owner=abc", "owner"), ("owner=", "owner"), ("owner=1&owner=-5", "owner"),
        ("q=", "q"), ("q=%20%20", "q"), ("q=%01", "q"), ("f=xml", "f"), ("cursor=", "cursor"), ("bbxo=1,2,3,4", "bbxo"),
        ("Limit=5", "Limit"), ("owners=1", "owners"), ("foo", "foo"), ("near=0,0&bbox=5", "bbox"),
    ])
    func `each faulty filter of a list is named`(query: String, field: String) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await ana.get("/v1/pins?\(query)", expect: .badRequest)
            #expect(answer.faults.contains(field), "\(answer.text)")
        }
    }

    @Test func `all faulty filters come together`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await ana.get(
                "/v1/pins?bbox=x&radius=y&sort=z&owner=a&category=b&minRating=c&q=&since=d&limit=e&f=g&foo=h",
                expect: .badRequest)
            #expect(
                answer.faults.isSuperset(of: [
                    "bbox", "radius", "sort", "owner", "category", "minRating", "q", "since", "limit", "f", "foo",
                ]))
        }
    }

    @Test func `filters at their limits are good`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let owners = (1...500).map { "owner=\($0)" }.joined(separator: "&")
            for query in [
                "near=90,180&radius=0", "near=-90,-180&radius=20100000", "bbox=-180,-90,180,90", "bbox=180,-90,-180,90",
                "bbox=0,0,0,0", "minRating=5", "since=0001-01-01T00:00:00Z", "since=2026-11-29t12:00:00.5%2B05:30",
                "near=1e-7,-1.5E1", "q=\(String(repeating: "a", count: 200))", owners, "",
            ] {
                let page = try await ana.get("/v1/pins?\(query)", expect: .ok).decoded(Items<Pin>.self)
                #expect(page.items.isEmpty && page.next == nil, "\(query)")
            }
        }
    }

    @Test func `an id in the path that is none is 404, like one that never was`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop()
            let never = try await ana.get("/v1/pins/9223372036854775807", expect: .notFound)
            for id in [
                "abc", "-1", "0", String(repeating: "9", count: 19), String(repeating: "9", count: 40), "1.5", "0x10",
                "%20", "\(pin.id).0", "0\(pin.id)", "+\(pin.id)", "%E2%82%AC", "\(pin.id)%20", "%2e%2e",
            ] {
                let answer = try await ana.get("/v1/pins/\(id)", expect: .notFound)
                #expect(answer.response.body == never.response.body, "\(id)")
            }
            for id in ["%", "%zz", "%ff", "\(pin.id)%00"] { try await ana.get("/v1/pins/\(id)", expect: .badRequest) }
        }
    }

    @Test func `paths and methods that are not there say so`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for path in ["/v1/nothing", "/v1/pins/", "/v1", "//v1/pins", "/v1/pins/1/2/3", "/.git/config", "/V1/pins"] {
                try await ana.get(path, expect: .notFound)
            }
            let answer = try await ana.put("/v1/pins", [:], expect: .methodNotAllowed)
            #expect(answer.header("Allow") == "GET, HEAD, OPTIONS, POST")
            let head = try await ana.send("HEAD", "/v1/me", expect: .ok)
            let whole = try await ana.get("/v1/me", expect: .ok)
            #expect(head.response.body.isEmpty && head.response.headers == whole.response.headers)
            let options = try await ana.send("OPTIONS", "/v1/pins", expect: .noContent)
            #expect(options.header("Allow") == "GET, HEAD, OPTIONS, POST")
        }
    }
}
