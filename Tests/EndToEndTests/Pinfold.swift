import Foundation

/// The built program.
enum Pinfold {
    /// It lies beside the bundle of tests, which is the program that runs.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "pinfold").path

    static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess([program] + arguments, environment: environment)
    }

    /// Runs it to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        let process = try start(arguments, environment: environment)
        _ = try process.wait()
        return process
    }
}

/// The data folder that `pinfold demo` fills once for all tests: loading the gazetteer takes seconds.
final class DemoFolder: Sendable {
    /// What the command printed.
    let logins: String
    let path: String

    static let filled = Result { try DemoFolder() }

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-e2e-demo-\(getpid())").path
        path = folder
        try? FileManager.default.removeItem(atPath: folder)
        atexit {
            if let folder = try? DemoFolder.filled.get() { try? FileManager.default.removeItem(atPath: folder.path) }
        }
        // Loading the gazetteer and its index takes a minute without optimization, and more beside other tests.
        let process = try Pinfold.start(["demo", "--data", folder])
        _ = try process.wait(within: .seconds(300))
        guard process.ending == .exit(0) else { throw Failure("the demo failed: \(process.error)") }
        logins = process.output
    }
}

/// A data folder of a test.
final class DataFolder: Sendable {
    private let folder: TemporaryFolder
    let path: String

    enum Contents {
        /// Nothing but the loaded gazetteer.
        case gazetteer
        /// The demo.
        case demo
        /// Not even the gazetteer.
        case nothing
    }

    init(_ contents: Contents = .gazetteer) throws {
        folder = try TemporaryFolder()
        path = folder.path
        let names: [String] =
            switch contents {
            case .gazetteer: ["places.db", "places.index"]
            case .demo: ["places.db", "places.index", "pinfold.db", "demo-logins.txt"]
            case .nothing: []
            }
        for name in names {
            let from = try DemoFolder.filled.get().path
            try FileManager.default.copyItem(atPath: "\(from)/\(name)", toPath: file(name))
        }
    }

    /// A folder that somebody else makes and removes, with the gazetteer outside of it.
    init(at path: String) throws {
        folder = try TemporaryFolder()
        self.path = path
        for name in ["places.db", "places.index"] {
            let places = folder.file(name)
            try FileManager.default.copyItem(atPath: "\(DemoFolder.filled.get().path)/\(name)", toPath: places)
            try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: places)
        }
    }

    var database: String { file("pinfold.db") }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// What lies in it, without locks, which stay behind as empty files.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasSuffix(".lock") }.sorted()
        }
    }
}
