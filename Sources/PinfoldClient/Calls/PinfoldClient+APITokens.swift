import SocialModel

extension PinfoldClient {
    /// One's own API tokens, the newest first; those too that expired lately.
    public func apiTokens(pageSize: Int? = nil) -> Pages<APIToken> {
        pages(Call(.get, "/v1/me/tokens"), limit: pageSize)
    }

    /// One of one's own API tokens.
    public func apiToken(_ id: Identifier<APIToken>) async throws -> Tagged<APIToken> {
        try await tagged(Call(.get, "/v1/me/tokens/\(id)"))
    }

    /// Makes a token for a script, which stays good until it is revoked, or until `expiresAt`. Not repeated when the answer
    /// is lost: nobody has that token then, and it can be revoked.
    ///
    /// - Throws: `PinfoldError` with `too-many-tokens` (409).
    public func createAPIToken(
        _ name: String, scopes: Set<APIToken.Scope>, expiresAt: Timestamp? = nil
    ) async throws -> NewAPIToken {
        let body = APITokenBody(name: name, scopes: scopes.map(\.rawValue).sorted(), expiresAt: expiresAt)
        return try await value(try Call(.post, "/v1/me/tokens").sending(body))
    }

    /// Revokes a token, if it still has this tag.
    public func revokeAPIToken(_ id: Identifier<APIToken>, ifUnchangedFrom tag: String? = nil) async throws {
        _ = try await send(Call(.delete, "/v1/me/tokens/\(id)").ifMatch(tag))
    }

    private struct APITokenBody: Encodable {
        let name: String
        let scopes: [String]
        let expiresAt: Timestamp?
    }
}
