import Foundation
import Synchronization
import Testing

@testable import HTTP

/// Answers that are sent from a file.
@Suite struct FileAnswerTests {
    /// A folder whose files can be told from all others that this process has open.
    private final class Folder: Sendable {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "pinfold-spool-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

        /// How many descriptors this process has of its files, named or not.
        var descriptors: Int {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return all.filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return target?.hasPrefix(path) ?? false
            }.count
        }
    }

    /// Counts those that live.
    private final class Companion: Sendable {
        static let living = Mutex<[String: Int]>([:])
        let name: String

        init(_ name: String) {
            self.name = name
            Self.living.withLock { $0[name, default: 0] += 1 }
        }

        deinit { Self.living.withLock { $0[name, default: 0] -= 1 } }

        static func count(_ name: String) -> Int { living.withLock { $0[name] ?? 0 } }
    }

    /// Letters whose pattern fits no buffer.
    private static func text(_ length: Int) -> [UInt8] {
        let pattern = (0..<10_007).map { UInt8(97 + $0 % 26) }
        var text: [UInt8] = []
        text.reserveCapacity(length + pattern.count)
        while text.count < length { text.append(contentsOf: pattern) }
        return Array(text.prefix(length))
    }

    private static func answer(_ bytes: [UInt8], in folder: Folder, status: Int = 200) throws -> Response {
        let spool = try Spool(folder: folder.path)
        try spool.write(bytes)
        var response = Response.file("text/plain", try spool.finish(companion: Companion(folder.path)))
        response.status = status
        return response.with("ETag", "\"a\"")
    }

    private func server(
        _ folder: Folder, length: Int, status: Int = 200, _ configure: (inout Server.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer(
            configure,
            routes: { router in
                router.get("/file", .pool { _ in try Self.answer(Self.text(length), in: folder, status: status) })
            })
    }

    private static let get = "GET /file HTTP/1.1\r\nHost: x\r\n"
    private static let last = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    @Test(arguments: [0, 1, 4095, 4096, 65_537, 9_000_001])
    func aFileIsSentWhole(length: Int) async throws {
        let folder = try Folder()
        let server = try server(folder, length: length)
        let reply = try await server.send(Self.get + "\r\n" + Self.last, silence: patience)
        #expect(reply.statuses == [200, 200])
        #expect(reply.header("Content-Length") == String(length) && reply.header("Content-Type") == "text/plain")
        let isWhole = reply.body.hasPrefix(String(decoding: Self.text(length), as: UTF8.self) + "HTTP/1.1 200")
        #expect(isWhole)
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
        #expect(folder.names.isEmpty)
        #expect(server.records.exchanges.withLock { $0.first?.bytes } == length)
    }

    @Test func aHeadHasItsLengthAlone() async throws {
        let folder = try Folder()
        let server = try server(folder, length: 100_000)
        let reply = try await server.send(
            "HEAD /file HTTP/1.1\r\nHost: x\r\n\r\n" + Self.get + "If-None-Match: \"a\"\r\n\r\n" + Self.last,
            silence: patience)
        #expect(reply.statuses == [200, 304, 200])
        #expect(reply.header("Content-Length") == "100000")
        #expect(reply.text.utf8.count < 2000)
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
        #expect(server.records.exchanges.withLock { $0.map(\.bytes) } == [0, 0, 2])
    }

    @Test func noContentHasNoFile() async throws {
        let folder = try Folder()
        let server = try server(folder, length: 100, status: 204)
        let reply = try await server.send(Self.get + "\r\n" + Self.last, silence: patience)
        #expect(reply.statuses == [204, 200] && reply.text.utf8.count < 2000)
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
    }

    @Test func whoHangsUpMidwayLeavesNoFileOpen() async throws {
        let folder = try Folder()
        let server = try server(folder, length: 20_000_000)
        let port = server.port
        for _ in 0..<10 {
            let hasBegun = try await onThread {
                let client = try RawClient(port: port)
                client.send(Self.get + "\r\n")
                return client.read(until: "\r\n\r\n")
            }
            #expect(hasBegun)
        }
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
        #expect(try await eventually { server.server.openConnections == 0 })
        #expect(server.records.exchanges.withLock { $0.filter { !$0.isComplete }.count } == 10)
    }

    @Test func whoDoesNotReadIsCutWhenTheTimeForSoManyBytesIsUp() async throws {
        let folder = try Folder()
        let server = try server(folder, length: 20_000_000) {
            $0.bodyTime = .milliseconds(200)
            $0.bytesPerSecond = 1_000_000_000
        }
        let client = try await server.connect(sending: Self.get + "\r\n")
        #expect(try await eventually { server.records.exchanges.withLock { $0.map(\.isComplete) } == [false] })
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
        withExtendedLifetime(client) {}
    }

    @Test func anAnswerForNobodyLeavesNoFileOpen() async throws {
        let folder = try Folder()
        let server = try TestServer()
        do {
            _ = try await server.connect(sending: "GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        #expect(try await eventually { server.records.held.withLock { $0.count } == 1 })
        let complete = try #require(server.records.held.withLock { $0.popLast() })
        complete(.success(try Self.answer(Self.text(20_000_000), in: folder)))
        complete(.success(try Self.answer(Self.text(100), in: folder)))
        #expect(try await eventually { server.server.openConnections == 0 })
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
    }

    @Test func inProcessTheFileCanBeReadAsBytes() async throws {
        let folder = try Folder()
        var router = Router()
        router.get("/file", .pool { _ in try Self.answer(Self.text(70_000), in: folder) })
        func answer(_ method: String, _ headers: [Header] = []) async -> Response {
            await router.respond(
                to: Request(id: "0", method: method, path: "/file", headers: headers), respond: TestServer.problem)
        }
        #expect(await answer("GET").body == Self.text(70_000))
        #expect(await answer("HEAD").content.count == 0)
        let unchanged = await answer("GET", [Header("If-None-Match", "\"a\"")])
        #expect(unchanged.status == 304 && unchanged.content.count == 0)
        #expect(try await eventually { folder.descriptors == 0 && Companion.count(folder.path) == 0 })
    }

    @Test func aSpoolHoldsWhatWasWritten() throws {
        let folder = try Folder()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5 {
            let spool = try Spool(folder: folder.path)
            var expected: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                let limit = [3, 1000, 64 << 10, 200_000].randomElement(using: &random) ?? 1
                let length = Int.random(in: 0...limit, using: &random)
                let bytes = Self.text(length + 100).suffix(length).map { $0 &+ UInt8(expected.count & 127) }
                if Bool.random(using: &random), bytes.count <= expected.count {
                    let offset = Int.random(in: 0...(expected.count - bytes.count), using: &random)
                    try bytes.withUnsafeBytes { try spool.overwrite($0, at: offset) }
                    expected.replaceSubrange(offset..<offset + bytes.count, with: bytes)
                } else {
                    try spool.write(bytes)
                    expected += bytes
                }
                #expect(spool.count == expected.count)
            }
            #expect(folder.names.isEmpty)
            let file = try spool.finish()
            let isSame = file.bytes == expected && file.count == expected.count
            #expect(isSame)
        }
        _ = try Spool(folder: folder.path)
        #expect(folder.descriptors == 0)
        #expect(throws: SpoolFailure.self) { try Spool(folder: folder.path + "/nowhere") }
    }
}
