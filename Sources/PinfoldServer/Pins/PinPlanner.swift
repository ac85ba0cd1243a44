import Foundation
import SocialModel
import Storage
import Synchronization

/// What is remembered between reads of pins so that they are fast: who sees whom, and where pins are.
///
/// Nothing in here decides what is visible on its own: a remembered `Sight` is used only with the version that the
/// reading snapshot itself has, and remembered pins only where the log of that snapshot tells of no change.
package final class PinPlanner: Sendable {
    private struct Remembered {
        let sight: Sight
        var lastUse: UInt64
    }

    private struct State {
        var sights: [Identifier<User>: Remembered] = [:]
        /// Ids of owners in all of `sights`.
        var size = 0
        var uses: UInt64 = 0
        var statistics: PinStatistics?
    }

    /// Ids of owners that are remembered together; each takes 48 to 80 bytes.
    private let capacity: Int
    private let state = Mutex(State())
    let memory: OwnerPinsMemory
    let tail = LogTail()

    /// - Parameters:
    ///   - memoryBytes: what pins in memory may take; nil for an eighth of the machine's.
    ///   - changeLimit: of changes of pins that are remembered.
    package init(capacity: Int = 1_000_000, memoryBytes: Int? = nil, changeLimit: Int = 65_536) {
        self.capacity = capacity
        memory = OwnerPinsMemory(
            bytes: memoryBytes ?? Int(clamping: ProcessInfo.processInfo.physicalMemory / 8), changeLimit: changeLimit)
    }

    /// Nil until they were gathered once.
    var statistics: PinStatistics? { state.withLock { $0.statistics } }

    /// Looks anew where pins are; takes part of a second with millions of them.
    package func refresh(_ database: DatabasePool) throws {
        let statistics = try database.read { try PinStatistics(in: $0, Grant(Schema.guardedTables)) }
        state.withLock { $0.statistics = statistics }
    }

    /// The sight of `viewer` at `version`: the remembered one if it is of that version, else that of `make`.
    func sight(
        of viewer: Identifier<User>, version: Int64, _ make: () throws -> Sight
    ) rethrows -> Sight {
        let remembered = state.withLock { state -> Sight? in
            guard let found = state.sights[viewer], found.sight.version == version else { return nil }
            state.uses += 1
            state.sights[viewer]?.lastUse = state.uses
            return found.sight
        }
        if let remembered { return remembered }
        let sight = try make()
        state.withLock { remember(sight, in: &$0) }
        return sight
    }

    private func remember(_ sight: Sight, in state: inout State) {
        guard sight.owners.count <= capacity / 4 else { return }
        state.uses += 1
        let old = state.sights.updateValue(Remembered(sight: sight, lastUse: state.uses), forKey: sight.viewer)
        state.size += sight.owners.count - (old?.sight.owners.count ?? 0)
        guard state.size > capacity else { return }
        // Half of them go at once, those unused for longest, so that this is rare.
        for (viewer, remembered) in state.sights.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.size > capacity / 2 else { return }
            state.sights[viewer] = nil
            state.size -= remembered.sight.owners.count
        }
    }
}
