import CMinizip
import Foundation

/// The files of a ZIP archive (APPNOTE.TXT 6.3). They are read from where they are; nothing is unpacked to disk, so that
/// what their names say about places matters to nobody.
struct ArchiveListing {
    struct Entry {
        /// As the archive has it, in UTF-8, without control characters.
        let name: String
        let size: UInt64
        fileprivate let place: unz64_file_pos
        fileprivate let isLocked: Bool
        fileprivate let method: UInt

        /// The last part of the name, without its extension.
        var base: String { String(file.prefix(file.count - (fileExtension.isEmpty ? 0 : fileExtension.count + 1))) }
        var fileExtension: String {
            file.lastIndex(of: ".").map { String(file[file.index(after: $0)...]).lowercased() } ?? ""
        }
        /// The name without its extension, for what belongs together.
        var stem: String { name.lowercased().dropLast(fileExtension.isEmpty ? 0 : fileExtension.count + 1).description }
        private var file: Substring {
            name[(name.lastIndex { $0 == "/" || $0 == "\\" }.map(name.index(after:)) ?? name.startIndex)...]
        }
    }

    private static let mostEntries = 10_000

    let path: String
    /// Without folders and what macOS puts beside the files.
    let entries: [Entry]

    /// - Throws: `FeatureFileFault`.
    init(path: String) throws {
        self.path = path
        let damaged = FeatureFileFault("is a damaged ZIP archive: its list of files cannot be read")
        guard let archive = unzOpen64(path) else { throw damaged }
        defer { unzClose(archive) }
        var entries: [Entry] = []
        var status = unzGoToFirstFile(archive)
        var count = 0
        while status == UNZ_OK {
            count += 1
            guard count <= Self.mostEntries else {
                throw FeatureFileFault("is a ZIP archive of more than \(Self.mostEntries) files")
            }
            var name = [CChar](repeating: 0, count: 1025)
            var info = unz_file_info64()
            var place = unz64_file_pos()
            guard unzGetCurrentFileInfo64(archive, &info, &name, 1024, nil, 0, nil, 0) == UNZ_OK,
                unzGetFilePos64(archive, &place) == UNZ_OK
            else { throw damaged }
            let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let text = String(decoding: bytes, as: UTF8.self).filter { !$0.unicodeScalars.contains { $0.value < 0x20 } }
            let file = text.split(separator: "/").last ?? ""
            if !text.hasSuffix("/"), !text.hasPrefix("__MACOSX/"), !file.hasPrefix("._"), file != ".DS_Store" {
                entries.append(
                    Entry(
                        name: text, size: info.uncompressed_size, place: place, isLocked: info.flag & 1 != 0,
                        method: info.compression_method))
            }
            status = unzGoToNextFile(archive)
        }
        guard status == UNZ_END_OF_LIST_OF_FILE || count == 0 else { throw damaged }
        guard !entries.isEmpty else { throw FeatureFileFault("is a ZIP archive without files") }
        self.entries = entries
    }

    func entries(_ fileExtension: String) -> [Entry] {
        entries.filter { $0.fileExtension == fileExtension }
    }

    /// The file that belongs to `entry` under another extension.
    func sibling(of entry: Entry, _ fileExtension: String) -> Entry? {
        entries.first { $0.fileExtension == fileExtension && $0.stem == entry.stem }
    }

    /// What the archive is.
    ///
    /// - Throws: `FeatureFileFault` if it is of no kind that is read.
    func format() throws -> FeatureFormat {
        if !entries("shp").isEmpty { return .shapefile }
        if !entries("kml").isEmpty { return .kmz }
        let some = entries.prefix(5).map(\.name).joined(separator: ", ")
        throw FeatureFileFault(
            "is a ZIP archive without a .kml or .shp; it holds \(some)\(entries.count > 5 ? " and more" : ""): "
                + "unpack it, and import what is in it")
    }

    /// The bytes of a file, unpacked.
    ///
    /// - Throws: `FeatureFileFault`.
    func open(_ entry: Entry) throws -> ArchivedFile {
        guard !entry.isLocked else {
            throw FeatureFileFault("is a ZIP archive whose \(entry.name) is locked by a password")
        }
        // 0 is stored, 8 deflated.
        guard entry.method == 0 || entry.method == 8 else {
            throw FeatureFileFault("is a ZIP archive whose \(entry.name) is packed by another method than deflate")
        }
        var place = entry.place
        guard let archive = unzOpen64(path) else { throw FeatureFileFault("cannot be opened again") }
        guard unzGoToFilePos64(archive, &place) == UNZ_OK, unzOpenCurrentFile(archive) == UNZ_OK else {
            unzClose(archive)
            throw FeatureFileFault("is a damaged ZIP archive: \(entry.name) cannot be unpacked")
        }
        return ArchivedFile(entry.name, archive)
    }
}

/// A file in an archive while it is unpacked.
final class ArchivedFile: ByteStream {
    /// What any file may unpack to, and how many times its packed size beyond that.
    private static let unsuspicious = 64 << 20
    private static let mostTimes = 200
    private static let mostBytes = 64 << 30

    private let name: String
    private let archive: unzFile
    private var unpacked = 0
    private var isOpen = true
    private(set) var position = 0

    fileprivate init(_ name: String, _ archive: unzFile) {
        (self.name, self.archive) = (name, archive)
    }

    deinit {
        if isOpen { unzCloseCurrentFile(archive) }
        unzClose(archive)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        while count < buffer.count, isOpen {
            let room = UInt32(min(buffer.count - count, 1 << 20))
            let got = unzReadCurrentFile(archive, buffer.baseAddress.map { $0 + count }, room)
            guard got >= 0 else {
                throw FeatureFileFault("is a damaged ZIP archive: \(name) cannot be unpacked to its end")
            }
            if got == 0 {
                isOpen = false
                // The checksum is looked at when the entry is closed.
                guard unzCloseCurrentFile(archive) != UNZ_CRCERROR else {
                    throw FeatureFileFault("is a damaged ZIP archive: the checksum of \(name) is wrong")
                }
                break
            }
            count += Int(got)
            unpacked += Int(got)
            position = max(position, Int(clamping: unztell64(archive)))
            try check()
        }
        return count
    }

    private func check() throws {
        guard unpacked > Self.unsuspicious else { return }
        var info = unz_file_info64()
        unzGetCurrentFileInfo64(archive, &info, nil, 0, nil, 0, nil, 0)
        guard unpacked <= Self.mostBytes, unpacked / Self.mostTimes <= info.compressed_size else {
            throw FeatureFileFault(
                "is a ZIP archive whose \(name) unpacks to more than \(Self.mostTimes) times its size; unpack it first")
        }
    }
}
