import HTTP
import SocialModel
import Synchronization

/// How many exports there are at a time.
///
/// Of an account, being written or being sent: each is a file on the server's disk for as long as its client takes to
/// read it. Of all, being written: what else runs on the pool, such as signing in, must find a thread.
final class ExportSlots: Sendable {
    private struct State {
        var ofAccount: [Identifier<User>: Int] = [:]
        var writing = 0
    }

    private static let accountLimit = 2
    private static let writingLimit = 4
    private let state = Mutex(State())
    private let isLimited: Bool

    /// - Parameter isLimited: whether there is a limit for each account.
    init(isLimited: Bool) {
        self.isLimited = isLimited
    }

    /// One export of an account. It ends when nobody refers to this any more.
    private final class Slot: Sendable {
        private let slots: ExportSlots
        private let account: Identifier<User>

        init(_ slots: ExportSlots, _ account: Identifier<User>) {
            self.slots = slots
            self.account = account
        }

        deinit { slots.end(account) }
    }

    /// Writes an export of `account`, and keeps its place until it has been sent.
    ///
    /// - Parameter folder: where the file lies.
    /// - Throws: `HTTPError` 429 when the account has its number already, 503 when too many are being written; and what
    ///   `Spool` and `write` throw.
    func file(for account: Identifier<User>, in folder: String, _ write: (Spool) throws -> Void) throws -> BodyFile {
        try begin(account)
        let slot = Slot(self, account)
        defer { state.withLock { $0.writing -= 1 } }
        let spool = try Spool(folder: folder)
        try write(spool)
        return try spool.finish(companion: slot)
    }

    private func begin(_ account: Identifier<User>) throws {
        try state.withLock { state in
            let count = state.ofAccount[account] ?? 0
            guard !isLimited || count < Self.accountLimit else { throw HTTPError.tooManyRequests(retryAfter: 10) }
            guard state.writing < Self.writingLimit else { throw HTTPError.unavailable(retryAfter: 5) }
            state.ofAccount[account] = count + 1
            state.writing += 1
        }
    }

    private func end(_ account: Identifier<User>) {
        state.withLock { state in
            let count = (state.ofAccount[account] ?? 1) - 1
            state.ofAccount[account] = count == 0 ? nil : count
        }
    }
}
