/// Bytes that lie still and are never written again, so that any number of queues can refer to them.
final class SharedBytes: @unchecked Sendable {  // written in `init` alone
    let start: UnsafeMutableRawPointer
    let count: Int

    init(_ parts: [UInt8]...) {
        count = parts.reduce(0) { $0 + $1.count }
        start = .allocate(byteCount: max(1, count), alignment: 1)
        var offset = 0
        for part in parts {
            part.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { (start + offset).copyMemory(from: base, byteCount: bytes.count) }
            }
            offset += part.count
        }
    }

    deinit { start.deallocate() }
}
