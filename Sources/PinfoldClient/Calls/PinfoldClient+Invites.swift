import SocialModel

extension PinfoldClient {
    /// One's own invites that have not expired, the newest first.
    public func invites(pageSize: Int? = nil) -> Pages<Invite> { pages(Call(.get, "/v1/invites"), limit: pageSize) }

    /// Makes a link that makes friends.
    ///
    /// - Parameters:
    ///   - seconds: how long it lives, 60 to 2,592,000; a week if left out.
    ///   - maxUses: how many may accept it, 1 to 100.
    public func createInvite(
        expiresIn seconds: Int? = nil, maxUses: Int = 1, key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Invite {
        struct Body: Encodable {
            var expiresIn: Int?
            var maxUses: Int
        }
        let body = Body(expiresIn: seconds, maxUses: maxUses)
        return try await value(try Call(.post, "/v1/invites").sending(body).once(key))
    }

    /// Who invites by this code, signed in or not; 404 for an invite that is unknown, used up or expired.
    public func invite(_ code: String) async throws -> InviteGreeting {
        try await value(Call(.get, "/v1/invites/\(Call.pathPart(code))", access: .signedInOrNot))
    }

    /// Becomes the friend of whoever made the invite. Again it changes nothing.
    ///
    /// - Throws: `PinfoldError` 404 for an invite that is unknown, used up or expired, `own-invite` (409).
    @discardableResult
    public func acceptInvite(_ code: String) async throws -> Friend {
        try await value(Call(.post, "/v1/invites/\(Call.pathPart(code))/accept").once(IdempotencyKey()))
    }

    /// Ends an invite of one's own. Friendships that it has made stay.
    public func deleteInvite(_ code: String) async throws {
        _ = try await send(Call(.delete, "/v1/invites/\(Call.pathPart(code))"))
    }
}
