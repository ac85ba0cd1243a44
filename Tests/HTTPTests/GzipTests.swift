import Testing

@testable import HTTP

@Suite struct GzipTests {
    @Test func whatIsCompressedComesBack() throws {
        var random = SystemRandomNumberGenerator()
        for size in [0, 1, 2, 100, 4096, 300_000] {
            for letters in [UInt8(0)...0, 97...100, 0...255] {
                let bytes = (0..<size).map { _ in UInt8.random(in: letters, using: &random) }
                for level in [1, 6, 9] as [Int32] {
                    let compressed = try #require(Gzip.compress(bytes, level: level))
                    #expect(Gunzip.inflate(compressed, limit: 64 << 20) == bytes, "\(size) of \(letters)")
                }
            }
        }
    }

    @Test func gzipIsSentOnlyToThoseWhoTakeIt() {
        for (accepted, takes) in [
            ("gzip", true), ("gzip, deflate, br, zstd", true), ("GZip", true), ("x-gzip", true), ("*", true),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true), ("gzip ; q=0.001", true), ("deflate, gzip;q=1", true),
            ("", false), ("identity", false), ("br", false), ("gzip;q=0", false), ("gzip; Q=0.000", false),
            ("*;q=0", false), ("gzip;q=0, *", false), ("*, gzip;q=0.0", false), ("gzipped", false), (",;,", false),
        ] {
            let request = Request(id: "", method: "GET", path: "/", headers: [Header("Accept-Encoding", accepted)])
            #expect(request.takesGzip == takes, "\(accepted)")
        }
        #expect(!Request(id: "", method: "GET", path: "/").takesGzip)
    }

    @Test func staticContentHasATagForEachForm() {
        let text = Array(String(repeating: "all the same ", count: 100).utf8)
        let content = StaticContent("text/plain", text, tag: "abc", headers: [Header("Cache-Control", "no-cache")])
        let plain = content.response(to: Request(id: "", method: "GET", path: "/"))
        let asking = Request(id: "", method: "GET", path: "/", headers: [Header("Accept-Encoding", "gzip")])
        let gzip = content.response(to: asking)
        #expect(plain.body == text && plain.header("Content-Encoding") == nil)
        #expect(Gunzip.inflate(gzip.body, limit: 64 << 20) == text && gzip.header("Content-Encoding") == "gzip")
        #expect(plain.header("ETag") == "\"abc\"" && gzip.header("ETag") == "\"abc-gzip\"")
        for answer in [plain, gzip] {
            #expect(answer.header("Vary") == "Accept-Encoding" && answer.header("Cache-Control") == "no-cache")
        }
        // What does not get smaller stays as it is.
        let short = StaticContent("text/plain", [1, 2], tag: "abc", headers: []).response(to: asking)
        #expect(short.body == [1, 2] && short.header("Content-Encoding") == nil)
        let image = StaticContent("image/png", text, tag: "abc", headers: [], isText: false).response(to: asking)
        #expect(image.body == text && image.header("Vary") == nil)
    }
}

@Suite struct CompressedAnswerTests {
    private func request(_ accepted: String?) -> Request {
        Request(
            id: "", method: "GET", path: "/", headers: accepted.map { [Header("Accept-Encoding", $0)] } ?? [])
    }

    private let text = Array(#"{"items": [\#(String(repeating: #"{"name": "Ramen"}, "#, count: 200))]}"#.utf8)

    @Test func aLongListIsCompressedForThoseWhoTakeIt() {
        let list = Response.content("application/json; charset=utf-8", text).with("Vary", "Cookie")
        let gzip = list.compressed(for: request("gzip"))
        #expect(Gunzip.inflate(gzip.body, limit: 64 << 20) == text && gzip.header("Content-Encoding") == "gzip")
        #expect(gzip.headers.filter { $0.name == "Vary" }.map(\.value) == ["Cookie", "Accept-Encoding"])
        for accepted in [nil, "br", "gzip;q=0"] {
            let plain = list.compressed(for: request(accepted))
            #expect(plain.body == text && plain.headers == list.headers)
        }
    }

    @Test func whatIsShortTaggedOrNoTextStaysAsItIs() {
        let list = Response.content("application/json", text)
        for response in [
            list.with("ETag", "\"abc\""), Response.content("application/json", Array(text.prefix(1023))),
            Response.content("application/vnd.mapbox-vector-tile", text),
            Response.content("application/json", text, status: 201),
            Response.content("application/problem+json", text, status: 400), .noContent,
        ] {
            let answer = response.compressed(for: request("gzip"))
            #expect(answer.body == response.body && answer.headers == response.headers)
        }
    }

    @Test func basicCredentialsAreReadAsTheyAreWritten() {
        for (text, username, password) in [
            ("QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", "open sesame"), ("Og==", "", ""), ("YTpiOmM=", "a", "b:c"),
            ("dGVzdDoxMjPCow==", "test", "123£"),
        ] {
            let credentials = BasicCredentials(text)
            #expect(credentials?.username == username && credentials?.password == password, "\(text)")
        }
        for text in ["", "YQ==", "Og", "%", "YTpi YTpi", "/zo=", String(repeating: "YTpi", count: 2000)] {
            #expect(BasicCredentials(text) == nil, "\(text.prefix(20))")
        }
    }
}
