import CSodium
import Foundation
import HTTP
import Testing

@testable import PinfoldServer

@Suite struct WebPageTests {
    /// The text of each element called `name`.
    private func elements(_ name: String, in page: String) -> [String] {
        page.components(separatedBy: "<\(name)>").dropFirst().compactMap {
            $0.components(separatedBy: "</\(name)>").first
        }
    }

    private func sha256(_ text: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, Array(text.utf8), UInt64(text.utf8.count))
        return Data(digest).base64EncodedString()
    }

    @Test(arguments: ["/docs"]) func `a page lets its own style and script run, and nothing else`(
        path: String
    ) async throws {
        try await withApp { app, client in
            let answer = try await client.send("GET", path, expect: .ok)
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("connect-src 'self'"))
            for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
                let texts = elements(element, in: answer.text)
                #expect(texts.count == 1, "one <\(element)> without attributes")
                #expect(policy.contains("\(directive) 'sha256-\(sha256(try #require(texts.first)))';"))
            }
            // What the policy would forbid, were it there.
            let markup = elements("body", in: answer.text).first?.components(separatedBy: "<script>").first ?? ""
            #expect(markup.count > 200)
            #expect(markup.range(of: #"\s(style|on[a-z]+)\s*="#, options: .regularExpression) == nil)
            #expect(answer.text.range(of: #"(src|href)="(https?:)?//"#, options: .regularExpression) == nil)
            #expect(
                answer.text.range(of: #"innerHTML|outerHTML|insertAdjacentHTML|eval\("#, options: .regularExpression)
                    == nil)
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Referrer-Policy") == "no-referrer")
            let again = try await client.send("GET", path, headers: [("If-None-Match", try #require(answer.etag))])
            #expect(again.status == .notModified && again.response.body.isEmpty)
        }
    }

    @Test func `everybody the demo names is one of its people`() {
        let world = DemoWorld.saintPaul
        let people = Set(world.people.map(\.username))
        #expect(people.count == 6)
        let named =
            world.friendships.flatMap { [$0.first, $0.second] }
            + world.friendRequests.flatMap { [$0.sender, $0.addressee] }
            + world.blocks.flatMap { [$0.blocker, $0.blocked] } + world.pins.map(\.owner)
        #expect(Set(named).isSubset(of: people))
        #expect(Set(world.pins.map(\.category)).count == 7)
    }
}
