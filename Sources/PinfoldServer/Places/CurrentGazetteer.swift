import Geo
import Synchronization

/// The gazetteer that a server uses, which is replaced while it runs when the files that it is made of change.
package final class CurrentGazetteer: Sendable {
    private struct State {
        var gazetteer: Gazetteer?
        /// Its database is closed, since neither a new one nor itself could be opened.
        var isClosed = false
        /// The files of which no gazetteer can be made.
        var failed: String?
    }

    private let state: Mutex<State>

    package init(_ gazetteer: Gazetteer?) {
        state = Mutex(State(gazetteer: gazetteer))
    }

    /// Nil if the server runs without one.
    package var gazetteer: Gazetteer? { state.withLock { $0.gazetteer } }

    /// Whether a position is in a country.
    func hasLand(at longitude: Double, _ latitude: Double) -> Bool {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return false }
        return gazetteer?.reverse(coordinate).countryCode != nil
    }

    /// Builds the gazetteer anew if its files have changed, and then puts it in the place of the old one: whoever reads
    /// a place meanwhile goes on, or reads it again. It takes seconds of one core, unless nothing has changed.
    ///
    /// - Returns: whether there is a new one.
    /// - Throws: `GazetteerError`, `DatabaseError` or `DatabaseOpenError`, once for each state of the files; the old one
    ///   goes on.
    package func refresh() throws -> Bool {
        try state.withLock { state in
            if state.isClosed, let closed = state.gazetteer { try Self.open(closed.loader, closed.version, &state) }
        }
        guard let old = gazetteer else { return false }
        let version: String
        do { version = try old.loader.version() } catch {
            // A file that is just being replaced is looked at again.
            return false
        }
        guard version != old.version, version != state.withLock({ $0.failed }) else { return false }
        do {
            try old.loader.build(progress: { _ in })
            return try state.withLock { state in
                // Closed meanwhile.
                guard state.gazetteer != nil else { return false }
                // It waits for the reads that run; all others wait here.
                old.close()
                state.isClosed = true
                do {
                    try old.loader.install()
                    try Self.open(old.loader, version, &state)
                    old.loader.removeReplaced()
                } catch {
                    old.loader.restore()
                    // On a full disk that may fail as well; the next call tries it again.
                    try? Self.open(old.loader, old.version, &state)
                    throw error
                }
                return true
            }
        } catch {
            state.withLock { $0.failed = version }
            throw error
        }
    }

    private static func open(_ loader: GazetteerLoader, _ version: String, _ state: inout State) throws {
        guard let opened = try Gazetteer.open(loader, version: version) else {
            throw GazetteerError("the files of the gazetteer changed while it was built")
        }
        state.gazetteer = try Gazetteer(opened)
        state.isClosed = false
    }

    /// After the last use.
    package func close() {
        state.withLock { state in
            state.gazetteer?.close()
            state.gazetteer = nil
        }
    }
}
