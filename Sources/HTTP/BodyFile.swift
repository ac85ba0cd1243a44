import Glibc

/// The body of an answer that is too large for memory: an open file, from its start on.
///
/// The file is closed when nobody refers to it any more, whatever became of the answer.
package final class BodyFile: Sendable {
    /// Its length in bytes.
    package let count: Int
    /// What lives until the answer has been sent or given up.
    let companion: (any Sendable)?
    private let descriptor: Int32

    /// - Parameters:
    ///   - descriptor: of a file that can be read at any place, and that nobody writes any more; this closes it.
    ///   - companion: is let go when the answer has been sent or given up.
    package init(descriptor: Int32, count: Int, companion: (any Sendable)? = nil) {
        self.descriptor = descriptor
        self.count = count
        self.companion = companion
    }

    deinit { close(descriptor) }

    /// All of it in memory: for tests.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let read = pread(descriptor, start + filled, count - filled, off_t(filled))
                if read > 0 { filled += read } else if read == 0 || errno != EINTR { return }
            }
        }
    }

    /// Another descriptor of the same file, which is the caller's to close; negative if there can be none.
    func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
}
