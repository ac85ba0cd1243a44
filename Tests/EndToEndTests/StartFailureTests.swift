import Foundation
import PinfoldServer
import Storage
import Testing

/// A start that cannot be: one clear line, exit status 1, nothing touched.
@Suite(.ownThreads) struct StartFailureTests {
    /// Starts the server and expects it to refuse in one line that has `words`, leaving the folder as it was.
    private func expectRefusal(
        _ folder: DataFolder, _ words: String..., options: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let names = try folder.names
        let bytes = FileManager.default.contents(atPath: folder.database)
        let process = try Pinfold.start(["serve", "--data", folder.path, "--port", "0"] + options)
        #expect(try process.wait() == .exit(1), sourceLocation: sourceLocation)
        Self.expectOneLine(process, words, sourceLocation)
        #expect(FileManager.default.contents(atPath: folder.database) == bytes, sourceLocation: sourceLocation)
        #expect(try folder.names == names, sourceLocation: sourceLocation)
    }

    static func expectOneLine(_ process: ChildProcess, _ words: [String], _ sourceLocation: SourceLocation) {
        let error = process.error
        #expect(process.output == "", sourceLocation: sourceLocation)
        #expect(error.hasPrefix("pinfold "), "\(error)", sourceLocation: sourceLocation)
        #expect(error.hasSuffix("\n") && error.count { $0 == "\n" } == 1, "\(error)", sourceLocation: sourceLocation)
        #expect(error.count < 300, "\(error)", sourceLocation: sourceLocation)
        for word in words { #expect(error.contains(word), "\(error)", sourceLocation: sourceLocation) }
        for word in ["SELECT", "PRAGMA", "Error(", ".swift", "NSCocoa", "Fatal", "(null)", ": Success"] {
            #expect(!error.contains(word), "\(error)", sourceLocation: sourceLocation)
        }
    }

    @Test func `a folder that another server has`() throws {
        let folder = try DataFolder(.demo)
        let server = try RunningServer(folder)
        try expectRefusal(folder, folder.database, "in use by another process")
        #expect(try server.stranger.send("GET", "/ready").status == 200)
        _ = try server.signUp("ana").dropPin("still here")
        try server.stop()
    }

    @Test func `a program that was moved without the web client, and one with it`() throws {
        let folder = try DataFolder()
        let place = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Pinfold.program, toPath: place.file("pinfold"))
        let words = [place.file("pinfold"), "serve", "--data", folder.path, "--port", "0"]
        let gazetteer = ["--gazetteer", Pinfold.sources.appending(path: "data/gazetteer.tsv.zst").path]
        let alone = try ChildProcess(words + gazetteer)
        #expect(try alone.wait() == .exit(1))
        Self.expectOneLine(alone, ["web client", "pinfold_PinfoldServer.resources"], #_sourceLocation)
        #expect(try !folder.names.contains("pinfold.db"))

        let name = "pinfold_PinfoldServer.resources"
        let resources = URL(filePath: Pinfold.program).deletingLastPathComponent().appending(path: name).path
        try FileManager.default.copyItem(atPath: resources, toPath: place.file(name))
        let process = try ChildProcess(words + gazetteer)
        let port = try eventually("the server to start") {
            guard process.ending == nil else { throw Failure("the server ended: \(process.error)") }
            return process.output.firstMatch(of: /127\.0\.0\.1:([0-9]+)\//).flatMap { UInt16($0.1) }
        }
        let page = try Client(port: port).send("GET", "/")
        #expect(page.status == 200 && page.text.contains("<title>Pinfold"))
        process.send(SIGTERM)
        #expect(try process.wait() == .exit(0))
    }

    @Test func `a read-only database`() throws {
        let folder = try DataFolder(.demo)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.database)
        try expectRefusal(folder, folder.database, "read-only")
    }

    @Test func `a file that is no database, and one of another program`() throws {
        let folder = try DataFolder(.demo)
        for contents in [Data("hello".utf8), Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })] {
            try contents.write(to: URL(filePath: folder.database))
            try expectRefusal(folder, folder.database, "is not a database")
        }
        try FileManager.default.removeItem(atPath: folder.database)
        try FileManager.default.copyItem(atPath: folder.file("places.db"), toPath: folder.database)
        try expectRefusal(folder, folder.database)
    }

    @Test func `a truncated database, and one with a page overwritten`() throws {
        let folder = try DataFolder(.demo)
        let whole = try #require(FileManager.default.contents(atPath: folder.database))
        for length in [60, 4_096, whole.count / 2, whole.count - 4_096, whole.count - 1] {
            try whole.prefix(length).write(to: URL(filePath: folder.database))
            try expectRefusal(folder, folder.database, "damaged")
        }
        var bytes = whole
        bytes.replaceSubrange(100..<3_000, with: Data(repeating: 0xa5, count: 2_900))
        try bytes.write(to: URL(filePath: folder.database))
        try expectRefusal(folder, folder.database, "damaged")
    }

    @Test func `a database of a newer version`() throws {
        let folder = try DataFolder(.demo)
        let next = Migration(name: "of next year", sql: "CREATE TABLE nextYear (id INTEGER PRIMARY KEY) STRICT")
        try DatabasePool(
            Schema.configuration(path: folder.database, clock: { 0 }), migrations: Schema.migrations + [next]
        ).close()
        try expectRefusal(folder, folder.database, "newer version")
    }

    @Test func `a data folder that cannot be made`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("in the way")
        try Data("mine".utf8).write(to: URL(filePath: file))
        for (path, reason) in [
            (file, "File exists"), (file + "/below", "Not a directory"), ("/proc/pinfold", "No such file"),
        ] {
            let process = try Pinfold.run("serve", "--port", "0", "--data", path)
            #expect(process.ending == .exit(1))
            Self.expectOneLine(process, ["the data folder \(path) cannot be made", reason], #_sourceLocation)
        }
        #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
    }

    @Test func `a port that is taken`() throws {
        let server = try RunningServer(DataFolder())
        let folder = try DataFolder(.demo)
        let before = FileManager.default.contents(atPath: folder.database)
        let process = try Pinfold.run("serve", "--data", folder.path, "--port", "\(server.port)")
        #expect(process.ending == .exit(1))
        Self.expectOneLine(process, ["port \(server.port)", "in use"], #_sourceLocation)
        #expect(FileManager.default.contents(atPath: folder.database) == before)
        #expect(try server.stranger.send("GET", "/ready").status == 200)
        try RunningServer(folder).stop()
        try server.stop()
    }

    @Test func `an address that is not this machine's`() throws {
        let folder = try DataFolder(.demo)
        let process = try Pinfold.run("serve", "--data", folder.path, "--port", "0", "--host", "192.0.2.1")
        #expect(process.ending == .exit(1))
        Self.expectOneLine(process, ["192.0.2.1"], #_sourceLocation)
    }

    @Test func `a gazetteer that is missing or damaged`() throws {
        let folder = try DataFolder(.nothing)
        let file = folder.file("gazetteer")
        let data = Pinfold.sources.appending(path: "data")
        for name in ["borders.zones.zst", "borders.divisions.zst"] {
            try FileManager.default.copyItem(
                atPath: data.appending(path: name).path, toPath: folder.file(name))
        }
        let whole = try #require(
            FileManager.default.contents(atPath: data.appending(path: "gazetteer.tsv.zst").path))
        var flipped = whole
        flipped.replaceSubrange(5_000..<5_100, with: Data(repeating: 0xa5, count: 100))
        for contents in [nil, Data(), Data("hello".utf8), whole.prefix(50_000), flipped] {
            try? FileManager.default.removeItem(atPath: file)
            try contents?.write(to: URL(filePath: file))
            for command in ["serve", "demo"] {
                let process = try Pinfold.run(command, "--data", folder.path, "--gazetteer", file)
                #expect(process.ending == .exit(1))
                Self.expectOneLine(process, [file], #_sourceLocation)
            }
            let left = try folder.names
            #expect(!left.contains { $0.contains("places") }, "\(left)")
            let reverse = try Pinfold.run("reverse", "44.9551", "-93.1022", "--gazetteer", file)
            #expect(reverse.ending == .exit(1))
            Self.expectOneLine(reverse, [file], #_sourceLocation)
        }
    }
}
