import Testing

@testable import PinfoldClient

/// WHATWG HTML, 9.2.
@Suite struct ServerSentEventParserTests {
    private func events(_ stream: String) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        return try parser.consume(stream.utf8)
    }

    @Test func `the examples of the standard read as it says`() throws {
        #expect(
            try events("data: YHOO\ndata: +2\ndata: 10\n\n")
                == [ServerSentEvent(type: "message", data: "YHOO\n+2\n10", id: "")])
        #expect(
            try events(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n")
                == [
                    ServerSentEvent(type: "message", data: "first event", id: "1"),
                    ServerSentEvent(type: "message", data: "second event", id: ""),
                    ServerSentEvent(type: "message", data: " third event", id: ""),
                ])
        #expect(
            try events("data\n\ndata\ndata\n\ndata:")
                == [
                    ServerSentEvent(type: "message", data: "", id: ""),
                    ServerSentEvent(type: "message", data: "\n", id: ""),
                ])
        #expect(
            try events("data:test\n\ndata: test\n\n")
                == Array(repeating: ServerSentEvent(type: "message", data: "test", id: ""), count: 2))
    }

    @Test func `an event type holds for one event, and names no event without data`() throws {
        #expect(
            try events("event: add\ndata: 1\n\nevent: gone\n\ndata: 2\n\n")
                == [
                    ServerSentEvent(type: "add", data: "1", id: ""),
                    ServerSentEvent(type: "message", data: "2", id: ""),
                ])
    }

    @Test func `an id holds until the next, comes without an event too, and has no NUL`() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.consume("id: 7\n\n".utf8).isEmpty)
        #expect(parser.lastEventID == "7")
        #expect(try parser.consume("id: 8\u{0}\ndata: x\n\n".utf8).map(\.id) == ["7"])
        #expect(try parser.consume("id: 9\n".utf8).isEmpty)
        #expect(parser.lastEventID == "7", "a block that has not ended counts for nothing")
    }

    @Test func `retry takes digits alone`() throws {
        var parser = ServerSentEventParser()
        for (line, time) in [("retry: 2500", 2500), ("retry: 1.5", 2500), ("retry: -1", 2500), ("retry:", 2500)] {
            _ = try parser.consume("\(line)\n".utf8)
            #expect(parser.retry == time, "\(line)")
        }
    }

    @Test func `one byte order mark in front is no part of the stream`() throws {
        #expect(try events("\u{FEFF}data: x\n\n").map(\.data) == ["x"])
        #expect(try events("\u{FEFF}\u{FEFF}data: x\n\n").isEmpty)
        #expect(try events("data: 1\n\n\u{FEFF}data: x\n\n").map(\.data) == ["1"])
    }

    @Test func `a line or an event beyond the limit is refused`() throws {
        var parser = ServerSentEventParser(limit: 100)
        #expect(throws: ServerSentEventParser.TooLong.self) {
            try parser.consume(String(repeating: "x", count: 101).utf8)
        }
        var second = ServerSentEventParser(limit: 100)
        #expect(throws: ServerSentEventParser.TooLong.self) {
            try second.consume(String(repeating: "data: 0123456789\n", count: 20).utf8)
        }
    }

    /// Pieces of streams, also ones that break the rules, with every line end and with characters of 1 to 4 bytes.
    private func stream(_ random: inout SplitMix64) -> [UInt8] {
        let ends = ["\n", "\r", "\r\n"]
        let values = ["", " ", "x", " äöü", "漢字", " 🗺️: a", "12", "a\u{0}b", "\u{FEFF}"]
        let names = ["data", "data", "data", "event", "id", "retry", "", "other", "dat\u{E9}"]
        var bytes: [UInt8] = Bool.random(using: &random) ? [0xEF, 0xBB, 0xBF] : []
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            if Int.random(in: 0..<3, using: &random) > 0 {
                bytes += Array((names.randomElement(using: &random) ?? "").utf8)
                if Int.random(in: 0..<5, using: &random) > 0 {
                    bytes += Array((":" + (values.randomElement(using: &random) ?? "")).utf8)
                }
                // Bytes that are no UTF-8.
                if Int.random(in: 0..<10, using: &random) == 0 { bytes += [0xC3, 0xF0, 0x9F] }
            }
            bytes += Array((ends.randomElement(using: &random) ?? "").utf8)
        }
        return bytes
    }

    @Test func `wherever a stream is cut, its events are the same, and those of a plain reading`() throws {
        var random = SplitMix64(seed: 4)
        var seen = 0
        for _ in 0..<3000 {
            let bytes = stream(&random)
            var whole = ServerSentEventParser()
            let expected = try whole.consume(bytes)
            #expect(expected == plainReading(of: bytes))
            seen += expected.count
            var parser = ServerSentEventParser()
            var events: [ServerSentEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...4, using: &random))
                events += try parser.consume(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(events == expected, "\(bytes)")
            #expect(parser.lastEventID == whole.lastEventID && parser.retry == whole.retry)
        }
        #expect(seen > 3000)
    }

    /// The algorithm of the standard on the whole text at once.
    private func plainReading(of bytes: [UInt8]) -> [ServerSentEvent] {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if scalars[index] == "\n" || scalars[index] == "\r" {
                if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
                lines.append(String(line))
                line = String.UnicodeScalarView()
            } else {
                line.append(scalars[index])
            }
            index += 1
        }
        var (events, type, data, id) = ([ServerSentEvent](), "", [String](), "")
        for line in lines {
            if line.isEmpty {
                if !data.isEmpty {
                    events.append(
                        ServerSentEvent(
                            type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"), id: id))
                }
                (type, data) = ("", [])
                continue
            }
            let scalars = line.unicodeScalars
            let name = String(scalars.prefix { $0 != ":" })
            var value = scalars.dropFirst(name.unicodeScalars.count + 1)
            if value.first == " " { value = value.dropFirst() }
            switch name {
            case "event": type = String(value)
            case "data": data.append(String(value))
            case "id" where !value.contains("\u{0}"): id = String(value)
            default: break
            }
        }
        return events
    }
}
