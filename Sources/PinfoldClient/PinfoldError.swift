import Foundation
import SocialModel

/// Why a call came to nothing.
public enum PinfoldError: Error, Sendable {
    /// The server refused: RFC 9457. `retryAfter` is what its `Retry-After` says, in seconds.
    case refused(Problem, retryAfter: Int?)
    /// No answer came: no network, an unknown host, a connection that broke. Whether the server did what was asked is
    /// not known; calls that can be repeated without harm were, as often as the configuration says.
    case noAnswer(any Error)
    /// What came is no answer of this API: a captive portal, a proxy, or a server of another version.
    case unreadable(status: Int, reason: String)
    /// Nobody is signed in, or the session has ended: sign in again.
    case signedOut
    /// A live connection cannot go on from its cursor.
    case cursorExpired
    /// A value that the API could not be asked with, such as a base URL without a host.
    case invalidInput(String)

    /// The stable name of the server's problem, `not-found` of `/problems/not-found`; nil for other errors.
    public var slug: String? {
        guard case .refused(let problem, _) = self else { return nil }
        let prefix = "/problems/"
        return problem.type.hasPrefix(prefix) ? String(problem.type.dropFirst(prefix.count)) : problem.type
    }

    /// The HTTP status of a refusal; nil for other errors.
    public var status: Int? {
        switch self {
        case .refused(let problem, _): problem.status
        case .unreadable(let status, _): status
        case .noAnswer, .signedOut, .cursorExpired, .invalidInput: nil
        }
    }

    /// The fields at fault, when the server named them.
    public var faults: [Problem.Fault] {
        guard case .refused(let problem, _) = self else { return [] }
        return problem.errors ?? []
    }

    /// It does not exist, or not for this viewer; the API does not tell these apart.
    public var isNotFound: Bool { status == 404 }

    /// It has changed since the state that the call was based on (`If-Match`).
    public var isStale: Bool { status == 412 }

    /// The cursor is too old or of another database: ask for everything again.
    public var isCursorExpired: Bool {
        if case .cursorExpired = self { true } else { slug == "cursor-expired" }
    }

    /// The server may never have seen the request, or have done it all: an answer that did not come, or one that a
    /// gateway gave in its place.
    var leavesOutcomeOpen: Bool {
        switch self {
        case .noAnswer: true
        case .refused, .unreadable: [408, 502, 504].contains(status ?? 0)
        case .signedOut, .cursorExpired, .invalidInput: false
        }
    }
}

extension PinfoldError: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .refused(let problem, _):
            "\(problem.status) \(slug ?? ""): \(problem.detail ?? problem.title)"
        case .noAnswer(let error): "no answer: \(error)"
        case .unreadable(let status, let reason): "\(status), but not as this API answers: \(reason)"
        case .signedOut: "signed out"
        case .cursorExpired: "the cursor is too old"
        case .invalidInput(let reason): reason
        }
    }
}
