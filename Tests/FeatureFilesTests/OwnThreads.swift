import Foundation
import Synchronization
import Testing

/// Runs tests on threads that are theirs, two at a time. They wait most of their time for processes, and would wait on
/// the threads that all other tests share.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    private static let threads = TestThreads(count: 2)

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) {
            try await function()
        }
    }
}

extension Trait where Self == OwnThreads {
    static var ownThreads: Self { OwnThreads() }
}

/// Threads that run tasks in the order in which they come.
private final class TestThreads: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    /// They run as long as the process.
    init(count threads: Int) {
        for _ in 0..<threads {
            let thread = Thread { [self] in
                while true {
                    count.wait()
                    let job = jobs.withLock { $0.removeFirst() }
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }
}
