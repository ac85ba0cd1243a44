import HTTP
import SocialModel
import Storage

/// Which tokens follow a refresh token that came as a cookie: always the same.
///
/// All windows of a browser have one session and may renew it at once. Each is given the same new tokens, in whatever
/// order they ask and their answers arrive, so none leaves the browser with tokens that another's request has replaced.
struct CookieSuccession: Sendable {
    /// For how long a window may be late behind another, in milliseconds. A refresh token that is used later than that
    /// after its successor was stolen or replayed.
    static let leeway: Int64 = 60_000
    private let key: [UInt8]

    init(secret: [UInt8]) {
        key = blake2b(Array("session cookies".utf8), key: secret)
    }

    /// Nobody can tell them without the key.
    func tokens(after refreshToken: some StringProtocol) -> TokenPair {
        func token(_ purpose: String) -> String {
            base64URL(blake2b(Array("\(purpose) \(refreshToken)".utf8), key: key))
        }
        return TokenPair(access: token("access"), refresh: token("refresh"))
    }

    /// Renews the session of a refresh token, or gives its tokens again to a window that comes late.
    ///
    /// - Returns: the tokens that are good from now on; nil if the token was refused, and its session has ended then if
    ///   it was one that had been replaced.
    func renew(
        _ refreshToken: some StringProtocol, in write: WriteTransaction
    ) throws -> (account: Identifier<User>, tokens: TokenPair)? {
        guard let place = try Session.Place(of: refreshToken, in: write) else { return nil }
        let next = tokens(after: refreshToken)
        if let given = try Session.Place(of: next.refresh, in: write),
            !place.isReplayed || write.now - given.issuedAt < Self.leeway,
            let latest = try latest(from: next, at: given, in: write)
        {
            if given.latest > given.confirmed {
                // Nobody has used them: the answer with them may have been lost long ago.
                try Session.store(latest, of: place.session, generation: given.latest, in: write)
            }
            return (place.account, latest)
        }
        let outcome =
            try place.isReplayed ? Session.end(place, in: write) : Session.renew(place, with: next, in: write)
        guard case .renewed(let account) = outcome else { return nil }
        return (account, next)
    }

    /// The last tokens of those that follow each other from `tokens` on.
    private func latest(
        from tokens: TokenPair, at place: Session.Place, in write: WriteTransaction
    ) throws -> TokenPair? {
        var (tokens, generation) = (tokens, place.generation)
        while generation < place.latest {
            tokens = self.tokens(after: tokens.refresh)
            guard let next = try Session.Place(of: tokens.refresh, in: write) else { return nil }
            generation = next.generation
        }
        return tokens
    }
}
