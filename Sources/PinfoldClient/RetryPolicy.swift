import Foundation

/// How often a call is sent again, and how long to wait before.
///
/// Only calls that can be repeated without harm are: reads, `PUT`, `DELETE`, creations under an `Idempotency-Key`, and
/// changes under `If-Match`. They are repeated when no answer came, and at 408, 429, 502, 503 and 504.
public struct RetryPolicy: Sendable {
    /// How often a call is sent, the first time included.
    public var attempts: Int
    /// The wait before the first repetition is a random part of this; it doubles each time.
    public var base: Duration
    /// The longest wait. Where the server's `Retry-After` asks for more, the call fails and tells how long.
    public var cap: Duration

    /// Up to four times within some seconds, unless said otherwise.
    public init(attempts: Int = 4, base: Duration = .milliseconds(500), cap: Duration = .seconds(20)) {
        self.attempts = attempts
        self.base = base
        self.cap = cap
    }

    /// Nothing is sent twice.
    public static let never = RetryPolicy(attempts: 1)

    /// How long to wait after `error` of the attempt with this number, from 0; nil if the call is not to be repeated.
    func delay(after error: PinfoldError, attempt: Int) -> Duration? {
        guard attempt + 1 < attempts else { return nil }
        switch error {
        case .noAnswer: return backoff(attempt)
        case .refused(_, let retryAfter):
            guard [408, 429, 502, 503, 504].contains(error.status ?? 0) else { return nil }
            guard let retryAfter else { return backoff(attempt) }
            let asked = Duration.seconds(retryAfter)
            // On top of what is asked for, so that those who were refused together don't come together.
            return asked <= cap ? asked + backoff(0) : nil
        case .unreadable(let status, _): return [502, 503, 504].contains(status) ? backoff(attempt) : nil
        case .signedOut, .cursorExpired, .invalidInput: return nil
        }
    }

    /// A random time up to `base` doubled `attempt` times, at most `cap` ("full jitter": M. Brooker, Exponential Backoff
    /// And Jitter, AWS Architecture Blog, 2015).
    func backoff(_ attempt: Int) -> Duration {
        let most = min(cap, base * (1 << min(max(attempt, 0), 20)))
        return most * Double.random(in: 0...1)
    }
}
