import Synchronization

/// Tiles that were drawn lately: those of low zooms count all landmarks there are.
final class LandmarkTileCache: Sendable {
    private struct State {
        /// What they were drawn of: see `LandmarkDataset.signature`.
        var signature = ""
        /// What was used since the last turn, and what only before it: at a turn that one goes.
        var young: [String: [UInt8]] = [:]
        var old: [String: [UInt8]] = [:]
        var youngBytes = 0
    }

    private let state = Mutex(State())
    private let turnBytes: Int

    /// - Parameter bytes: what they may take together, about.
    init(bytes: Int = 32 << 20) {
        turnBytes = bytes / 2
    }

    func tile(_ key: String, of signature: String) -> [UInt8]? {
        state.withLock { state in
            guard state.signature == signature else { return nil }
            if let tile = state.young[key] { return tile }
            guard let tile = state.old.removeValue(forKey: key) else { return nil }
            keep(tile, key, &state)
            return tile
        }
    }

    func keep(_ tile: [UInt8], _ key: String, of signature: String) {
        state.withLock { state in
            if state.signature != signature { state = State(signature: signature) }
            keep(tile, key, &state)
        }
    }

    private func keep(_ tile: [UInt8], _ key: String, _ state: inout State) {
        state.young[key] = tile
        state.youngBytes += tile.count + key.utf8.count + 64
        guard state.youngBytes > turnBytes else { return }
        state.old = state.young
        state.young = [:]
        state.youngBytes = 0
    }
}
