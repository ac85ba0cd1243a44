import Dispatch
import SocialModel
import Storage
import Synchronization

/// The names of the pins of owners that were searched lately. It follows the event log.
///
/// What changed of an owner with few pins is read anew; of one with many the pins that changed are told, and are read one
/// by one.
final class PinNamesMemory: Sendable {
    private struct State {
        /// Up to here the log is followed.
        var sequence: Int64 = 0
        /// What was used since the last turn, and what only before it: at a turn that one goes.
        var young: [Int64: OwnerPinNames] = [:]
        var old: [Int64: OwnerPinNames] = [:]
        /// Pins of owners with many that have changed since they were read.
        var changed: [Int64: Set<Int64>] = [:]
        var youngBytes = 0
    }

    /// What is known of some owners.
    struct Known {
        /// In their order; nil for those that must be read.
        var names: [OwnerPinNames?]
        /// Pins that `names` has as they no longer are, or not yet.
        var changed: Set<Int64> = []
        /// Where the log ends in the snapshot.
        let end: Int64
    }

    private let state = Mutex(State())
    private let turnBytes: Int
    private let queue = DispatchQueue(label: "names of pins")
    private let waiting = Atomic(0)
    /// The most viewers for whom names wait to be read; whoever is turned away asks again with the next letter.
    private static let waitingLimit = 8
    private let manyPins: Int
    private let changeLimit: Int

    /// - Parameters:
    ///   - bytes: what the names may take together, about.
    ///   - manyPins: an owner with more pins is not read again for each change.
    ///   - changeLimit: but after so many.
    init(bytes: Int = 96 << 20, manyPins: Int = 500, changeLimit: Int = 100) {
        turnBytes = bytes / 2
        self.manyPins = manyPins
        self.changeLimit = changeLimit
    }

    /// What is known of the owners as they are in a snapshot.
    ///
    /// - Parameter end: where the log ends in it.
    func names(of owners: [Int64], at end: Int64, _ tail: LogTail, in read: some Transaction) throws -> Known {
        let start = state.withLock { $0.sequence }
        // Of an older snapshot than the last one: what has changed since is read from it.
        let (low, high) = (min(start, end), max(start, end))
        let limit: Int64 = end >= start ? 65_536 : 1000
        var entries: ArraySlice<LogEntry>?
        if high - low <= limit {
            // An older snapshot does not have the end of the log.
            entries =
                end < start
                ? tail.known(after: low, upTo: high) : try tail.entries(after: low, upTo: high, in: read)
        }
        let isWhole = entries.map { Int64($0.count) == high - low } ?? false
        return state.withLock { [entries] state in
            // Another reader, of a newer snapshot, may have been faster: what it knows of is not in `entries`.
            guard isWhole, let entries, state.sequence <= high else {
                if end >= state.sequence { state = State(sequence: end) }
                return Known(names: owners.map { _ in nil }, end: end)
            }
            var known = Known(names: [], end: end)
            if end > state.sequence, state.sequence == start {
                for entry in entries where entry.kind == .pin { note(entry, &state) }
                state.sequence = end
            } else {
                for entry in entries where entry.kind == .pin { known.changed.insert(entry.subject) }
            }
            known.names = owners.map { owner in
                if let names = state.young[owner] { return names }
                guard let names = state.old.removeValue(forKey: owner) else { return nil }
                Self.keep(names, turnBytes, &state)
                return names
            }
            for owner in owners {
                if let pins = state.changed[owner] { known.changed.formUnion(pins) }
            }
            return known
        }
    }

    /// Runs `body`, which reads names, on a thread of its own, one after the other.
    func later(_ body: @escaping @Sendable () -> Void) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingLimit else {
            waiting.subtract(1, ordering: .relaxed)
            return
        }
        queue.async { [self] in
            body()
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Keeps what was read in the snapshot of `known`, unless something has changed since.
    func keep(_ names: [OwnerPinNames], _ known: Known) {
        state.withLock { state in
            guard state.sequence == known.end else { return }
            for names in names {
                state.changed[names.ownerId] = nil
                Self.keep(names, turnBytes, &state)
            }
        }
    }

    private static func keep(_ names: OwnerPinNames, _ turnBytes: Int, _ state: inout State) {
        state.young[names.ownerId] = names
        state.youngBytes += names.bytes
        guard state.youngBytes > turnBytes else { return }
        state.old = state.young
        state.young = [:]
        state.youngBytes = 0
        state.changed = state.changed.filter { state.old[$0.key] != nil }
    }

    private func note(_ entry: LogEntry, _ state: inout State) {
        let owner = entry.account
        guard let names = state.young[owner] ?? state.old[owner] else { return }
        let changed = state.changed[owner]?.count ?? 0
        if names.pins.count > manyPins, changed < changeLimit {
            state.changed[owner, default: []].insert(entry.subject)
        } else {
            state.young[owner] = nil
            state.old[owner] = nil
            state.changed[owner] = nil
        }
    }
}
