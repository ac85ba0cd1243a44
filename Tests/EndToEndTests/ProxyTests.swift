import Testing

@Suite(.ownThreads) struct ProxyTests {
    private struct Session: Decodable {
        let address: String
    }

    @Test(arguments: [("127.0.0.1/32", "203.0.113.7"), ("10.0.0.0/8", "127.0.0.1"), (nil, "127.0.0.1")])
    func `only a trusted proxy says who the client is`(block: String?, address: String) throws {
        let environment = block.map { ["PINFOLD_TRUSTED_PROXY": $0] } ?? [:]
        let server = try RunningServer(DataFolder(), environment: environment)
        // What stands before the proxy's own word is the client's.
        let ana = try server.signUp("ana", headers: ["X-Forwarded-For: 198.51.100.1, 203.0.113.7"])
        let sessions = try ana.send("GET", "/v1/sessions").decoded(Page<Session>.self).items
        #expect(sessions.map(\.address) == [address])
        try server.stop()
    }
}
