import Foundation
import Testing

@testable import PinfoldServer

/// What clients should not send, through the whole service: it is refused by name, and everybody else is well.
@Suite struct LiveInputTests {
    private static func problem(_ text: String, _ socket: LiveSocket) throws -> JSON {
        socket.send(text)
        let event = try socket.next("problem")
        guard let problem = event["problem"], problem["status"] == 400 else { throw LiveFailure("\(event)") }
        return problem
    }

    private static func faults(_ problem: JSON) -> [String] {
        (problem["errors"]?.elements ?? []).compactMap { $0["field"]?.text }
    }

    @Test func `messages that are none are answered with a problem`() async throws {
        try await withApp { test, client in
            let ana = try await client.signUp("ana")
            try await withLiveService(test, { $0.live.floodMessages = nil }) { service in
                let socket = try service.connect(token: ana.token)
                for text in [
                    "", "{", "[]]", "null x", "{\"type\": \"ping\",}", "\u{0}", String(repeating: "[", count: 10_000),
                    "{\"type\": \"ping\", \"type\": \"ack\"}x",
                ] {
                    _ = try Self.problem(text, socket)
                }
                let token = service.app.cursors.seal([1, 2, 3], for: "pins")
                for (text, field) in [
                    ("[]", "type"), ("3", "type"), ("{}", "type"), (#"{"type": 3}"#, "type"),
                    (#"{"type": "dance"}"#, "type"), (#"{"type": "typing"}"#, "conversationId"),
                    (#"{"type": "ack"}"#, "cursor"), (#"{"type": "ack", "cursor": "x"}"#, "cursor"),
                    (#"{"type": "ack", "cursor": "\#(token)"}"#, "cursor"), (#"{"type": "auth"}"#, "token"),
                    (#"{"type": "auth", "token": "\#(ana.token)"}"#, "type"),
                ] {
                    let problem = try Self.problem(text, socket)
                    guard Self.faults(problem) == [field] else { throw LiveFailure("\(text): \(problem)") }
                }
                let types = try socket.typesUntilPong()
                guard types.isEmpty else { throw LiveFailure("\(types)") }
            }
        }
    }

    @Test func `what breaks the rules closes, with the reason's code`() async throws {
        try await withApp { test, client in
            let ana = try await client.signUp("ana")
            try await withLiveService(test) { service in
                let witness = try service.connect(token: ana.token)
                for (code, misdeed): (Int, (LiveSocket) -> Void) in [
                    (1009, { $0.send(1, [UInt8](repeating: 0x20, count: 65_537)) }),
                    (1007, { $0.send(1, [0x22, 0xC3, 0x28, 0x22]) }), (1007, { $0.send(1, [0xED, 0xA0, 0x80]) }),
                    (1003, { $0.send(2, [1, 2, 3]) }), (1002, { $0.send(5, []) }),
                    (4429, { socket in for _ in 0..<200 { socket.send(#"{"type": "ping"}"#) } }),
                ] {
                    for token in [ana.token, nil] {
                        let socket = try service.connect(token: token)
                        misdeed(socket)
                        let found = try socket.closeCode()
                        // Where it goes on sending into a closed connection, that may be reset.
                        guard found == code || code == 4429 && found == 1006 else {
                            throw LiveFailure("closed with \(found), not \(code)")
                        }
                    }
                }
                _ = try witness.typesUntilPong()
            }
        }
    }

    @Test func `cursors that are no good are refused by name, before the connection where that can be`() async throws {
        try await withApp { test, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let app = service.app
                let good = try http.send("GET", "/v1/pins/changes", token: ana.token, expect: 200)["cursor"]?.text ?? ""
                let end = try app.database.read { try LogEntry.ends(in: $0).end }
                for path in ["/v1/live", "/v1/events"] {
                    func expect(_ status: Int, _ cursor: String, _ slug: String) throws {
                        let socket = try service.connect(token: ana.token, after: cursor, path: path)
                        guard socket.status == status, socket.refusal["type"]?.text == "/problems/\(slug)" else {
                            throw LiveFailure("\(path)?after=\(cursor): \(socket.status) \(socket.refusal)")
                        }
                        if status == 400, Self.faults(socket.refusal) != ["after"] {
                            throw LiveFailure("\(socket.refusal)")
                        }
                    }
                    for bad in [
                        "x", String(good.dropLast()), good + "A", app.cursors.seal([1, 2, 3], for: "pins"),
                        app.logCursors.seal(.at(end + 1)),
                        app.logCursors.seal(.between(start: 1, target: end + 1, position: 1, lastId: 1)),
                        CursorSeal(key: [UInt8](repeating: 7, count: 32)).seal([1, 2, 3], for: "log"),
                    ] {
                        try expect(400, bad, "invalid-input")
                    }
                    let restored = LogCursorSeal(cursors: app.cursors, epoch: [UInt8](repeating: 9, count: 16))
                    try expect(410, restored.seal(.at(end)), "cursor-expired")
                }
                // One that was good when the connection was opened.
                let early = app.logCursors.seal(.at(1))
                let waiting = try service.connect(token: nil, after: early)
                let open = try service.connect(token: ana.token, after: good)
                _ = try open.typesUntilPong()
                try app.database.write { try $0.run("DELETE FROM event WHERE sequence < \(end)") }
                for path in ["/v1/live", "/v1/events"] {
                    let late = try service.connect(token: ana.token, after: early, path: path)
                    guard late.status == 410, late.refusal["type"] == "/problems/cursor-expired" else {
                        throw LiveFailure("\(late.status) \(late.refusal)")
                    }
                }
                waiting.send(#"{"type": "auth", "token": "\#(ana.token)"}"#)
                let code = try waiting.closeCode()
                guard code == 4410 else { throw LiveFailure("closed with \(code)") }
                // Who has followed is not concerned.
                let pin: JSON = ["latitude": 1, "longitude": 2, "name": "Ramen"]
                try http.send("POST", "/v1/pins", pin, token: ben.token, expect: 201)
                _ = try open.next("pin.created")
                let strange = try service.connect(token: ana.token, path: "/v1/live?before=1")
                guard strange.status == 400, Self.faults(strange.refusal) == ["before"] else {
                    throw LiveFailure("\(strange.status) \(strange.refusal)")
                }
                guard try service.connect(token: nil, path: "/v1/events").status == 401 else {
                    throw LiveFailure("events without a token")
                }
            }
        }
    }
}
