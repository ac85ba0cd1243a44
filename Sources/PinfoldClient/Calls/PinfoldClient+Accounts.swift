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

    /// Changes one's password and ends the other sessions. Not repeated: the second time `current` would be wrong.
    public func changePassword(from current: String, to new: String) async throws {
        var call = try Call(.put, "/v1/me/password").sending(["current": current, "new": new])
        call.isRepeatable = false
        _ = try await send(call)
    }

    /// Asks for a message with a link to a new password, to the address of an account. That there is such an account is
    /// not told.
    ///
    /// - Parameter language: what the message is written in, best first, as in `Accept-Language`; English if left out.
    /// - Throws: `PinfoldError` 429 with `retryAfter`.
    public func askForPasswordReset(email: String, language: String? = nil) async throws {
        var call = try Call(.post, "/v1/password-resets", access: .everyone).sending(["email": email])
        if let language { call = call.with("Accept-Language", language) }
        _ = try await send(call)
    }

    /// Chooses a new password by the token of such a link, which works once, and ends all sessions, this one too.
    ///
    /// - Throws: `PinfoldError` with `reset-invalid` (404) for a token that is unknown, used, replaced or too old.
    public func resetPassword(token: String, to password: String) async throws {
        let path = "/v1/password-resets/\(Call.pathPart(token))"
        _ = try await send(try Call(.post, path, access: .everyone).sending(["password": password]))
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
