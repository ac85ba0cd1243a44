import Synchronization

/// What the writer has done so far, for whoever asks.
final class WriteCounts: Sendable {
    struct Numbers: Sendable {
        var groups = 0
        var rerunGroups = 0
        var writes = 0
        var failures = 0
        var largestGroup = 0
        var walPages = 0
    }

    private let state = Mutex(Numbers())

    var numbers: Numbers { state.withLock { $0 } }

    func update(_ change: (inout Numbers) -> Void) {
        state.withLock { change(&$0) }
    }
}
