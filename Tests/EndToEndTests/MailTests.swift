import Foundation
import Synchronization
import Testing

@Suite(.ownThreads) struct MailTests {
    /// The addresses that the messages in the outbox are to.
    private func recipients(_ folder: DataFolder) throws -> Set<String> {
        let outbox = folder.file("outbox")
        guard FileManager.default.fileExists(atPath: outbox) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: outbox).filter { $0.hasSuffix(".eml") }
        return Set(
            try names.map { name in
                let text = try String(contentsOfFile: "\(outbox)/\(name)", encoding: .utf8)
                let lines = text.components(separatedBy: "\r\n")
                guard lines.last == "", let to = lines.first(where: { $0.hasPrefix("To: <") }) else {
                    throw Failure("\(name) is no whole message: \(text)")
                }
                return String(to.dropFirst(5).dropLast())
            })
    }

    @Test func `every message that was promised comes, whatever kills the server`() throws {
        let folder = try DataFolder()
        var server = try RunningServer(folder, "--rate-limits", "off")
        let people = (0..<24).map { "guest\($0)" }
        for name in people { _ = try server.signUp(name) }
        var random = SplitMix(state: 5)
        for round in 0..<3 {
            let port = server.port
            let promised = Promises()
            let ended = DispatchGroup()
            for part in 0..<4 {
                ended.enter()
                Thread.detachNewThread {
                    defer { ended.leave() }
                    for index in stride(from: part, to: 24, by: 4) {
                        let email = "guest\(index)@example.org"
                        let answer = try? Client(port: port).send(
                            "POST", "/v1/password-resets", json: #"{"email": "\#(email)"}"#)
                        guard answer?.status == 202 else { return }
                        promised.emails.withLock { _ = $0.insert(email) }
                    }
                }
            }
            let some = Int.random(in: 1...12, using: &random)
            _ = try eventually("promises") { promised.emails.withLock { $0.count >= some } ? true : nil }
            server.process.send(SIGKILL)
            #expect(try server.process.wait() == .signal(SIGKILL))
            guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("a client did not end") }

            server = try RunningServer(folder, "--rate-limits", "off")
            let due = promised.emails.withLock { $0 }
            _ = try eventually("the messages of round \(round)") {
                try recipients(folder).isSuperset(of: due) ? true : nil
            }
            // So that the next round's are new ones.
            try FileManager.default.moveItem(atPath: folder.file("outbox"), toPath: folder.file("outbox-\(round)"))
        }
        let log = server.process.error
        #expect(!log.contains("example.org") && !log.contains("#reset="))
        try server.stop()
    }
}

/// Whom the server has said to write to.
private final class Promises: Sendable {
    let emails = Mutex<Set<String>>([])
}
