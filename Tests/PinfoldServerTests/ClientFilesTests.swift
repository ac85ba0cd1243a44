import Foundation
import HTTP
import Testing

@testable import PinfoldServer

/// The web client, as it is served: whole, for good, and nothing beside it.
@Suite struct ClientFilesTests {
    private static let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/PinfoldServer/Web/Client").path

    @Test func `each file of the client is served as it is, for good`() async throws {
        try await withApp { app, client in
            let version = try WebClient.files.get().version
            let paths = try #require(FileManager.default.enumerator(atPath: Self.source)).compactMap { $0 as? String }
            var served = 0
            for path in paths where !["index.html", "sw.js", "manifest.webmanifest"].contains(path) {
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(atPath: "\(Self.source)/\(path)", isDirectory: &isFolder)
                guard exists, !isFolder.boolValue else { continue }
                let bytes = Array(try #require(FileManager.default.contents(atPath: "\(Self.source)/\(path)")))
                let plain = try await client.get("/app/\(version)/\(path)", expect: .ok)
                #expect(plain.response.body == bytes, "\(path)")
                #expect(plain.header("Cache-Control") == "public, max-age=31536000, immutable", "\(path)")
                #expect(plain.header("X-Content-Type-Options") == "nosniff", "\(path)")
                #expect(plain.header("Content-Type")?.contains("/") == true, "\(path)")
                let asked = [("Accept-Encoding", "gzip, br")]
                let gzip = try await client.get("/app/\(version)/\(path)", headers: asked, expect: .ok)
                if gzip.header("Content-Encoding") == "gzip" {
                    #expect(Gunzip.inflate(gzip.response.body, limit: bytes.count) == bytes, "\(path)")
                    #expect(gzip.etag != plain.etag, "\(path)")
                    #expect(plain.header("Vary") == "Accept-Encoding" && gzip.header("Vary") == "Accept-Encoding")
                } else {
                    #expect(gzip.response.body == bytes && gzip.etag == plain.etag, "\(path)")
                }
                for answer in [plain, gzip] {
                    let tag = [("If-None-Match", try #require(answer.etag))]
                    let again = try await client.get("/app/\(version)/\(path)", headers: tag + asked)
                    #expect(again.status == (answer.etag == gzip.etag ? .notModified : .ok), "\(path)")
                }
                served += 1
            }
            #expect(served > 2)
        }
    }

    @Test func `nothing else is there, whatever the path says`() async throws {
        try await withApp { app, client in
            let version = try WebClient.files.get().version
            for path in [
                "", "..", "../index.html", "index.html", "sw.js", "../sw.js", "%2e%2e/sw.js", "%2e%2e%2fsw.js",
                "..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", "../../../../../../etc/passwd", "/etc/passwd",
                "%2Fetc%2Fpasswd", "languages", "languages/", "languages/../app.js", "./app.js", "app.js/", "app.js%00",
                "APP.JS", "app.js.gz", ".", "languages//en.json", "languages%5Cen.json",
            ] {
                let answer = try await client.get("/app/\(version)/\(path)")
                #expect([.notFound, .badRequest].contains(answer.status), "\(path)")
            }
            for other in ["x", "..", String(version.dropLast()), version + "x", version.lowercased() + "_"] {
                try await client.get("/app/\(other)/app.js", expect: .notFound)
            }
            try await client.get("/app/\(version)/app.js?v=1", expect: .badRequest)
        }
    }

    @Test func `the document of a pin tells nothing of it`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop("Secret garden")
            let first = try await client.get("/", expect: .ok)
            let ids = [pin.id.description, "1", "-", "9223372036854775808", "%3Cscript%3E", "a?b=c"]
            for id in ids {
                let answer = try await client.get("/p/\(id)", expect: .ok)
                #expect(answer.response.body == first.response.body, "\(id)")
                #expect(answer.response.headers == first.response.headers, "\(id)")
            }
            for path in ["/p", "/p/", "/p/1/2"] { try await client.get(path, expect: .notFound) }
        }
    }

    @Test func `the document runs its own scripts alone`() async throws {
        try await withApp { app, client in
            let version = try WebClient.files.get().version
            for path in ["/", "/sw.js"] {
                let answer = try await client.get(path, expect: .ok)
                let policy = try #require(answer.header("Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self';"))
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
                #expect(answer.header("Cache-Control") == "no-cache")
                #expect(!answer.text.contains("{{") && answer.text.contains(version))
                let tag = [("If-None-Match", try #require(answer.etag))]
                let again = try await client.get(path, headers: tag)
                #expect(again.status == .notModified && again.response.body.isEmpty)
            }
            let page = try await client.get("/", expect: .ok)
            #expect(page.header("Referrer-Policy") == "no-referrer")
            #expect(page.text.range(of: #"<style|\s(style|on[a-z]+)\s*="#, options: .regularExpression) == nil)
            #expect(page.text.range(of: #"(src|href)="(https?:)?//"#, options: .regularExpression) == nil)
            #expect(page.text.range(of: #"<script(?![^>]*\ssrc=)"#, options: .regularExpression) == nil)
            // What it asks for is there.
            for match in page.text.matches(of: #/(?:src|href)="(\/[^"]*)"/#) {
                try await client.get(String(match.1), expect: .ok)
            }
        }
    }

    @Test func `the service worker knows all that the shell is made of`() async throws {
        try await withApp { app, client in
            let files = try WebClient.files.get()
            let worker = try await client.get("/sw.js", expect: .ok)
            #expect(worker.header("Service-Worker-Allowed") == "/")
            let list = try #require(worker.text.firstMatch(of: #/\["\/".*?\]/#)).0
            let paths = try JSONDecoder().decode([String].self, from: Data(list.utf8))
            for path in paths { try await client.get(path, expect: .ok) }
            #expect(Set(paths).count == paths.count)
            let expected = files.files.keys.map { "/app/\(files.version)/\($0)" } + ["/", "/manifest.webmanifest"]
            #expect(Set(paths) == Set(expected))
        }
    }

    @Test func `the version is another when any file is`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: Self.source, toPath: "\(folder)/Client")
        try FileManager.default.createDirectory(atPath: "\(folder)/web", withIntermediateDirectories: true)
        func version(_ mapLibre: String? = nil) throws -> String {
            try ClientFiles(folder: "\(folder)/Client", mapLibre: mapLibre).version
        }
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        var versions = [try version()]
        #expect(try version() == versions[0] && versions[0].count == 16)
        try write("more", "Client/app.js")
        versions.append(try version())
        try write("more", "Client/languages/en.json")
        versions.append(try version())
        try write("new", "Client/new.js")
        versions.append(try version())
        try FileManager.default.moveItem(atPath: "\(folder)/Client/new.js", toPath: "\(folder)/Client/renamed.js")
        versions.append(try version())
        try write("{{version}} {{files}}", "Client/sw.js")
        versions.append(try version())
        try write("map", "web/maplibre-gl.js")
        try write("map", "web/maplibre-gl.css")
        versions.append(try version("\(folder)/web"))
        #expect(Set(versions).count == versions.count)

        // A link in the folder's place, as for work on the client.
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/pinfold_PinfoldServer.resources", withDestinationPath: folder)
        let found = try ClientFolder.load(beside: URL(filePath: folder), origins: ["https://tiles.example.org"])
        #expect(found.hasMapLibre && found.files["maplibre/maplibre-gl.js"]?.bytes == Array("map".utf8))
        let page = found.index.response(to: Request(id: "", method: "GET", path: "/"))
        let policy = page.header("Content-Security-Policy")
        #expect(policy?.contains("connect-src 'self' https://tiles.example.org;") == true)
    }

    @Test func `a client that is not there is named`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func message(_ body: () throws -> ClientFiles) -> String {
            do {
                _ = try body()
                return ""
            } catch { return String(describing: error) }
        }
        let nowhere = message { try ClientFolder.load(beside: URL(filePath: folder)) }
        #expect(nowhere.contains("pinfold_PinfoldServer.resources") && !nowhere.contains("\n"))
        #expect(message { try ClientFiles(folder: folder, mapLibre: nil) }.contains("index.html"))
    }
}
