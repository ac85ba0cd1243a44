import Testing

@testable import HTTP

/// The protocol, seen by a client.
@Suite struct WebSocketTests {
    private let records = LiveRecords()

    private func request(
        _ path: String = "/live", method: String = "GET", version: String = "HTTP/1.1", without: String = "",
        adding: String = ""
    ) -> String {
        let fields = [
            "Host: x", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: \(LiveClient.key)",
        ]
        let kept = fields.filter { without.isEmpty || !$0.hasPrefix(without + ":") }
        return "\(method) \(path) \(version)\r\n" + kept.map { $0 + "\r\n" }.joined() + adding + "\r\n"
    }

    @Test func handshakeProvesThatTheKeyWasRead() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        let head = try await onThread { try LiveClient(port: port).head }
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        let reply = Reply(text: head, isClosed: false)
        #expect(reply.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")  // RFC 6455, 1.3
        #expect(reply.header("Upgrade") == "websocket" && reply.header("Connection")?.lowercased() == "upgrade")
        #expect(reply.header("Sec-WebSocket-Extensions") == nil)
        #expect(try await eventually { server.records.exchanges.withLock { $0.map(\.status) } == [101] })
        #expect(try await eventually { server.server.openConnections == 0 })
    }

    @Test func requestsThatAskForNoWebSocketAreRefused() async throws {
        let server = try TestServer.live(records)
        let cases: [(String, Int)] = [
            (request(without: "Upgrade"), 426), (request(without: "Connection"), 426),
            (request(without: "Sec-WebSocket-Version"), 426),
            (request(without: "Sec-WebSocket-Version", adding: "Sec-WebSocket-Version: 8\r\n"), 426),
            (request(adding: "Sec-WebSocket-Version: 13\r\n"), 426),
            (request(without: "Sec-WebSocket-Key"), 400),
            (request(without: "Sec-WebSocket-Key", adding: "Sec-WebSocket-Key: short\r\n"), 400),
            (request(without: "Sec-WebSocket-Key", adding: "Sec-WebSocket-Key: ????????????????????==\r\n"), 400),
            (request(adding: "Sec-WebSocket-Key: \(LiveClient.key)\r\n"), 400), (request(method: "HEAD"), 426),
            (request(version: "HTTP/1.0"), 426), (request(method: "POST"), 405),
        ]
        for (text, status) in cases {
            let reply = try await server.send(text)
            #expect(reply.statuses == [status], "\(text)")
            if status == 426 { #expect(reply.header("Sec-WebSocket-Version") == "13") }
        }
        #expect(records.contents.withLock { $0.opened } == 0)
        #expect(server.server.live.count == 0)
    }

    @Test func messagesOfEverySizeComeBack() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        for fields in ["", "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"] {
            try await onThread {
                let client = try LiveClient(port: port, path: "/echo-live", fields: fields)
                for size in [0, 1, 125, 126, 127, 1000, 4095, 4096, 4097, 65535, 65536] {
                    let text = (0..<size).map { UInt8(ascii: "a") + UInt8($0 * $0 % 26) }
                    client.send(1, text)
                    guard let frame = client.next() else {
                        Issue.record("nothing came back for \(size) bytes")
                        return
                    }
                    let back = frame.isCompressed ? LiveClient.inflate(frame.payload) : frame.payload
                    #expect(frame.opcode == 1 && frame.isFinal && back == text, "\(size) bytes")
                    #expect(frame.isCompressed == (!fields.isEmpty && size > 200), "\(size) bytes")
                }
            }
        }
    }

    @Test func framesThatComeWithTheRequestAreRead() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        for path in ["/echo-live", "/pool-live"] {
            let early = LiveClient.frame(1, Array("early".utf8)) + LiveClient.frame(9, [7])
            let pong = try await onThread {
                let client = try LiveClient(port: port, path: path, following: early)
                var frame = client.next()
                if frame?.opcode == 1 { frame = client.next() }
                return frame
            }
            #expect(pong == LiveClient.Frame(opcode: 10, payload: [7]), "\(path)")
        }
        #expect(records.received == [Array("early".utf8), Array("early".utf8)])
    }

    @Test func messagesInFragmentsAreWhole() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        let text = Array("Zürich 東京 🗺️".utf8)
        for size in 1...text.count {
            try await onThread {
                let client = try LiveClient(port: port, path: "/echo-live")
                for start in stride(from: 0, to: text.count, by: size) {
                    // Characters are split, and control frames come between.
                    let end = min(start + size, text.count)
                    client.send(start == 0 ? 1 : 0, Array(text[start..<end]), isFinal: end == text.count)
                    client.send(9, [UInt8(start)])
                }
                var pongs = 0
                while let frame = client.next() {
                    if frame.opcode == 10 { pongs += 1 } else { #expect(frame.payload == text) }
                    if pongs == (text.count + size - 1) / size { break }
                }
            }
        }
        #expect(records.received.allSatisfy { $0 == text } && records.received.count == text.count)
    }

    @Test func bytesThatComeOneByOneAreRead() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        try await onThread {
            let client = try LiveClient(port: port, path: "/echo-live")
            let bytes =
                LiveClient.frame(1, Array("drip".utf8)) + LiveClient.frame(1, Array(repeating: 0x61, count: 300))
            for byte in bytes { client.raw.send([byte]) }
            #expect(client.next()?.text == "drip")
            #expect(client.next()?.payload.count == 300)
        }
    }

    @Test func messagesThatNeverEndAreCut() async throws {
        let server = try TestServer.live(records) { $0.live.messageTime = .milliseconds(50) }
        let port = server.port
        let beginnings = [
            LiveClient.frame(1, [0x61], isFinal: false), Array(LiveClient.frame(1, [0x61, 0x62]).dropLast()), [0x81],
        ]
        for bytes in beginnings {
            let code = try await onThread {
                let client = try LiveClient(port: port)
                client.raw.send(bytes)
                return client.closeCode()
            }
            #expect(code == 1008, "\(bytes)")
        }
    }

    @Test func closingIsAnswered() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        let cases: [([UInt8], Int)] = [
            ([], 1005), ([0x03, 0xe8], 1000), ([0x0f, 0xa0] + Array("bye".utf8), 4000), ([0x03], 1002),
            ([0x03, 0xed], 1002), ([0x03, 0xee], 1002), ([0x00, 0x00], 1002), ([0x13, 0x88], 1002),
            ([0x03, 0xe8, 0xff], 1007),
        ]
        for (payload, code) in cases {
            let (answer, isAtEnd) = try await onThread {
                let client = try LiveClient(port: port)
                client.send(8, payload)
                client.send(text: "too late")
                return (client.closeCode(), client.isAtEnd)
            }
            #expect(answer == code && isAtEnd, "\(payload)")
        }
        #expect(records.received.isEmpty)
        #expect(try await eventually { server.server.live.count == 0 })
        #expect(records.closed.map { Int($0.code) } == cases.map(\.1))
        #expect(records.closed[2].reason == "bye")
    }

    /// Frames that a client may not send, and how they are called.
    private static let faults: [(String, [[UInt8]], Int)] = [
        ("unmasked", [LiveClient.frame(1, [0x61], isMasked: false)], 1002),
        ("reserved 1", [LiveClient.frame(1, [0x61], reserved: 4)], 1002),
        ("reserved 2", [LiveClient.frame(1, [0x61], reserved: 2)], 1002),
        ("reserved 3", [LiveClient.frame(1, [0x61], reserved: 1)], 1002),
        ("opcode 3", [LiveClient.frame(3, [0x61])], 1002), ("opcode 11", [LiveClient.frame(11)], 1002),
        ("continuation of nothing", [LiveClient.frame(0, [0x61])], 1002),
        ("message in a message", [LiveClient.frame(1, isFinal: false), LiveClient.frame(1)], 1002),
        ("ping in fragments", [LiveClient.frame(9, isFinal: false)], 1002),
        ("long ping", [LiveClient.frame(9, [UInt8](repeating: 0, count: 126))], 1002),
        ("length not minimal", [[0x81, 0xfe, 0, 5, 0, 0, 0, 0] + Array("hello".utf8)], 1002),
        ("negative length", [[0x81, 0xff] + [UInt8](repeating: 0xff, count: 8) + [0, 0, 0, 0, 0]], 1002),
        ("binary", [LiveClient.frame(2, [1, 2])], 1003),
        ("not UTF-8", [LiveClient.frame(1, [0xc3, 0x28])], 1007),
        ("surrogate", [LiveClient.frame(1, [0xed, 0xa0, 0x80])], 1007),
        ("cut off", [LiveClient.frame(1, [0xe6, 0x9d])], 1007),
        (
            "cut off in fragments",
            [LiveClient.frame(1, [0xe6], isFinal: false), LiveClient.frame(0, [0x9d])], 1007
        ),
        (
            "broken in fragments",
            [LiveClient.frame(1, [0xe6], isFinal: false), LiveClient.frame(0, [0x61, 0x62])], 1007
        ),
        ("too long", [LiveClient.frame(1, [UInt8](repeating: 0x61, count: 65537))], 1009),
        ("said to be very long", [[0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0] + [1, 2, 3, 4, 5]], 1009),
        (
            "too long in fragments",
            [
                LiveClient.frame(1, [UInt8](repeating: 0x61, count: 40000), isFinal: false),
                LiveClient.frame(0, [UInt8](repeating: 0x61, count: 40000)),
            ], 1009
        ),
    ]

    @Test func faultsAreCalledByTheirCodes() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        for (name, frames, code) in Self.faults {
            let (answer, isAtEnd) = try await onThread {
                let client = try LiveClient(port: port)
                for frame in frames { client.raw.send(frame) }
                return (client.closeCode(), client.isAtEnd)
            }
            #expect(answer == code && isAtEnd, "\(name)")
        }
        #expect(records.received.isEmpty)
        #expect(try await server.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n").statuses == [200])
    }

    @Test func faultsOfCompressedMessagesAreCalledByTheirCodes() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        let bomb = LiveClient.deflate([UInt8](repeating: 0x61, count: 1 << 20))
        let wrong = LiveClient.deflate([0xc3, 0x28])
        let cases: [(String, [[UInt8]], Int)] = [
            ("bomb", [LiveClient.frame(1, bomb, reserved: 4)], 1009),
            ("not UTF-8", [LiveClient.frame(1, wrong, reserved: 4)], 1007),
            (
                "not UTF-8 in fragments",
                [
                    LiveClient.frame(1, Array(wrong[..<1]), isFinal: false, reserved: 4),
                    LiveClient.frame(0, Array(wrong[1...])),
                ], 1007
            ),
            ("damaged", [LiveClient.frame(1, [0xff, 0xff, 0xff, 0x12], reserved: 4)], 1007),
            ("ping", [LiveClient.frame(9, reserved: 4)], 1002),
            (
                "marked twice", [LiveClient.frame(1, isFinal: false, reserved: 4), LiveClient.frame(0, reserved: 4)],
                1002
            ),
        ]
        for (name, frames, code) in cases {
            let answer = try await onThread {
                let client = try LiveClient(port: port, fields: "Sec-WebSocket-Extensions: permessage-deflate\r\n")
                for frame in frames { client.raw.send(frame) }
                return client.closeCode()
            }
            #expect(answer == code, "\(name)")
        }
        #expect(records.received.isEmpty)
    }

    @Test func compressedMessagesAreReadHoweverTheyAreCut() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        let text = Array(String(repeating: "Zürich 東京 🗺️ ", count: 200).utf8)
        // A final block is allowed as well (RFC 7692, 7.2.3.5).
        let messages = [
            (LiveClient.deflate(text), text), ([0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0], Array("Hello".utf8)),
        ]
        for (compressed, plain) in messages {
            for size in [1, 7, compressed.count] {
                try await onThread {
                    let client = try LiveClient(
                        port: port, path: "/echo-live", fields: "Sec-WebSocket-Extensions: permessage-deflate\r\n")
                    for start in stride(from: 0, to: compressed.count, by: size) {
                        let end = min(start + size, compressed.count)
                        client.send(
                            start == 0 ? 1 : 0, Array(compressed[start..<end]), isFinal: end == compressed.count,
                            reserved: start == 0 ? 4 : 0)
                    }
                    let frame = client.next()
                    let back = frame.flatMap { $0.isCompressed ? LiveClient.inflate($0.payload) : $0.payload }
                    #expect(back == plain, "in pieces of \(size)")
                }
            }
        }
    }

    @Test func compressionIsAgreedOnAsTheClientCan() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        let taken = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        let cases: [(String, String?)] = [
            ("permessage-deflate", taken), ("permessage-deflate; client_max_window_bits", taken),
            ("permessage-deflate; client_max_window_bits=8; server_no_context_takeover", taken),
            ("permessage-deflate; server_max_window_bits=9", taken + "; server_max_window_bits=9"),
            ("permessage-deflate; server_max_window_bits=\"12\"", taken + "; server_max_window_bits=12"),
            ("permessage-deflate; server_max_window_bits=8, permessage-deflate", taken),
            ("x-webkit-deflate-frame,permessage-deflate;client_no_context_takeover", taken),
            ("permessage-deflate; server_max_window_bits=8", nil), ("permessage-deflate; server_max_window_bits", nil),
            ("permessage-deflate; server_max_window_bits=16", nil), ("permessage-deflate; unknown", nil),
            ("permessage-deflate; server_max_window_bits=010", nil), ("permessage-bzip2", nil), (";;,=,", nil),
            ("permessage-deflate; client_no_context_takeover; client_no_context_takeover", nil),
            ("permessage-deflate; client_no_context_takeover=1", nil),
        ]
        for (offer, answer) in cases {
            let head = try await onThread {
                try LiveClient(port: port, fields: "Sec-WebSocket-Extensions: \(offer)\r\n").head
            }
            #expect(Reply(text: head, isClosed: false).header("Sec-WebSocket-Extensions") == answer, "\(offer)")
        }
    }

    @Test func smallWindowsAreKept() async throws {
        let server = try TestServer.live(records)
        let port = server.port
        // Far repetitions tempt a compressor to look further back than a window of 512 bytes.
        var random = SystemRandomNumberGenerator()
        let unit = (0..<2000).map { _ in UInt8.random(in: 0x61...0x7a, using: &random) }
        let text = unit + unit + unit
        for bits in Int32(9)...15 {
            let payload = try await onThread {
                let client = try LiveClient(
                    port: port, path: "/echo-live",
                    fields: "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=\(bits)\r\n")
                client.send(1, LiveClient.deflate(text), reserved: 4)
                return client.next()?.payload ?? []
            }
            #expect(LiveClient.inflate(payload, windowBits: bits) == text, "\(bits) bits")
        }
    }
}
