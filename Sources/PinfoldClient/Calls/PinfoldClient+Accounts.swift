import Foundation
import SocialModel

extension PinfoldClient {
    /// Makes an account and signs it in here. Not repeated when the answer is lost: try to sign in then.
    ///
    /// - Throws: `PinfoldError` with `already-taken` (409) and the field, `invite-needed`, `registration-closed`.
    @discardableResult
    public func signUp(_ account: NewAccount) async throws -> User {
        try await begin(try Call(.post, "/v1/users", access: .everyone).sending(account))
    }

    /// People whose username or display name starts with `prefix`, by username.
    public func users(startingWith prefix: String, pageSize: Int? = nil) -> Pages<User> {
        pages(Call(.get, "/v1/users").query("q", prefix), limit: pageSize)
    }

    /// Somebody's profile; 404 for those who have blocked the viewer.
    public func profile(of user: Identifier<User>) async throws -> Tagged<Profile> {
        try await tagged(Call(.get, "/v1/users/\(user)"))
    }

    /// One's own account.
    public func me() async throws -> Tagged<Me> { try await tagged(Call(.get, "/v1/me")) }

    /// One's own account; nil if it still has this tag.
    public func me(changedFrom tag: String?) async throws -> Tagged<Me>? {
        try await taggedIfChanged(Call(.get, "/v1/me").ifNoneMatch(tag))
    }

    /// Changes one's own account, if it still has this tag.
    public func changeMe(_ change: MeChange, ifUnchangedFrom tag: String? = nil) async throws -> Tagged<Me> {
        try await tagged(try Call(.patch, "/v1/me").sending(change, as: mergePatch).ifMatch(tag))
    }

    /// Deletes one's own account with all that it owns, for good, and signs out here.
    public func deleteMe(password: String) async throws {
        var call = try Call(.delete, "/v1/me").sending(["password": password])
        // Behind a lost answer there would be no account to ask with.
        call.isRepeatable = false
        _ = try await send(call)
        try await session.end(.here)
    }

    /// Changes one's password and ends the other sessions, and the API tokens unless they are to be kept. Not repeated: the
    /// second time `current` would be wrong.
    public func changePassword(
        from current: String, to new: String, keepingTokens keepTokens: Bool = false
    ) async throws {
        let body = PasswordBody(current: current, new: new, keepTokens: keepTokens)
        var call = try Call(.put, "/v1/me/password").sending(body)
        call.isRepeatable = false
        _ = try await send(call)
    }

    private struct PasswordBody: Encodable {
        let current: String
        let new: String
        let keepTokens: Bool
    }

    /// One's own privacy.
    public func privacy() async throws -> Tagged<Privacy> { try await tagged(Call(.get, "/v1/me/privacy")) }

    /// Changes one's own privacy, if it still has this tag.
    public func changePrivacy(
        _ change: PrivacyChange, ifUnchangedFrom tag: String? = nil
    ) async throws -> Tagged<Privacy> {
        try await tagged(try Call(.patch, "/v1/me/privacy").sending(change, as: mergePatch).ifMatch(tag))
    }

    /// Signs in by an answer that holds tokens.
    func begin(_ call: Call) async throws -> User {
        let answer: SignedIn = try await value(call)
        try await session.begin(answer)
        return answer.user
    }

    /// RFC 7396.
    var mergePatch: String { "application/merge-patch+json" }
}
