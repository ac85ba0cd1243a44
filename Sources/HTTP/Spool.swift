import Glibc

/// Where an answer that is too large for memory is written before it is sent: a temporary file that has no name, so that
/// nothing of it stays behind, whatever happens.
///
/// It is used by one thread at a time.
package final class Spool {
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private var flushed = 0
    private static let bufferSize = 64 << 10

    /// - Parameter folder: where the file lies, which has to have room for it.
    /// - Throws: `HTTPError` 503 when the process has too many files open, 507 when the disk is full; `SpoolFailure`.
    package init(folder: String) throws {
        let path = "\(folder)/.spool-\(UInt64.random(in: .min ... .max))"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(errno, "open") }
        unlink(path)
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes so far.
    package var count: Int { flushed + buffer.count }

    /// Adds bytes at the end.
    ///
    /// - Throws: `HTTPError` 507 when the disk is full; `SpoolFailure`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count > Self.bufferSize {
            try Self.put(bytes, at: flushed, descriptor)
            flushed += bytes.count
        } else {
            buffer.append(contentsOf: bytes)
        }
    }

    /// Adds bytes at the end, as the other `write` does.
    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    /// Writes over what is there: formats have lengths that are known only later.
    ///
    /// - Parameter offset: from the start; what is written ends before the end, or at it.
    /// - Throws: as `write` does.
    package func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        precondition(offset >= 0 && offset + bytes.count <= count, "there is nothing to be written over")
        try flush()
        try Self.put(bytes, at: offset, descriptor)
    }

    /// Ends the writing. The spool cannot be used afterwards.
    ///
    /// - Parameter companion: is let go when the answer has been sent or given up.
    /// - Throws: as `write` does.
    package func finish(companion: (any Sendable)? = nil) throws -> BodyFile {
        try flush()
        defer { descriptor = -1 }
        return BodyFile(descriptor: descriptor, count: flushed, companion: companion)
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { try Self.put($0, at: flushed, descriptor) }
        flushed += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    static func put(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ descriptor: Int32) throws {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let written = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
            if written >= 0 { done += written } else if errno != EINTR { throw error(errno, "write") }
        }
    }

    static func error(_ code: Int32, _ call: String) -> any Error {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: HTTPError.insufficientStorage
        case EMFILE, ENFILE, ENOMEM: HTTPError.unavailable(retryAfter: 1)
        default: SpoolFailure(description: "cannot \(call) a temporary file: \(String(cString: strerror(code)))")
        }
    }
}

/// A temporary file could not be used, for a reason that is no client's business.
package struct SpoolFailure: Error, CustomStringConvertible {
    package let description: String
}
