import CZlib

/// Decompresses messages of permessage-deflate, each by itself (RFC 7692, 7.2.2). Not for two threads at once.
final class Inflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let limit: Int

    /// - Parameter limit: the most bytes of an inflated message.
    init?(limit: Int) {
        self.limit = limit
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, -15, zlibVersion(), size) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)  // does nothing where `init` has failed
        stream.deallocate()
    }

    func inflate(_ message: [UInt8]) throws(LiveClose) -> [UInt8] {
        guard inflateReset(stream) == Z_OK else { throw .notInflatable }
        var input = message
        input += [0, 0, 0xff, 0xff]
        var failure: LiveClose?
        var output: [UInt8] = []
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            do throws(LiveClose) {
                var isDone = false
                while !isDone { isDone = try inflatePiece(&output) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return output
    }

    /// Inflates what fits into one piece; true when the message has ended.
    private func inflatePiece(_ output: inout [UInt8]) throws(LiveClose) -> Bool {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: Self.piece))
        let result = output.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_out = output.baseAddress.map { $0 + start }
            stream.pointee.avail_out = UInt32(Self.piece)
            return CZlib.inflate(stream, Z_SYNC_FLUSH)
        }
        output.removeLast(Int(stream.pointee.avail_out))
        if output.count > limit { throw .tooBig(limit: limit) }
        switch result {
        case Z_STREAM_END:
            // A sender may end with a final block (RFC 7692, 7.2.3.5); what follows begins anew.
            if stream.pointee.avail_in == 0 { return true }
            guard inflateReset(stream) == Z_OK else { throw .notInflatable }
            return false
        case Z_OK: return stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
        case Z_BUF_ERROR where stream.pointee.avail_in == 0: return true
        default: throw .notInflatable
        }
    }

    private static let piece = 4096
}
