import Foundation

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "pinfold-e2e-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        _ = try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// What a test could not go on with.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Asks for `value` again and again until there is one.
///
/// - Throws: `Failure` saying what was waited for, after `limit`.
func eventually<T>(_ what: String, within limit: Duration = .seconds(60), _ value: () throws -> T?) throws -> T {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try value() { return value }
        guard ContinuousClock.now < end else { throw Failure("waited \(limit) in vain for \(what)") }
        usleep(5_000)
    }
}
