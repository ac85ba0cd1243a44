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
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)

    var numbers: Numbers { state.withLock { $0 } }

    /// Called on the writer's thread after each COMMIT, ahead of the completions of its writes.
    func observe(_ body: (@Sendable () -> Void)?) { observer.withLock { $0 = body } }

    func didCommit() { observer.withLock { $0 }?() }

    func update(_ change: (inout Numbers) -> Void) {
        state.withLock { change(&$0) }
    }
}
