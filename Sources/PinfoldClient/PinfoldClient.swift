import Foundation
import SocialModel

/// The API of one Pinfold server, for one person at a time: typed calls, tokens that renew themselves, and repetition of
/// what can be repeated without harm.
///
/// Calls may be made from any task, and end early with `CancellationError` when their task is cancelled. What they throw
/// otherwise is a `PinfoldError`, or what the token store throws.
public final class PinfoldClient: Sendable {
    /// Where the server is and how it is talked to.
    public struct Configuration: Sendable {
        /// `https://pins.example.org`; a path in it stays in front of the API's.
        public var baseURL: URL
        /// What the server's list of sessions shows of this device.
        public var userAgent: String
        /// How often a call is sent, and with what waits.
        public var retry: RetryPolicy
        /// The longest time without a byte from the server, in seconds.
        public var timeout: TimeInterval
        /// The longest time without a byte on the live connection, in seconds: more than the server's heartbeat.
        public var liveTimeout: TimeInterval

        /// The usual, but for what is given.
        public init(
            baseURL: URL, userAgent: String = "PinfoldClient/1.0", retry: RetryPolicy = RetryPolicy(),
            timeout: TimeInterval = 30, liveTimeout: TimeInterval = 75
        ) {
            self.baseURL = baseURL
            self.userAgent = userAgent
            self.retry = retry
            self.timeout = timeout
            self.liveTimeout = liveTimeout
        }
    }

    /// What the client was made with.
    public let configuration: Configuration
    let transport: Transport
    let session: SessionKeeper

    /// A client of the server at `configuration.baseURL`, with the session that `tokens` holds, if any.
    public convenience init(_ configuration: Configuration, tokens: any TokenStore = MemoryTokenStore()) {
        self.init(configuration, tokens: tokens, now: { Date() })
    }

    init(_ configuration: Configuration, tokens: any TokenStore, now: @escaping @Sendable () -> Date) {
        self.configuration = configuration
        let transport = Transport(configuration)
        self.transport = transport
        session = SessionKeeper(tokens, now: now) { refreshToken in
            let call = try Call(.post, "/v1/sessions/refresh", access: .everyone)
                .sending(["refreshToken": refreshToken]).repeatable
            let reply = try await Self.repeating(call, configuration.retry) {
                try await transport.send($0, token: nil)
            }
            guard reply.status < 400 else { throw reply.error }
            return try reply.decoded()
        }
    }

    deinit { transport.close() }

    /// Who is signed in.
    public var state: SessionState {
        get async throws { try await session.state() }
    }

    /// Who is signed in: as it is now, then each change.
    public var states: AsyncStream<SessionState> {
        get async throws { try await session.states() }
    }

    // MARK: How a call is made

    /// The answer of success to a call.
    ///
    /// - Throws: `PinfoldError`, `CancellationError`.
    func send(_ call: Call) async throws -> Reply {
        try await authorized(call) { try await transport.send($0, token: $1) }
    }

    /// The answer of success to a call, as a file.
    func download(_ call: Call, to destination: URL) async throws {
        _ = try await authorized(call) { try await transport.download($0, token: $1, to: destination) }
    }

    func value<Value: Decodable>(_ call: Call) async throws -> Value { try await send(call).decoded() }

    func tagged<Value: Decodable>(_ call: Call) async throws -> Tagged<Value> {
        let reply = try await send(call)
        return Tagged(try reply.decoded(), tag: reply.header("ETag"))
    }

    /// Nil if the resource still has the tag that `call` names.
    func taggedIfChanged<Value: Decodable>(_ call: Call) async throws -> Tagged<Value>? {
        let reply = try await send(call)
        return reply.status == 304 ? nil : Tagged(try reply.decoded(), tag: reply.header("ETag"))
    }

    func pages<Item: Decodable & Sendable>(_ call: Call, limit: Int?) -> Pages<Item> {
        Pages { cursor in
            try await self.value(call.query("limit", limit.map(String.init)).query("cursor", cursor))
        }
    }

    /// With a token, and with a new one if the server knows it no more. Renewing is repeated by itself, so that its
    /// failure is not taken for one of the call.
    private func authorized(
        _ call: Call, _ send: (Call, _ token: String?) async throws -> Reply
    ) async throws -> Reply {
        var token: String?
        switch call.access {
        case .everyone: break
        case .signedIn: token = try await session.accessToken()
        case .signedInOrNot:
            do {
                token = try await session.accessToken()
            } catch PinfoldError.signedOut {}
        }
        var reply = try await Self.repeating(call, configuration.retry) { try await send($0, token) }
        if reply.status == 401, let token {
            let fresh = try await session.accessToken(insteadOf: token)
            reply = try await Self.repeating(call, configuration.retry) { try await send($0, fresh) }
        }
        guard reply.status < 400 else { throw reply.error }
        return reply
    }

    /// The answer, once it is one of success or 401; other refusals are thrown.
    private static func repeating(
        _ call: Call, _ policy: RetryPolicy, _ send: (Call) async throws -> Reply
    ) async throws -> Reply {
        var attempt = 0
        var isOutcomeOpen = false
        while true {
            do {
                let reply = try await send(call)
                if reply.status < 400 || reply.status == 401 { return reply }
                // What was deleted by an attempt whose answer was lost is gone now.
                if isOutcomeOpen, call.method == .delete, reply.status == 404 { return Reply(status: 204) }
                throw reply.error
            } catch let error as PinfoldError {
                guard call.isRepeatable, let delay = policy.delay(after: error, attempt: attempt) else { throw error }
                isOutcomeOpen = isOutcomeOpen || error.leavesOutcomeOpen
                attempt += 1
                try await Task.sleep(for: delay)
            }
        }
    }
}
