import SocialModel
import Storage
import Synchronization

/// The pins of the owners that were asked for lately, so that lists need not find them in the index again.
///
/// It follows the event log, in which the schema itself notes each change of a pin. A reader first brings it up to the
/// place in the log that its own snapshot ends at, and then gets only what is the same in that snapshot: an owner who has
/// changed since is not in it, and for a snapshot that is older than what is known of changes there is nothing at all.
final class OwnerPinsMemory: Sendable {
    private let state: Mutex<State>

    /// The most changes that are read to follow the log, and that are remembered.
    static let changeLimit = 65_536

    private let changeLimit: Int

    /// - Parameters:
    ///   - bytes: what the rows may take together, about.
    ///   - changeLimit: of changes that are remembered.
    init(bytes: Int, changeLimit: Int = OwnerPinsMemory.changeLimit) {
        state = Mutex(State(turnBytes: bytes / 2, sequence: 0))
        self.changeLimit = changeLimit
    }

    /// Follows the log.
    ///
    /// - Parameter sequence: where it ends in the snapshot.
    func follow(to sequence: Int64, in read: some Transaction) throws {
        let start = state.withLock { $0.sequence }
        guard sequence > start else { return }
        var changes: [Change] = []
        var rows: Int64 = 0
        if sequence - start <= Self.changeLimit {
            try read.forEach(
                """
                SELECT sequence, accountId, kind IN ('pin', 'profile') FROM event
                WHERE sequence > \(start) AND sequence <= \(sequence) ORDER BY sequence
                """
            ) { row in
                rows += 1
                if row.bool(2) { changes.append(Change(sequence: row.int64(0), owner: row.int64(1))) }
                return true
            }
        }
        // Where some of the log is gone, or it is too long, nothing that was known holds.
        let isWhole = rows == sequence - start
        state.withLock { state in
            // Another reader may have been faster.
            guard sequence > state.sequence else { return }
            if isWhole {
                for change in changes where change.sequence > state.sequence { state.add(change) }
                state.sequence = sequence
            }
            if !isWhole { state = State(turnBytes: state.turnBytes, sequence: sequence) }
            if state.changes.count > changeLimit { state.forgetOlderChanges() }
        }
    }

    /// The pins of the owners of the sight as they are in a snapshot.
    ///
    /// - Parameter sequence: where the log ends in that snapshot; `follow` has been there.
    /// - Returns: nil when nothing is known of so old a snapshot.
    func pins(of sight: Sight, at sequence: Int64) -> RememberedPins? {
        state.withLock { $0.pins(of: sight, at: sequence) }
    }

    /// Keeps what was read of an owner, if nothing says that the owner has changed since.
    ///
    /// - Parameters:
    ///   - sequence: where the log ends in the snapshot that was read; `follow` has been there.
    ///   - make: what was read, given from where in the log on it holds.
    /// - Returns: what `make` returned, kept or not.
    func keep(_ owner: Int64, at sequence: Int64, _ make: (_ validFrom: Int64) -> OwnerPins) -> OwnerPins {
        let changed = state.withLock { $0.lastChange(of: owner) }
        let pins = make(changed)
        guard changed <= sequence else { return pins }
        state.withLock { state in
            if state.lastChange(of: owner) == changed { state.keep(pins) }
        }
        return pins
    }

    fileprivate struct Change {
        let sequence: Int64
        let owner: Int64
    }
}

/// What is known, behind the lock.
private struct State {
    typealias Change = OwnerPinsMemory.Change

    /// Half of what the rows may take.
    let turnBytes: Int
    /// Up to here the log is followed.
    var sequence: Int64
    /// From here on all changes are known.
    private(set) var floor: Int64
    /// Those changes, in the order of the log.
    private(set) var changes: [Change] = []
    private var lastChanges: [Int64: Int64] = [:]
    /// What was used since the last turn, and what only before it: at a turn that one goes.
    private var young: [Int64: OwnerPins] = [:]
    private var old: [Int64: OwnerPins] = [:]
    /// What came since the last turn, gone or not: `found` holds what has changed till its viewer asks again.
    private var youngBytes = 0
    /// What was found last for each viewer.
    private var found: [Identifier<User>: Found] = [:]
    /// Goes up with each owner that is kept: till then it is no use to look again for those that are missing.
    private var keeps = 0

    private struct Found {
        let sight: Sight
        let pins: RememberedPins
        let sequence: Int64
        let keeps: Int

        /// About, of memory.
        static let bytesOfOwner = RememberedPins.bytesOfOwner + 2 * MemoryLayout<Int64>.stride
    }

    init(turnBytes: Int, sequence: Int64) {
        self.turnBytes = turnBytes
        self.sequence = sequence
        floor = sequence
    }

    mutating func add(_ change: Change) {
        changes.append(change)
        lastChanges[change.owner] = change.sequence
        // That the index has them stays true, and to find it out again takes reading all of them.
        if (young[change.owner] ?? old[change.owner])?.isTooLong ?? false { return }
        young[change.owner] = nil
        old[change.owner] = nil
    }

    /// Lets the older half of the changes go: pins that are kept say themselves from where on they hold.
    mutating func forgetOlderChanges() {
        let count = changes.count / 2
        guard count > 0 else { return }
        floor = changes[count - 1].sequence
        changes.removeFirst(count)
        lastChanges = lastChanges.filter { $0.value > floor }
    }

    func lastChange(of owner: Int64) -> Int64 { lastChanges[owner] ?? floor }

    mutating func keep(_ pins: OwnerPins) {
        young[pins.ownerId] = pins
        keeps += 1
        take(pins.bytes)
    }

    private mutating func take(_ bytes: Int) {
        youngBytes += bytes
        guard youngBytes > turnBytes else { return }
        old = young
        young = [:]
        youngBytes = 0
        // They hold what should go.
        found = [:]
    }

    mutating func pins(of sight: Sight, at sequence: Int64) -> RememberedPins? {
        guard sequence >= floor else { return nil }
        // A part of a sight is another each time.
        let last = sight.isPart ? nil : found.removeValue(forKey: sight.viewer)
        var pins = RememberedPins(of: sight.owners)
        var mustLook = true
        if let last, last.sight === sight, last.sequence >= floor, last.sequence <= sequence {
            pins = last.pins
            mustLook = last.keeps != keeps
            for owner in ownersChanged(after: last.sequence, upTo: sequence) {
                if let index = sight.index(of: owner), pins[index]?.isTooLong != true { pins[index] = nil }
            }
        }
        if mustLook, pins.missing > 0 {
            for index in sight.owners.indices where pins[index] == nil {
                pins[index] = find(sight.owners[index], at: sequence)
            }
        }
        if !sight.isPart {
            let more = sight.owners.count - (last?.sight.owners.count ?? 0)
            if more > 0 { take(more * Found.bytesOfOwner) }
            found[sight.viewer] = Found(sight: sight, pins: pins, sequence: sequence, keeps: keeps)
        }
        return pins
    }

    private mutating func find(_ owner: Int64, at sequence: Int64) -> OwnerPins? {
        guard let pins = young[owner] ?? old[owner], pins.validFrom <= sequence else { return nil }
        if let pins = old.removeValue(forKey: owner) { keep(pins) }
        return pins
    }

    private func ownersChanged(after start: Int64, upTo end: Int64) -> Set<Int64> {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].sequence > start { high = middle } else { low = middle + 1 }
        }
        var owners: Set<Int64> = []
        for change in changes[low...] {
            guard change.sequence <= end else { break }
            owners.insert(change.owner)
        }
        return owners
    }
}
