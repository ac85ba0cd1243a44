import Foundation
import Testing

@testable import HTTP

/// Bodies that go into files.
@Suite struct UploadTests {
    private final class Folder: Sendable {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "pinfold-upload-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
    }

    /// `/upload` says how long a body was and keeps it under the name in its query; `x-no: 1` is let in by nobody.
    private func server(_ folder: Folder) throws -> TestServer {
        let path = folder.path
        return try TestServer(routes: { router in
            let upload = Route.Upload(folder: path) { request in
                if request.header("x-no") != nil { throw HTTPError.notFound }
            }
            router.post(
                "/upload", bodyLimit: 3_000_000, upload: upload,
                .pool { request in
                    guard let upload = request.upload, request.body.isEmpty else { return .text("no file") }
                    if let name = request.queryText { try upload.keep(as: "\(path)/\(name)") }
                    return .text(String(upload.count))
                })
        })
    }

    @Test func `a body is written as it comes, whole or in chunks, and goes unless it is kept`() async throws {
        let folder = try Folder()
        let server = try server(folder)
        let body = String(repeating: "0123456789", count: 200_000)
        let head = "POST /upload?kept HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        let whole = try await server.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n", body, silence: patience)
        #expect(whole.statuses == [200] && whole.text.hasSuffix("\r\n\r\n2000000"))
        #expect(folder.names == ["kept"])
        #expect(FileManager.default.contents(atPath: folder.path + "/kept") == Data(body.utf8))

        let chunked = try await server.send(
            "POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
            "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n", silence: patience)
        #expect(chunked.statuses == [200] && chunked.text.hasSuffix("\r\n\r\n8"))
        #expect(try await eventually { folder.names == ["kept"] })
    }

    @Test func `nothing is written of what may not come or is too long, nor stays of what breaks off`() async throws {
        let folder = try Folder()
        let server = try server(folder)
        let head = "POST /upload HTTP/1.1\r\nHost: x\r\n"
        let refused = try await server.send(
            head + "x-no: 1\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n", silence: patience)
        #expect(refused.statuses == [404] && refused.isClosed)
        let long = try await server.send(
            head + "Expect: 100-continue\r\nContent-Length: 3000001\r\n\r\n", silence: patience)
        #expect(long.statuses == [413])
        let endless = try await server.send(
            head + "Transfer-Encoding: chunked\r\n\r\n", "2dc6c1\r\n" + String(repeating: "a", count: 3_000_001),
            silence: patience)
        #expect(endless.statuses == [413])
        // The client goes in the middle.
        do {
            let client = try await server.connect(sending: head + "Content-Length: 100\r\n\r\nabc")
            #expect(try await eventually { folder.names.count == 1 })
            _ = client
        }
        #expect(try await eventually { folder.names.isEmpty })
    }

    @Test func `a form's parts are found wherever its blocks end`() throws {
        let folder = try Folder()
        // The delimiter falls across the blocks in which it is looked for.
        for length in [0, 1, 5, (1 << 20) - 8, (1 << 20) - 3, (1 << 20) + 4, 2_500_000] {
            let file = [UInt8](repeating: 0x0D, count: length)
            let upload = try UploadedFile(folder: folder.path)
            func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try upload.append($0) } }
            try append(Array("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b\r\n".utf8))
            try append(Array("Content-Disposition: form-data; name=\"f\"; filename=\"x y.csv\"\r\n\r\n".utf8))
            try append(file)
            try append(Array("\r\n--b\r\ncontent-disposition: form-data; name=b\r\n\r\n\r\n--b--\r\n".utf8))
            let form = try MultipartFile(upload, contentType: "multipart/form-data; boundary=b")
            #expect(form.fields.map(\.name) == ["a", "b"] && form.fields.map(\.value) == ["one", ""])
            #expect(form.file?.fileName == "x y.csv" && form.file?.range.count == length)
            let range = try #require(form.file?.range)
            let part = try upload.extract(range, folder: folder.path)
            #expect(try part.read(at: 0, limit: length + 1) == file)
        }
        #expect(folder.names.isEmpty)
    }
}
