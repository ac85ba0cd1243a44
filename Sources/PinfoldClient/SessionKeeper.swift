import Foundation
import SocialModel

/// The tokens of the session: gives a good one to each call, and renews them once for all calls that wait.
actor SessionKeeper {
    private let store: any TokenStore
    private let renew: @Sendable (_ refreshToken: String) async throws -> SignedIn
    private let now: @Sendable () -> Date
    private var tokens: Tokens?
    private var isLoaded = false
    private var reason = SignedOutReason.never
    private var renewal: Task<Tokens, any Error>?
    private var observers: [UUID: AsyncStream<SessionState>.Continuation] = [:]

    /// How long before its end a token is renewed, so that it does not end on the way.
    private static let margin: TimeInterval = 60

    init(
        _ store: any TokenStore, now: @escaping @Sendable () -> Date,
        renew: @escaping @Sendable (_ refreshToken: String) async throws -> SignedIn
    ) {
        self.store = store
        self.now = now
        self.renew = renew
    }

    /// An access token that is not about to end, and is not the one that the server has just refused.
    ///
    /// - Throws: `PinfoldError.signedOut`; why the tokens could not be renewed.
    func accessToken(insteadOf refused: String? = nil) async throws -> String {
        guard let tokens = try await current() else { throw PinfoldError.signedOut }
        if tokens.access != refused, tokens.expiresAt.timeIntervalSince(now()) > Self.margin { return tokens.access }
        return try await renewed(tokens).access
    }

    /// Who is signed in.
    func state() async throws -> SessionState {
        _ = try await current()
        return stateNow
    }

    /// The state as it is, then each that it changes to.
    func states() async throws -> AsyncStream<SessionState> {
        _ = try await current()
        let (stream, continuation) = AsyncStream<SessionState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let key = UUID()
        observers[key] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forget(key) }
        }
        continuation.yield(stateNow)
        return stream
    }

    /// Takes over the session that an answer has started.
    func begin(_ answer: SignedIn) async throws {
        _ = try await current()
        let new = tokens(of: answer)
        try await store.save(new)
        adopt(new)
    }

    /// Forgets the tokens.
    func end(_ reason: SignedOutReason) async throws {
        isLoaded = true
        tokens = nil
        self.reason = reason
        announce()
        try await store.save(nil)
    }

    private func current() async throws -> Tokens? {
        if !isLoaded {
            let stored = try await store.load()
            // Another call may have loaded them meanwhile, or somebody signed in.
            if !isLoaded {
                isLoaded = true
                tokens = stored
            }
        }
        return tokens
    }

    /// One renewal, however many wait for it. It runs as a task of its own, so that a caller who gives up stops it for
    /// nobody else.
    private func renewed(_ old: Tokens) async throws -> Tokens {
        if let renewal { return try await renewal.value }
        let task = Task { try await self.replace(old) }
        renewal = task
        return try await task.value
    }

    private func replace(_ old: Tokens) async throws -> Tokens {
        defer { renewal = nil }
        do {
            // Repeated with the same token when no answer comes, which the API allows until a new token is used.
            let answer = try await renew(old.refresh)
            try requireUnchanged(old)
            let new = tokens(of: answer)
            try await store.save(new)
            try requireUnchanged(old)
            adopt(new)
            return new
        } catch let error as PinfoldError where error.status == 401 {
            try requireUnchanged(old)
            try await end(.ended)
            throw PinfoldError.signedOut
        }
    }

    /// Somebody may have signed out while an answer was awaited; then it is worth nothing.
    private func requireUnchanged(_ old: Tokens) throws {
        guard tokens == old else { throw PinfoldError.signedOut }
    }

    private func tokens(of answer: SignedIn) -> Tokens {
        Tokens(
            user: answer.user.id, access: answer.accessToken, refresh: answer.refreshToken,
            expiresAt: now().addingTimeInterval(TimeInterval(answer.expiresIn)))
    }

    private func adopt(_ new: Tokens) {
        let before = stateNow
        tokens = new
        isLoaded = true
        if stateNow != before { announce() }
    }

    private var stateNow: SessionState { tokens.map { .signedIn($0.user) } ?? .signedOut(reason) }

    private func announce() {
        for observer in observers.values { observer.yield(stateNow) }
    }

    private func forget(_ key: UUID) { observers[key] = nil }
}
