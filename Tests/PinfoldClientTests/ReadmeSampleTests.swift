import Foundation
import Geo
import PinfoldClient
import Testing

@Suite struct ReadmeSampleTests {
    /// What the README shows, to be compiled. It follows a server for ever, so it is not run.
    private func sample(url: URL, file: URL) async throws {
        let client = PinfoldClient(PinfoldClient.Configuration(baseURL: url))
        let user = try await client.signIn(login: "ana", password: "a long secret")
        let capitol = Coordinate(latitudeE7: 449_551_000, longitudeE7: -931_022_000)
        try await client.createPin(NewPin("State Capitol", at: capitol, rating: 5, category: .culture))
        for try await pin in client.pins(.near(capitol, metres: 5000), PinFilter(minRating: 4)) {
            print(pin.name, pin.distance ?? 0)
        }
        let cache = PinCache(file: file, account: user.id)
        try await cache.follow(client) { event in print(event) }
    }

    @Test func `the README's Swift is the sample that is compiled here`() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let source = try String(contentsOf: here, encoding: .utf8)
        let block = try #require(readme.firstMatch(of: /```swift\n((?s:.*?))```/)).1
        let indented = block.split(separator: "\n").map { "        \($0)\n" }.joined()
        #expect(source.contains("async throws {\n\(indented)    }\n"))
    }
}
