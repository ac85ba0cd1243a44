import SocialModel

extension PinfoldClient {
    /// Signs in here, by username or e-mail address.
    ///
    /// - Throws: `PinfoldError` 401 for an unknown login and a wrong password alike, 429 with `retryAfter`.
    @discardableResult
    public func signIn(login: String, password: String) async throws -> User {
        try await begin(
            try Call(.post, "/v1/sessions", access: .everyone).sending(["login": login, "password": password]))
    }

    /// Signs out here. The tokens are forgotten even if the server cannot be told, which is thrown; then the session
    /// stays in the list of sessions until it expires.
    public func signOut() async throws { try await end(Call(.delete, "/v1/sessions/current")) }

    /// Signs out on all devices, this one too; as `signOut` otherwise.
    public func signOutEverywhere() async throws { try await end(Call(.delete, "/v1/sessions")) }

    /// One's own sessions, the newest first.
    public func sessions(pageSize: Int? = nil) -> Pages<DeviceSession> {
        pages(Call(.get, "/v1/sessions"), limit: pageSize)
    }

    /// One of one's own sessions.
    public func deviceSession(_ id: Identifier<DeviceSession>) async throws -> Tagged<DeviceSession> {
        try await tagged(Call(.get, "/v1/sessions/\(id)"))
    }

    /// Signs a device out, if its session still has this tag.
    public func endDeviceSession(
        _ id: Identifier<DeviceSession>, ifUnchangedFrom tag: String? = nil
    ) async throws {
        _ = try await send(Call(.delete, "/v1/sessions/\(id)").ifMatch(tag))
    }

    private func end(_ call: Call) async throws {
        do { _ = try await send(call) } catch PinfoldError.signedOut {
            // What was wanted.
        } catch {
            try await session.end(.here)
            throw error
        }
        try await session.end(.here)
    }
}
