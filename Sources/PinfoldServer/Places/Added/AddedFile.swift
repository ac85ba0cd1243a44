import CMinizip
import Foundation

/// A file that an admin adds: text, or an archive of texts as it is downloaded (ZIP). What it is its first bytes tell.
struct AddedFile {
    /// The most bytes that are unpacked: some times the largest dump that GeoNames has.
    static let unpackedLimit = 16 << 30
    /// The most entries of an archive that are looked at.
    private static let entryLimit = 10_000

    let path: String
    /// The texts of an archive by name, nil for a file that is text itself.
    let entries: [String]?
    /// How many bytes there are to read, unpacked, as far as the file tells the truth; at least 1.
    let size: Int

    /// - Throws: `GazetteerError` if the file cannot be read, or is neither.
    init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0, let file = fopen(path, "rb") else {
            throw GazetteerError("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        // A pipe or device can be read only once.
        guard status.st_mode & S_IFMT == S_IFREG else { throw GazetteerError("\(path) is no file") }
        var start = [UInt8](repeating: 0, count: 4)
        errno = 0
        let count = fread(&start, 1, 4, file)
        guard ferror(file) == 0 else {
            throw GazetteerError("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard count > 0 else { throw GazetteerError("\(path) is empty") }
        switch start {
        case [0x50, 0x4B, 0x03, 0x04]:
            let texts = try Self.texts(of: path)
            entries = texts.names
            size = max(1, texts.size)
        case [0x50, 0x4B, 0x05, 0x06]: throw GazetteerError("\(path) is an archive without files")
        case [0x28, 0xB5, 0x2F, 0xFD]: throw GazetteerError("\(path) is packed by zstd; unpack it first")
        case _ where start.starts(with: [0x1F, 0x8B]):
            throw GazetteerError("\(path) is packed by gzip; unpack it first")
        case _ where start.starts(with: [0x42, 0x5A, 0x68]):
            throw GazetteerError("\(path) is packed by bzip2; unpack it first")
        default:
            entries = nil
            fseek(file, 0, SEEK_END)
            size = max(1, ftell(file))
        }
    }

    /// Opens each text in turn.
    ///
    /// - Parameter body: takes the text's name, if it is one of an archive, and its bytes.
    func forEachText(_ body: (String?, AddedText) throws -> Void) throws {
        guard let entries else {
            try body(nil, try AddedText(path: path))
            return
        }
        for entry in entries { try body(entry, try AddedText(path: path, entry: entry)) }
    }

    /// The names of tables in an archive. GeoNames puts a readme beside each.
    private static func texts(of path: String) throws -> (names: [String], size: Int) {
        let damaged = GazetteerError("\(path) is damaged: its list of files cannot be read")
        guard let archive = unzOpen64(path) else { throw damaged }
        defer { unzClose(archive) }
        var names: [String] = []
        var status = unzGoToFirstFile(archive)
        var (count, size) = (0, 0)
        while status == UNZ_OK {
            count += 1
            guard count <= entryLimit else {
                throw GazetteerError("\(path) holds more than \(entryLimit) files; which of them is meant?")
            }
            var name = [CChar](repeating: 0, count: 1024)
            var info = unz_file_info64()
            guard unzGetCurrentFileInfo64(archive, &info, &name, 1023, nil, 0, nil, 0) == UNZ_OK else { throw damaged }
            let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let base = text.split(separator: "/").last?.lowercased() ?? ""
            let isTable = base.hasSuffix(".txt") || base.hasSuffix(".csv") || base.hasSuffix(".tsv")
            if isTable, !base.hasPrefix("readme"), !base.hasPrefix("license"), !text.hasPrefix("__MACOSX/") {
                names.append(text)
                size = min(unpackedLimit, size + Int(clamping: info.uncompressed_size))
            }
            status = unzGoToNextFile(archive)
        }
        guard status == UNZ_END_OF_LIST_OF_FILE else { throw damaged }
        guard !names.isEmpty else { throw GazetteerError("\(path) holds no table (.txt or .csv)") }
        return (names, size)
    }
}

/// The bytes of one text, piece by piece.
final class AddedText {
    private static let pieceSize = 1 << 18

    private let path: String
    private let file: UnsafeMutablePointer<FILE>?
    private let archive: unzFile?
    /// How many bytes were read so far.
    private(set) var position = 0

    /// - Throws: `GazetteerError`.
    init(path: String) throws {
        self.path = path
        archive = nil
        file = fopen(path, "rb")
        guard file != nil else {
            throw GazetteerError("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    /// - Throws: `GazetteerError`.
    init(path: String, entry: String) throws {
        self.path = path
        file = nil
        archive = unzOpen64(path)
        guard archive != nil, unzLocateFile(archive, entry, 1) == UNZ_OK, unzOpenCurrentFile(archive) == UNZ_OK else {
            throw GazetteerError("\(path) is damaged: \(entry) cannot be unpacked")
        }
    }

    deinit {
        if let file { fclose(file) }
        if archive != nil {
            unzCloseCurrentFile(archive)
            unzClose(archive)
        }
    }

    /// The next piece, empty at the end.
    ///
    /// - Throws: `GazetteerError`.
    func read() throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        let count: Int
        if let file {
            errno = 0
            count = fread(&piece, 1, piece.count, file)
            guard ferror(file) == 0 else {
                throw GazetteerError("\(path) cannot be read: \(String(cString: strerror(errno)))")
            }
        } else {
            count = Int(unzReadCurrentFile(archive, &piece, UInt32(piece.count)))
            guard count >= 0 else { throw GazetteerError("\(path) is damaged: it cannot be unpacked to its end") }
            guard position + count <= AddedFile.unpackedLimit else {
                throw GazetteerError("\(path) unpacks to more than \(AddedFile.unpackedLimit >> 30) GiB")
            }
            // The checksum is looked at when the entry is closed.
            if count == 0, unzCloseCurrentFile(archive) == UNZ_CRCERROR {
                throw GazetteerError("\(path) is damaged: a checksum is wrong")
            }
        }
        position += count
        piece.removeLast(piece.count - count)
        return piece
    }
}
