import Glibc
import Synchronization

/// A body that is too large for memory, in a file. It goes with the last reference to it, unless it is kept.
package final class UploadedFile: Sendable {
    /// Where the body is, until it is kept.
    package let path: String
    private let descriptor: Int32
    private let written = Atomic(0)
    private let isKept = Atomic(false)

    /// What a file is called while nobody has kept it: those that a process left behind can be removed.
    package static let prefix = ".upload-"

    /// An empty one.
    ///
    /// - Parameter folder: where it lies, which has to have room for it.
    /// - Throws: `HTTPError` 503 when the process has too many files open, 507 when the disk is full; `SpoolFailure`.
    package init(folder: String) throws {
        path = "\(folder)/\(Self.prefix)\(UInt64.random(in: .min ... .max))"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Spool.error(errno, "open") }
    }

    /// A copy of a file; nil if there is none.
    ///
    /// - Throws: as the other does.
    package convenience init?(copying path: String, folder: String) throws {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return nil }
        defer { close(source) }
        try self.init(folder: folder)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(source, &piece, piece.count)
            guard count >= 0 else { throw Spool.error(errno, "read") }
            guard count > 0 else { return }
            try piece.withUnsafeBytes { try append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    deinit {
        close(descriptor)
        if !isKept.load(ordering: .relaxed) { unlink(path) }
    }

    /// Bytes so far.
    package var count: Int { written.load(ordering: .relaxed) }

    /// Adds bytes at the end. One thread at a time may do it.
    ///
    /// - Throws: as `init` does.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        try Spool.put(bytes, at: count, descriptor)
        written.add(bytes.count, ordering: .relaxed)
    }

    /// Bytes from `offset` on; fewer than `limit` only at the end.
    ///
    /// - Throws: `SpoolFailure`.
    package func read(at offset: Int, limit: Int) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            while filled < limit, let start = buffer.baseAddress {
                let count = pread(descriptor, start + filled, limit - filled, off_t(offset + filled))
                if count > 0 { filled += count } else if count == 0 { return }
                if count < 0, errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw Spool.error(failure, "read") }
        return bytes
    }

    /// A part of it as a file of its own.
    ///
    /// - Throws: as `init` does.
    package func extract(_ range: Range<Int>, folder: String) throws -> UploadedFile {
        let part = try UploadedFile(folder: folder)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            let bytes = try read(at: start, limit: min(1 << 20, range.upperBound - start))
            try bytes.withUnsafeBytes { try part.append($0) }
        }
        return part
    }

    /// Gives the file a name that stays, on the disk when this returns.
    ///
    /// - Throws: as `init` does.
    package func keep(as name: String) throws {
        guard fsync(descriptor) == 0, rename(path, name) == 0 else { throw Spool.error(errno, "keep") }
        isKept.store(true, ordering: .relaxed)
    }
}
