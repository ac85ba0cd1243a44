import Synchronization

/// How much of the bodies of all requests is kept in memory at once. A body's first part is free, so that small requests
/// pass whatever others upload; what it has beyond is counted as it comes, until the request is done with.
final class BodyBudget: Sendable {
    /// Bytes of each body that don't count.
    static let free = 64 << 10

    private let limit: Int
    private let taken = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// What is counted now.
    var bytes: Int { taken.load(ordering: .relaxed) }

    /// The part of the budget that one body has. Used by one thread at a time; what it has goes back with it.
    final class Share {
        private let budget: BodyBudget
        private var counted = 0

        init(of budget: BodyBudget) {
            self.budget = budget
        }

        deinit { budget.taken.subtract(counted, ordering: .relaxed) }

        /// Makes room for a body of so many bytes; false if others have taken it.
        func grow(to bytes: Int) -> Bool {
            let more = max(0, bytes - BodyBudget.free) - counted
            guard more > 0 else { return true }
            counted += more
            return budget.taken.add(more, ordering: .relaxed).newValue <= budget.limit
        }
    }
}
