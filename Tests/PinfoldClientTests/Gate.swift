import Foundation

/// Opens once for one who waits: a thread of a scripted server, or a test.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// On a thread that may block.
    func wait() { semaphore.wait() }

    /// In a test, which may not.
    func opened() async {
        await withCheckedContinuation { continuation in
            Thread { [self] in
                wait()
                continuation.resume()
            }.start()
        }
    }
}
