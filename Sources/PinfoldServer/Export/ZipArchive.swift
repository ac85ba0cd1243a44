import CMinizip
import HTTP

/// A ZIP file (PKWARE APPNOTE 6.3.10) that is written into a spool, one file after the other, in the memory of one piece.
///
/// Each file has a ZIP64 record, since its length is known only when it is there, and what is known only then is written
/// over the start of the file: every reader finds it, those too that go from front to back. Used by one thread at a time.
final class ZipArchive: ByteOutput {
    /// What the library writes into: a place in a spool, and what went wrong there.
    private final class Output {
        let spool: Spool
        var place = 0
        var error: (any Error)?

        init(_ spool: Spool) { self.spool = spool }

        /// - Returns: how much of `bytes` was written: all or nothing.
        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard error == nil else { return 0 }
            do {
                if place == spool.count {
                    try spool.write(bytes)
                } else {
                    try spool.overwrite(bytes, at: place)
                }
                place += bytes.count
                return bytes.count
            } catch {
                self.error = error
                return 0
            }
        }
    }

    /// The library could not do what nothing but a fault of ours or a lack of memory keeps it from.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "the archive could not be written: code \(code)" }
    }

    private let output: Output
    private var archive: zipFile?
    private let date: tm_zip

    /// - Parameter now: milliseconds since 1970, the time of all files.
    init(into spool: Spool, at now: Int64) throws {
        output = Output(spool)
        date = Self.date(now)
        var functions = Self.functions(Unmanaged.passUnretained(output).toOpaque())
        archive = zipOpen2_64(nil, APPEND_STATUS_CREATE, nil, &functions)
        if archive == nil { throw Failure(code: ZIP_INTERNALERROR) }
    }

    deinit {
        // Only to free its memory.
        output.error = output.error ?? Failure(code: ZIP_INTERNALERROR)
        if let archive { zipClose(archive, nil) }
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: in ASCII.
    ///   - contents: writes what is in it to this archive.
    /// - Throws: what the spool throws, or `contents`.
    func add(_ name: String, _ contents: () throws -> Void) throws {
        var information = zip_fileinfo()
        information.tmz_date = date
        information.external_fa = Self.regularFile << 16
        try check(
            zipOpenNewFileInZip4_64(
                archive, name, &information, nil, 0, nil, 0, nil, Z_DEFLATED, Z_BEST_SPEED, 0, -MAX_WBITS,
                DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nil, 0, Self.madeByUnix, 0, 1))
        try contents()
        try check(zipCloseFileInZip(archive))
    }

    /// Adds bytes at the end of the file that is being added.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 << 30)
            try part.withUnsafeBytes { try check(zipWriteInFileInZip(archive, $0.baseAddress, UInt32($0.count))) }
            rest = rest.dropFirst(part.count)
        }
    }

    /// Writes the directory at the end. Nothing can be added afterwards.
    func finish() throws {
        defer { archive = nil }
        try check(zipClose(archive, nil))
    }

    private func check(_ code: Int32) throws {
        if let error = output.error { throw error }
        if code != ZIP_OK { throw Failure(code: code) }
    }

    private static func functions(_ context: UnsafeMutableRawPointer) -> zlib_filefunc64_def {
        var functions = zlib_filefunc64_def()
        functions.opaque = context
        functions.zopen64_file = { context, _, _ in context }
        functions.zread_file = { _, _, _, _ in 0 }
        functions.zwrite_file = { context, _, bytes, count in
            guard let context else { return 0 }
            return UInt(ZipArchive.at(context).write(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
        }
        functions.ztell64_file = { context, _ in context.map { UInt64(ZipArchive.at($0).place) } ?? 0 }
        functions.zseek64_file = { context, _, offset, origin in
            guard let context else { return -1 }
            let output = ZipArchive.at(context)
            let start =
                switch origin {
                case ZLIB_FILEFUNC_SEEK_SET: 0
                case ZLIB_FILEFUNC_SEEK_CUR: output.place
                default: output.spool.count
                }
            guard let place = Int(exactly: offset), place <= output.spool.count - start else { return -1 }
            output.place = start + place
            return 0
        }
        functions.zclose_file = { _, _ in 0 }
        functions.zerror_file = { context, _ in context.map { ZipArchive.at($0).error == nil ? 0 : 1 } ?? 1 }
        return functions
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> Output {
        Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
    }

    /// In UTC: the format has no time zone.
    private static func date(_ now: Int64) -> tm_zip {
        let time = CivilTime(milliseconds: now)
        return tm_zip(
            tm_sec: UInt32(time.second), tm_min: UInt32(time.minute), tm_hour: UInt32(time.hour),
            tm_mday: UInt32(time.day), tm_mon: UInt32(time.month - 1), tm_year: UInt32(min(max(time.year, 1980), 2107)))
    }

    /// The mode of a file that its owner may write and all may read.
    private static let regularFile: UInt = 0o100644
    /// Unix (3), by version 4.5 of the format, where ZIP64 begins.
    private static let madeByUnix: UInt = 3 << 8 | 45
}
