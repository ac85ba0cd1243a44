import Foundation
import Geo
import SocialModel
import Storage
import Testing

@testable import HTTP
@testable import PinfoldServer

extension Person {
    @discardableResult
    func send(
        _ method: String, _ path: String, body: [UInt8]?, headers: [(String, String)] = [], expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await client.send(
            method, path, body: body, token: token, headers: headers, expect: expect, sourceLocation: sourceLocation)
    }
}

extension TestApp {
    /// Somebody who may do all of it.
    func admin(_ client: Client) async throws -> Person {
        let boss = try await client.signUp("boss")
        try await database.write { try $0.run("UPDATE account SET role = 'admin' WHERE username = 'boss'") }
        return boss
    }

    /// Imports a file and gives the job at its end.
    func imports(_ file: String, _ query: String, _ person: Person) async throws -> JSON {
        let answer = try await person.send(
            "POST", "/v1/admin/imports?\(query)", body: Array(file.utf8), expect: .accepted)
        try await runImports()
        return try await person.get(try #require(answer.header("Location")), expect: .ok).json
    }

    /// Runs what waits, on a thread that may block.
    func runImports() async throws {
        let imports = app.imports
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try imports.runAll() }) }
            thread.start()
        }
        await app.landmarkNames.refreshed()
    }
}
