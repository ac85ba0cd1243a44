import Glibc

/// A fixed number of threads that may block, behind a bounded queue.
///
/// The threads are made on the first job and end when the pool has been closed and the queue is empty.
final class WorkerPool: @unchecked Sendable {  // every stored variable is read and written under `mutex`
    typealias Job = @Sendable () -> Void

    private let threads: Int
    private let capacity: Int
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let jobsWaiting: UnsafeMutablePointer<pthread_cond_t>
    private var queue: [Job?] = []
    private var first = 0
    private var idle = 0
    private var started = 0
    private var isClosed = false

    /// - Parameter capacity: how many jobs wait at most while all threads are busy.
    init(threads: Int, capacity: Int) {
        self.threads = threads
        self.capacity = capacity
        mutex = .allocate(capacity: 1)
        jobsWaiting = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(jobsWaiting, nil)
    }

    deinit {
        // No thread is left: each one holds the pool while it lives.
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(jobsWaiting)
        mutex.deallocate()
        jobsWaiting.deallocate()
    }

    /// Hands over a job; false if the pool is closed, the queue is full, or no thread can be made.
    func submit(_ job: @escaping Job) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let waiting = queue.count - first
        if isClosed { return false }
        if waiting >= idle, started < threads {
            if startThread(running: { [self] in work() }) { started += 1 } else if started == 0 { return false }
        } else if waiting - idle >= capacity {
            return false
        }
        queue.append(job)
        pthread_cond_signal(jobsWaiting)
        return true
    }

    /// Takes no more jobs; those in the queue are still run. Does not wait for them.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(jobsWaiting)
        pthread_mutex_unlock(mutex)
    }

    private func work() {
        pthread_mutex_lock(mutex)
        while true {
            while first == queue.count, !isClosed {
                idle += 1
                pthread_cond_wait(jobsWaiting, mutex)
                idle -= 1
            }
            guard first < queue.count else { break }
            let job = queue[first]
            queue[first] = nil
            first += 1
            if first == queue.count {
                queue.removeAll(keepingCapacity: true)
                first = 0
            } else if first > capacity {
                queue.removeFirst(first)
                first = 0
            }
            pthread_mutex_unlock(mutex)
            job?()
            pthread_mutex_lock(mutex)
        }
        pthread_mutex_unlock(mutex)
    }
}

/// Starts a detached thread; false if the system gives none.
func startThread(running body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { raw in
            if let raw { Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().body() }
            return nil
        }, box.toOpaque())
    if result == 0 { pthread_detach(thread) } else { box.release() }
    return result == 0
}
