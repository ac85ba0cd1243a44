import Glibc

/// A thread of its own for work that blocks, which the threads of shared pools must not: they may all be taken.
struct DedicatedThread: Sendable {
    private let thread: pthread_t

    /// Starts it. `join` must be called once.
    ///
    /// - Throws: `DatabaseOpenError` when the system has no more threads.
    init(_ body: @escaping @Sendable () -> Void) throws {
        let context = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw DatabaseOpenError(.system, "no thread can be started: \(String(cString: strerror(result)))")
        }
        self.thread = thread
    }

    /// The caller runs on it.
    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Waits for its end; what it wrote is then seen by the caller.
    func join() {
        pthread_join(thread, nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
