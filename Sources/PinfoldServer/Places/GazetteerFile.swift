import CZstd
import Foundation

/// A bundled file, of places or of borders: tab-separated tables, compressed with Zstandard. `data/README.md` has the
/// forms.
struct GazetteerFile {
    /// The version of the forms that this code reads, the second column of a file's first line.
    static let form = 1

    let path: String
    /// The first column of the file's first line.
    var heading: StaticString = "#pinfold-gazetteer"
    /// What messages call it.
    var noun = "gazetteer"

    /// The files of borders that lie beside the gazetteer at `path`.
    static func borders(beside path: String) -> (zones: GazetteerFile, divisions: GazetteerFile) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        func file(_ name: String) -> GazetteerFile {
            GazetteerFile(
                path: folder.appendingPathComponent(name).path, heading: "#pinfold-borders", noun: "table of borders")
        }
        return (file("borders.zones.zst"), file("borders.divisions.zst"))
    }

    /// Names the contents: the size and Zstandard's own checksum of the unpacked bytes (the low 32 bits of XXH64, RFC
    /// 8878, 3.1.1), which costs two short reads at each start.
    ///
    /// - Throws: `GazetteerError` if the file is missing or is no such file.
    func version() throws -> String {
        let file = try open()
        defer { fclose(file) }
        var start = [UInt8](repeating: 0, count: 5)
        var end = [UInt8](repeating: 0, count: 4)
        guard fread(&start, 1, 5, file) == 5, start[..<4] == [0x28, 0xB5, 0x2F, 0xFD], start[4] & 0x04 != 0,
            fseek(file, -4, SEEK_END) == 0, fread(&end, 1, 4, file) == 4
        else { throw damaged("it is no Zstandard file with a checksum") }
        let checksum = end.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return "\(ftell(file))-\(String(checksum, radix: 16))"
    }

    /// Reads it to its end, in some hundredths of a second: what is made of a file that is damaged need not be begun.
    ///
    /// - Throws: `GazetteerError` for a file that is missing or damaged anywhere.
    func check() throws {
        try forEachRow(progress: { _ in }) { _ in }
    }

    /// Hands each row to `body`, in order, and before each block of rows the part of the file that was read, 0 to 1.
    ///
    /// - Throws: `GazetteerError` for a file that is missing or damaged anywhere, or what `body` throws.
    func forEachRow(progress: (Double) -> Void, _ body: (GazetteerRow) throws -> Void) throws {
        let file = try open()
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = max(1, ftell(file))
        rewind(file)
        guard let stream = ZSTD_createDStream() else { throw GazetteerError("there is no memory for the gazetteer") }
        defer { ZSTD_freeDStream(stream) }

        let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { packed.deallocate() }
        // Room for many rows; the longest is 340 KB.
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 21, alignment: 16)
        defer { text.deallocate() }
        var kept = 0
        var read = 0
        var isFirst = true
        var unfinished = 1
        var output = ZSTD_outBuffer(dst: text.baseAddress, size: text.count, pos: 0)
        while true {
            let count = fread(packed.baseAddress, 1, packed.count, file)
            guard count > 0 else { break }
            read += count
            progress(Double(read) / Double(size))
            var input = ZSTD_inBuffer(src: packed.baseAddress, size: count, pos: 0)
            repeat {
                output.pos = kept
                unfinished = ZSTD_decompressStream(stream, &output, &input)
                guard ZSTD_isError(unfinished) == 0 else {
                    throw damaged(String(cString: ZSTD_getErrorName(unfinished)))
                }
                kept = try rows(in: text, upTo: output.pos, isFirst: &isFirst, body)
                guard kept < text.count else { throw damaged("a row has no end") }
            } while input.pos < input.size || output.pos == output.size
        }
        guard unfinished == 0, kept == 0, !isFirst else { throw damaged("it ends too early") }
    }

    /// Hands over the whole rows in the first `end` bytes and moves what follows them to the start.
    ///
    /// - Returns: how many bytes were moved.
    private func rows(
        in text: UnsafeMutableRawBufferPointer, upTo end: Int, isFirst: inout Bool,
        _ body: (GazetteerRow) throws -> Void
    ) throws -> Int {
        guard let base = text.baseAddress else { return 0 }
        var start = 0
        while let feed = memchr(base + start, 0x0A, end - start) {
            let length = UnsafeRawPointer(feed) - UnsafeRawPointer(base + start)
            let row = GazetteerRow(
                UnsafeRawBufferPointer(start: base + start, count: length), of: "the \(noun) \(path)")
            start += length + 1
            if isFirst {
                isFirst = false
                guard row.count >= 2, row.equals(0, heading) else {
                    throw damaged("it is no \(noun)")
                }
                guard try row.integer(1) == Self.form else {
                    throw GazetteerError("the \(noun) \(path) has another form than this version of Pinfold reads")
                }
            } else if length > 0, base.load(fromByteOffset: start - length - 1, as: UInt8.self) != UInt8(ascii: "#") {
                try body(row)
            }
        }
        memmove(base, base + start, end - start)
        return end - start
    }

    private func open() throws -> UnsafeMutablePointer<FILE> {
        guard let file = fopen(path, "rb") else {
            throw GazetteerError("the \(noun) \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        return file
    }

    private func damaged(_ reason: String) -> GazetteerError {
        GazetteerError("the \(noun) \(path) is damaged: \(reason)")
    }
}
