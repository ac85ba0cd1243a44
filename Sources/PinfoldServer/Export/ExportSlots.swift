import HTTP
import SocialModel
import Synchronization

/// How many exports an account has at a time, being written or being sent: each is a file on the server's disk for as
/// long as its client takes to read it.
final class ExportSlots: Sendable {
    private static let limit = 2
    private let taken = Mutex<[Identifier<User>: Int]>([:])
    private let isOn: Bool

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// One export of an account. It ends when nobody refers to this any more.
    final class Slot: Sendable {
        private let slots: ExportSlots
        private let account: Identifier<User>

        fileprivate init(_ slots: ExportSlots, _ account: Identifier<User>) {
            self.slots = slots
            self.account = account
        }

        deinit { slots.giveBack(account) }
    }

    /// - Throws: `HTTPError` 429 when the account has its number already.
    func take(_ account: Identifier<User>) throws -> Slot {
        try taken.withLock { taken in
            let count = taken[account] ?? 0
            guard !isOn || count < Self.limit else { throw HTTPError.tooManyRequests(retryAfter: 10) }
            taken[account] = count + 1
        }
        return Slot(self, account)
    }

    private func giveBack(_ account: Identifier<User>) {
        taken.withLock { taken in
            let count = (taken[account] ?? 1) - 1
            taken[account] = count == 0 ? nil : count
        }
    }
}
