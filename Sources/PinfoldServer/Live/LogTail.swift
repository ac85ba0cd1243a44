import Storage
import Synchronization

/// The latest entries of the event log, for all who come back after a short while: they are read once.
final class LogTail: Sendable {
    private struct State {
        /// All entries behind this are here.
        var floor: Int64 = 0
        var end: Int64 = 0
        var entries: [LogEntry] = []
    }

    private let state = Mutex(State())

    /// The most entries that are kept; each takes 72 bytes.
    private static let capacity = 65_536

    /// The entries between two places.
    ///
    /// - Parameter end: of the log in the snapshot.
    /// - Returns: nil when some are not here.
    func entries(after start: Int64, upTo end: Int64, in read: some Transaction) throws -> ArraySlice<LogEntry>? {
        let known = state.withLock { $0.end }
        if end > known {
            let from = max(known, end - Int64(Self.capacity))
            let new = try LogEntry.all(after: from, upTo: end, in: read)
            state.withLock { state in
                // Another reader may have been faster, by all of it or by some.
                guard end > state.end else { return }
                if from > state.end { state = State(floor: from, end: from) }
                state.entries += new.drop { $0.sequence <= state.end }
                state.end = end
                let excess = state.entries.count - Self.capacity
                // Seldom, for it moves all.
                if excess > Self.capacity / 2 {
                    state.floor = state.entries[excess - 1].sequence
                    state.entries.removeFirst(excess)
                }
            }
        }
        return self.known(after: start, upTo: end)
    }

    /// The entries between two places, nil when some are not here; nothing is read.
    func known(after start: Int64, upTo end: Int64) -> ArraySlice<LogEntry>? {
        state.withLock { state in
            guard start >= state.floor, end <= state.end else { return nil }
            return state.entries[index(after: start, state.entries)..<index(after: end, state.entries)]
        }
    }

    private func index(after sequence: Int64, _ entries: [LogEntry]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
