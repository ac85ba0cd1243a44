import CZstd
import Foundation

/// Writes a gazetteer in the form of `data/README.md`, row by row, in flat memory.
final class GazetteerWriter {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private let stream: OpaquePointer
    private var text: [UInt8] = []
    private var packed = [UInt8](repeating: 0, count: 1 << 17)

    /// Makes the file at `path` anew.
    ///
    /// - Parameter source: what the first line tells of where it comes from.
    /// - Throws: `GazetteerError`.
    init(path: String, source: String) throws {
        self.path = path
        guard let file = fopen(path, "wbe") else {
            throw GazetteerError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        guard let stream = ZSTD_createCCtx() else {
            fclose(file)
            throw GazetteerError("there is no memory to pack the gazetteer")
        }
        self.file = file
        self.stream = stream
        ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, 6)
        ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1)
        try row(["#pinfold-gazetteer", String(GazetteerFile.form), source])
    }

    deinit {
        fclose(file)
        ZSTD_freeCCtx(stream)
    }

    /// Adds a row. Tabs, line ends and other control characters in it become spaces.
    ///
    /// - Throws: `GazetteerError`, as for a full disk.
    func row(_ columns: [String]) throws {
        for (index, column) in columns.enumerated() {
            if index > 0 { text.append(0x09) }
            for byte in column.utf8 { text.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
        }
        text.append(0x0A)
        if text.count >= 1 << 17 { try pack(ZSTD_e_continue) }
    }

    /// Units of 1e-7 degree as decimal degrees.
    static func degrees(_ e7: Int32) -> String {
        let digits = String(abs(Int(e7)))
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let decimals = String(padded.suffix(7).reversed().drop { $0 == "0" }.reversed())
        return (e7 < 0 ? "-" : "") + padded.dropLast(7) + (decimals.isEmpty ? "" : ".\(decimals)")
    }

    /// Ends the file and has it on the disk.
    ///
    /// - Throws: `GazetteerError`.
    func finish() throws {
        try pack(ZSTD_e_end)
        guard fflush(file) == 0, fsync(fileno(file)) == 0 else { throw failure() }
    }

    private func pack(_ directive: ZSTD_EndDirective) throws {
        try text.withUnsafeBytes { text in
            var input = ZSTD_inBuffer(src: text.baseAddress, size: text.count, pos: 0)
            var left = 1
            repeat {
                let count = try packed.withUnsafeMutableBytes { packed -> Int in
                    var output = ZSTD_outBuffer(dst: packed.baseAddress, size: packed.count, pos: 0)
                    left = ZSTD_compressStream2(stream, &output, &input, directive)
                    guard ZSTD_isError(left) == 0 else {
                        throw GazetteerError(
                            "the gazetteer cannot be packed: \(String(cString: ZSTD_getErrorName(left)))")
                    }
                    return output.pos
                }
                guard fwrite(packed, 1, count, file) == count else { throw failure() }
            } while directive == ZSTD_e_end ? left > 0 : input.pos < input.size
        }
        text.removeAll(keepingCapacity: true)
    }

    private func failure() -> GazetteerError {
        GazetteerError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
