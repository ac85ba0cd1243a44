import HTTP

/// What takes a long document piece by piece.
protocol ByteOutput {
    /// Adds bytes at the end.
    func write(_ bytes: [UInt8]) throws
}

extension Spool: ByteOutput {}
