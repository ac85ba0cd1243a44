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
                    #expect(gunzip(compressed) == bytes, "\(size) of \(letters)")
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
        #expect(gunzip(gzip.body) == text && gzip.header("Content-Encoding") == "gzip")
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
