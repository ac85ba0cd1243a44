import Foundation
import HTTP
import PinfoldServer

extension Command {
    static let demo = Command(
        name: "demo", summary: "Fills a new data folder with six people around Saint Paul and prints their logins.",
        options: [
            Option(name: "data", value: "DIR", help: "a folder without data (./var)"),
            Option(name: "host", value: "ADDRESS", help: "where it will be served; must be loopback (127.0.0.1)"),
            Option(name: "gazetteer", value: "FILE", help: "the bundled gazetteer (data/gazetteer.tsv.zst)"),
        ],
        run: { arguments in
            let configuration = try ServeConfiguration(arguments)
            guard configuration.isLoopback else {
                throw CommandFailure("the demo is for this machine only: --host must be loopback")
            }
            try startCrypto()
            let folder = try DataFolder(configuration.data)
            let loginsFile = folder.path + "/demo-logins.txt"
            if let logins = try? String(contentsOfFile: loginsFile, encoding: .utf8) {
                print(logins, terminator: "")
                return
            }
            if !FileManager.default.fileExists(atPath: folder.database) {
                try folder.loadGazetteer(configuration.gazetteer)
            }
            let app = try folder.open(configuration, log: nil)
            defer {
                app.landmarkNames.close()
                app.database.close()
                app.gazetteer?.close()
            }
            // A demo that was stopped before its one transaction has left a database without anything.
            guard try Demo.hasRoom(app) else {
                throw CommandFailure("\(folder.path) has data already; the demo wants a new folder")
            }
            let logins = try Demo.fill(app)
            try importLandmarks(folder, app)
            let width = logins.map(\.username.count).max() ?? 0
            let lines = logins.map { login in
                "  \(login.username.padding(toLength: width, withPad: " ", startingAt: 0))  \(login.password)"
            }
            let text = (["Demo logins of this folder (username, password):"] + lines).joined(separator: "\n") + "\n"
            let saved = FileManager.default.createFile(
                atPath: loginsFile, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            guard saved else { throw CommandFailure("\(loginsFile) cannot be written") }
            print(text, terminator: "")
        })

    /// The datasets that come with the program.
    private static func importLandmarks(_ folder: DataFolder, _ app: App) throws {
        guard let list = BundledFile.find("data/landmarks/datasets.json") else { return }
        let path = URL(fileURLWithPath: list).deletingLastPathComponent().path
        let worker = ImportWorker(
            app.database, folder: folder.imports, names: app.landmarkNames, categories: try folder.categories(),
            log: Log(descriptor: nil, clock: systemClock))
        for dataset in try JSONDecoder().decode(
            [BundledDataset].self, from: Data(contentsOf: URL(fileURLWithPath: list)))
        {
            let file = "\(path)/\(dataset.file)"
            var request = ImportRequest(dataset: dataset.name, fileName: dataset.file)
            (request.title, request.description) = (dataset.title, dataset.description)
            (request.licence, request.attribution) = (dataset.licence, dataset.attribution)
            request.sourceURL = dataset.sourceURL
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
            _ = try worker.run(request, path: file, bytes: Int64(size), watch: { _, _ in })
        }
    }

    /// A line of `data/landmarks/datasets.json`.
    private struct BundledDataset: Decodable {
        let name: String
        let file: String
        let title: String
        let description: String?
        let licence: String?
        let attribution: String?
        let sourceURL: String?
    }
}
