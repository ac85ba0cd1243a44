import Foundation
import SocialModel

@testable import PinfoldClient

extension RetryPolicy {
    /// As apps have it, without their waits.
    static let quick = RetryPolicy(attempts: 4, base: .milliseconds(1), cap: .seconds(5))
}

extension NewAccount {
    static func test(_ username: String) -> NewAccount {
        NewAccount(username: username, email: "\(username)@example.org", password: "\(username) secret")
    }
}

extension PinfoldClient {
    /// A client of a server on this machine. Its deadlines are far off, because a test's next step may have to wait for
    /// other tests.
    static func test(
        port: UInt16, retry: RetryPolicy = .quick, tokens: any TokenStore = MemoryTokenStore(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> PinfoldClient {
        // A number is always part of a URL.
        let url = URL(string: "http://127.0.0.1:\(port)")!
        let configuration = Configuration(baseURL: url, retry: retry, timeout: 600, liveTimeout: 600)
        return PinfoldClient(configuration, tokens: tokens, now: now)
    }
}

extension MemoryTokenStore {
    /// A session that only a scripted server knows.
    static let scripted = Tokens(
        user: Identifier(1), access: "access-0", refresh: "refresh-0", expiresAt: .distantFuture)
}
