import Foundation
import Testing

/// `pinfold import`, with and without a server on the folder.
@Suite struct ImportTests {
    private static func rows(_ range: Range<Int>, name: String = "Place") -> String {
        "id,name,lat,lon\n" + range.map { "\($0),\(name) \($0),\(Double($0) / 1000),20\n" }.joined()
    }

    private func run(_ folder: DataFolder, _ words: String...) throws -> ChildProcess {
        let process = try Pinfold.start(["import"] + words + ["--data", folder.path])
        _ = try process.wait(within: .seconds(120))
        return process
    }

    @Test func `a file is imported without a server, then with one, and all see it`() throws {
        let folder = try DataFolder()
        let file = folder.file("places.csv")
        try Self.rows(0..<2_000).write(toFile: file, atomically: true, encoding: .utf8)
        let tried = try run(folder, file, "--dataset", "places", "--dry-run")
        #expect(tried.ending == .exit(0), "\(tried.error)")
        #expect(tried.output.contains("2000 rows read, 2000 inserted") && tried.output.contains("dry run"))
        let first = try run(folder, file, "--dataset", "places", "--title", "Places", "--attribution", "Nobody")
        #expect(first.ending == .exit(0), "\(first.error)")
        #expect(
            first.output == "places: 2000 rows read, 2000 inserted, 0 updated, 0 unchanged, 0 removed, 0 rejected\n")

        let server = try RunningServer(folder, "--gazetteer", try SmallGazetteer.write(to: folder))
        struct Dataset: Decodable {
            let count: Int
            let version: Int
            let attribution: String?
        }
        func dataset() throws -> Dataset {
            try server.stranger.send("GET", "/v1/datasets/places").decoded(Dataset.self)
        }
        #expect(try dataset().count == 2_000 && dataset().attribution == "Nobody")
        try (Self.rows(0..<1_900) + "x,Bad,91,0\n1,Twice,1,1\n").write(toFile: file, atomically: true, encoding: .utf8)
        let second = try run(folder, file, "--dataset", "places")
        #expect(second.ending == .exit(0), "\(second.error)")
        #expect(
            second.output.contains("1902 rows read, 0 inserted, 0 updated, 1900 unchanged, 100 removed, 2 rejected"))
        #expect(second.error.contains("row 1902: ") && second.error.contains("row 1903: key is that of an earlier row"))
        #expect(try dataset().count == 1_900 && dataset().version == 2)

        // What would remove too much, is no file, or is not known here, changes nothing.
        try Self.rows(0..<10).write(toFile: file, atomically: true, encoding: .utf8)
        for (words, status, part) in [
            ([file, "--dataset", "places"], 1, "lacks 1890 of the dataset's 1900"),
            ([file, "--dataset", "places", "--strict", "--map", "name=nothing"], 1, "nothing"),
            ([folder.path, "--dataset", "places"], 1, "no file"), (["/nowhere", "--dataset", "places"], 1, "no file"),
            ([file], 2, "--dataset"), ([file, "--dataset", "A"], 2, "--dataset must be"),
            ([file, "--dataset", "places", "--max-removed", "x"], 2, "--max-removed must be"),
            ([file, "--dataset", "places", "--map", "name"], 2, "--map must be"), ([], 2, "one FILE"),
        ] {
            let process = try Pinfold.start(["import"] + words + ["--data", folder.path])
            #expect(try process.wait(within: .seconds(60)) == .exit(Int32(status)), "\(words)")
            #expect(process.error.contains(part), "\(process.error)")
        }
        #expect(try dataset().count == 1_900)
        try server.stop()
    }

    @Test func `an import that was killed is done when the server starts`() throws {
        let folder = try DataFolder()
        let file = folder.file("places.csv")
        try Self.rows(0..<60_000).write(toFile: file, atomically: true, encoding: .utf8)
        let gazetteer = try SmallGazetteer.write(to: folder)
        let server = try RunningServer(folder, "--gazetteer", gazetteer)
        let command = try Pinfold.start(["import", file, "--dataset", "places", "--data", folder.path])
        struct Datasets: Decodable {
            struct Dataset: Decodable { let count: Int }
            let items: [Dataset]
        }
        // As soon as it has begun, or at some later moment: nobody sees a part of it.
        _ = try eventually("the job to be taken", within: .seconds(30)) {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/imports").contains {
                !$0.hasPrefix(".")
            }
                ? true : nil
        }
        usleep(150_000)
        server.process.send(SIGKILL)
        _ = try server.process.wait()
        _ = try command.wait(within: .seconds(60))
        let next = try RunningServer(folder, "--gazetteer", gazetteer)
        _ = try eventually("the import to be done", within: .seconds(120)) {
            let items = try next.stranger.send("GET", "/v1/datasets").decoded(Datasets.self).items
            #expect(items.isEmpty || items.first?.count == 60_000)
            usleep(50_000)
            return items.first?.count == 60_000 ? true : nil
        }
        try next.stop()
    }
}
