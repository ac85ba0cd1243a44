import FeatureFiles
import Foundation

/// A file that an admin adds: text, or an archive of texts as it is downloaded (ZIP). What it is its first bytes tell.
struct AddedFile {
    /// The most bytes that are unpacked: some times the largest dump that GeoNames has.
    static let unpackedLimit = 16 << 30

    let path: String
    /// The texts of an archive, nil for a file that is text itself.
    private let entries: [ArchiveListing.Entry]?
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
            entries = texts
            size = texts.reduce(1) { min(Self.unpackedLimit, $0 + Int(clamping: $1.size)) }
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
        for entry in entries { try body(entry.name, try AddedText(path: path, entry)) }
    }

    /// The tables in an archive. GeoNames puts a readme beside each.
    private static func texts(of path: String) throws -> [ArchiveListing.Entry] {
        let tables = try GazetteerError.naming(path) { try ArchiveListing(path: path) }.entries.filter { entry in
            let base = entry.name.split(separator: "/").last?.lowercased() ?? ""
            let isTable = base.hasSuffix(".txt") || base.hasSuffix(".csv") || base.hasSuffix(".tsv")
            return isTable && !base.hasPrefix("readme") && !base.hasPrefix("license")
        }
        guard !tables.isEmpty else { throw GazetteerError("\(path) holds no table (.txt or .csv)") }
        return tables
    }
}

/// The bytes of one text, piece by piece.
final class AddedText {
    private static let pieceSize = 1 << 18

    private let path: String
    private let file: UnsafeMutablePointer<FILE>?
    private let archived: ArchivedFile?
    /// How many bytes were read so far.
    private(set) var position = 0

    /// - Throws: `GazetteerError`.
    init(path: String) throws {
        self.path = path
        archived = nil
        file = fopen(path, "rb")
        guard file != nil else {
            throw GazetteerError("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    /// - Throws: `GazetteerError`.
    init(path: String, _ entry: ArchiveListing.Entry) throws {
        self.path = path
        file = nil
        archived = try GazetteerError.naming(path) { try ArchiveListing.open(entry, of: path) }
    }

    deinit {
        if let file { fclose(file) }
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
            count = try piece.withUnsafeMutableBytes { buffer in
                try GazetteerError.naming(path) { try archived?.read(into: buffer) ?? 0 }
            }
            guard position + count <= AddedFile.unpackedLimit else {
                throw GazetteerError("\(path) unpacks to more than \(AddedFile.unpackedLimit >> 30) GiB")
            }
        }
        position += count
        piece.removeLast(piece.count - count)
        return piece
    }
}

extension GazetteerError {
    /// Runs `body`, whose faults of a file are thrown on with its path.
    fileprivate static func naming<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do { return try body() } catch let fault as FeatureFileFault { throw GazetteerError("\(path) \(fault)") }
    }
}
