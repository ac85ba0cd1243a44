import Testing

@testable import HTTP

/// What must be refused is refused once, the connection closes, and nothing behind it is taken for a request.
@Suite struct HardeningTests {
    private static let get = "GET /health HTTP/1.1\r\nHost: x\r\n"
    private static let post = "POST /echo HTTP/1.1\r\nHost: x\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
    private static let smuggled = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"

    private static let refused: [(String, String)] = [
        (
            "Content-Length, then Transfer-Encoding",
            post + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "Transfer-Encoding, then Content-Length",
            post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"
        ),
        ("two lengths that differ", post + "Content-Length: 2\r\nContent-Length: 50\r\n\r\n{}"),
        ("two lengths that agree", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
        ("list of lengths", post + "Content-Length: 2, 2\r\n\r\n{}"),
        ("length with sign", post + "Content-Length: +2\r\n\r\n{}"),
        ("negative length", post + "Content-Length: -1\r\n\r\n{}"),
        ("hexadecimal length", post + "Content-Length: 0x2\r\n\r\n{}"),
        ("length over 64 bits", post + "Content-Length: 99999999999999999999999\r\n\r\n{}"),
        ("empty length", post + "Content-Length: \r\n\r\n{}"),
        ("blank before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        ("blank before the colon of a length", post + "Content-Length : 2\r\n\r\n{}"),
        (
            "Transfer-Encoding in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("two Transfer-Encodings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("list of codings", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        ("unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("vertical tab before the coding", post + "Transfer-Encoding:\u{0b}chunked\r\n\r\n0\r\n\r\n"),
        ("folded line", get + "X-A: b\r\n c\r\n\r\n"),
        ("folded first line", "GET /health HTTP/1.1\r\n X-A: b\r\nHost: x\r\n\r\n"),
        ("folded coding", post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        ("bare LF everywhere", "GET /health HTTP/1.1\nHost: x\n\n"),
        ("bare LF after the request line", "GET /health HTTP/1.1\nHost: x\r\n\r\n"),
        ("bare LF after a field", get + "X-A: b\nX-B: c\r\n\r\n"),
        ("bare LF at the end", get + "X-A: b\r\n\n"),
        ("two bare LF at the end", get + "X-A: b\n\n"),
        ("bare CR", get + "X-A: b\rX-B: c\r\n\r\n"),
        ("NUL in a value", get + "X-A: b\0c\r\n\r\n"),
        ("NUL at the end of a value", get + "X-A: b\0\r\n\r\n"),
        ("NUL at the start of a line", get + "\0X-A: b\r\n\r\n"),
        ("NUL in a name", get + "X\0A: b\r\n\r\n"),
        ("NUL in the target", "GET /health\0 HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("control character in a value", get + "X-A: b\u{1}c\r\n\r\n"),
        ("blank in a name", get + "X A: b\r\n\r\n"),
        ("line without colon", get + "garbage\r\n\r\n"),
        ("empty name", get + ": x\r\n\r\n"),
        ("no Host", "GET /health HTTP/1.1\r\n\r\n"),
        ("two Hosts", "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("list of Hosts", "GET /health HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        ("HTTP/0.9", "GET /health\r\n\r\n"),
        ("HTTP/9.9", "GET /health HTTP/9.9\r\nHost: x\r\n\r\n"),
        ("no version number", "GET /health HTTP\r\nHost: x\r\n\r\n"),
        ("four words", "GET /health x HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("two blanks", "GET  /health HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("raw UTF-8 in the target", "GET /é HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("target without slash", "GET health HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("fragment in the target", "GET /health#a HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("method with a slash", "G/T /health HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("unknown expectation", post + "Expect: tea\r\nContent-Length: 2\r\n\r\n{}"),
        ("long target", "GET /\(String(repeating: "a", count: 50_000)) HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("long field", get + "X-A: \(String(repeating: "a", count: 50_000))\r\n\r\n"),
        ("many fields", get + String(repeating: "X-A: b\r\n", count: 5000) + "\r\n"),
        ("a few fields too many", get + String(repeating: "A:b\r\n", count: 100) + "\r\n"),
        (
            "endless combining marks",
            get + "If-None-Match: \"\(String(repeating: "\u{301}\u{316}", count: 2000))\"\r\n\r\n"
        ),
        ("chunk size that is no number", chunked + "zz\r\n{}\r\n0\r\n\r\n"),
        ("chunk size over 64 bits", chunked + "10000000000000002\r\n{}\r\n0\r\n\r\n"),
        ("negative chunk size", chunked + "-2\r\n{}\r\n0\r\n\r\n"),
        ("chunk size with 0x", chunked + "0x2\r\n{}\r\n0\r\n\r\n"),
        ("chunk without line end", chunked + "2\r\n{}0\r\n\r\n"),
        ("bare LF after a chunk's size", chunked + "2\n{}\r\n0\r\n\r\n"),
        ("bare LF after an extension", chunked + "2;a\n{}\r\n0\r\n\r\n"),
        ("empty chunk size", chunked + "\r\n{}\r\n0\r\n\r\n"),
        ("long chunk extension", chunked + "2;\(String(repeating: "a", count: 50_000))\r\n{}\r\n0\r\n\r\n"),
    ]

    @Test func refusesOnceAndCloses() async throws {
        let server = try TestServer()
        for (what, request) in Self.refused {
            let reply = try await server.send(request + Self.smuggled, silence: patience)
            #expect(reply.isClosed, "\(what): left open")
            #expect(reply.statuses.count == 1, "\(what): \(reply.statuses)")
            #expect([400, 408, 414, 417, 431, 505].contains(reply.statuses.first ?? 0), "\(what): \(reply.statuses)")
            #expect(reply.header("Content-Type") == "application/problem+json", "\(what)")
            #expect(reply.header("X-Request-Id")?.utf8.count == 16, "\(what)")
        }
        #expect(try await server.send(Self.get + "\r\n").statuses == [200])
    }

    /// A path that does not decode is a fault of one request, which was framed well: the connection lives on.
    @Test(arguments: ["/health%00x", "/things/%00", "/things/%", "/things/%4", "/things/%zz", "/things/%ff", "/%c0%80"])
    func refusesPathThatDoesNotDecode(path: String) async throws {
        let server = try TestServer()
        let reply = try await server.send(
            "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" + Self.get + "Connection: close\r\n\r\n", silence: patience)
        #expect(reply.statuses == [400, 200])
    }

    @Test func acceptsWhatIsUnusualButRight() async throws {
        let server = try TestServer()
        for request in [
            "GET http://example.org/health HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /health? HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /health?a=%zz&b=c+d HTTP/1.1\r\nHost:x\r\nX-A:\r\nX-B: \t b \t\r\n\r\n",
            "GET /he%61lth HTTP/1.1\r\nhost: [::1]:80\r\n\r\n",
            "\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /health HTTP/1.0\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
            Self.get + "Cookie: a=b; c=\"d\"\r\n\r\n",
        ] {
            #expect(try await server.send(request, silence: .milliseconds(300)).statuses == [200], "\(request)")
        }
    }

    /// What a head has in it shares a small memory with what the library makes of it.
    @Test func headsThatFillTheirMemoryHarmNobody() async throws {
        let server = try TestServer { $0.headerTime = .milliseconds(500) }
        func parts(_ part: String, _ count: Int) -> String { String(repeating: part, count: count) }
        let longest = try await server.send(
            "GET /health?\(parts("a=1&", 2000)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", silence: patience)
        #expect(longest.statuses == [200])
        for count in stride(from: 40, to: 3400, by: 67) {
            for request in [
                "GET /health?\(parts("a=1&b", count)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /health?\(parts("aaaaa", count)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                Self.get + "Connection: close\r\nCookie: \(parts("a=b; ", count))a=b\r\n\r\n",
                Self.get + "Connection: close\r\n\(parts("Cookie: a=b; c=d\r\n", min(count, 95)))\r\n",
            ] {
                let reply = try await server.send(request, silence: patience)
                #expect(reply.isClosed, "\(request.prefix(60)) \(count)")
                #expect(
                    reply.statuses.count <= 1 && reply.statuses.allSatisfy { [200, 408, 414, 431].contains($0) },
                    "\(request.prefix(60)) \(count): \(reply.statuses)")
            }
        }
        #expect(try await server.send(Self.get + "Connection: close\r\n\r\n", silence: patience).statuses == [200])
    }

    @Test func bodyTooLargeIsRefusedBeforeItIsSent() async throws {
        let server = try TestServer()
        let expecting = "POST /small HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
        let large = try await server.send(expecting + "Content-Length: 11\r\n\r\n", silence: patience)
        #expect(large.statuses == [413] && large.isClosed)
        let missing = try await server.send(
            "POST /nothing HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
            silence: patience)
        #expect(missing.statuses == [404] && missing.isClosed)
        let fits = try await server.send(
            expecting + "Connection: close\r\nContent-Length: 10\r\n\r\n", "0123456789", silence: patience)
        #expect(fits.statuses == [100, 200])
    }

    @Test func chunkedBodyTooLargeIsCutOff() async throws {
        let server = try TestServer()
        let head = "POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        let reply = try await server.send(head + "6\r\n012345\r\n6\r\n012345\r\n0\r\n\r\n", silence: patience)
        #expect(reply.statuses == [413] && reply.isClosed)
        #expect(reply.header("Content-Type") == "application/problem+json")
        #expect(try await server.send(head + "6\r\n012345\r\n4;a=b\r\n0123\r\n0\r\n\r\n").statuses == [200])
    }

    /// The answer arrives although the client goes on sending for a while.
    @Test func answerOutlivesAnUnreadBody() async throws {
        let server = try TestServer()
        let body = String(repeating: "a", count: 3_000_000)
        let reply = try await server.send(
            "POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n", body, silence: patience)
        #expect(reply.statuses == [413])
    }

    @Test func headerValuesCannotSplitAnAnswer() async throws {
        let reply = try await TestServer().send("GET /unsafe HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(reply.header("X-A") == nil && reply.header("X-B") == nil)
        #expect(reply.header("X-C") == "d")
    }
}
