import SocialModel
import Testing

@Suite struct HarnessTests {
    @Test func `a fresh service has nobody, and what is dropped is there`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let pin = try await ben.drop("Ramen")
            #expect(try await ana.all("/v1/pins") == [pin.id.description])
            try await client.get("/v1/pins", expect: .unauthorized)
        }
    }
}
