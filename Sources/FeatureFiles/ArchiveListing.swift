/// The files of a ZIP archive (PKWARE APPNOTE 6.3.10), of any size. They are read from where they are; nothing is unpacked
/// to disk, so that what their names say about places matters to nobody.
package struct ArchiveListing {
    package struct Entry {
        /// As the archive has it, in UTF-8, without control characters.
        package let name: String
        package let size: UInt64
        let packedSize: Int
        /// Of its local header in the file.
        let place: Int
        /// CRC-32 of its content.
        let checksum: UInt32
        let isLocked: Bool
        let method: Int

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

    let path: String
    private let look: (() throws -> Void)?
    /// Without folders and what macOS puts beside the files.
    package let entries: [Entry]

    /// - Parameter look: is called ahead of each piece of at most 1 MB that is read, also of the files in it; what it throws
    ///   ends the reading.
    /// - Throws: `FeatureFileFault`, or what `look` throws.
    package init(path: String, look: (() throws -> Void)? = nil) throws {
        self.path = path
        self.look = look
        entries = try Self.readEntries(of: try RandomAccessFile(path: path, look: look)).filter { entry in
            let file = entry.name.split(separator: "/").last ?? ""
            return !entry.name.hasSuffix("/") && !entry.name.hasPrefix("__MACOSX/") && !file.hasPrefix("._")
                && file != ".DS_Store"
        }
        guard !entries.isEmpty else { throw FeatureFileFault("is a ZIP archive without files") }
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
    func open(_ entry: Entry) throws -> ArchivedFile { try Self.open(entry, of: path, look: look) }

    /// The same, of the archive in the file at `path`.
    package static func open(
        _ entry: Entry, of path: String, look: (() throws -> Void)? = nil
    ) throws -> ArchivedFile {
        guard !entry.isLocked else {
            throw FeatureFileFault("is a ZIP archive whose \(entry.name) is locked by a password")
        }
        // 0 is stored, 8 deflated.
        guard entry.method == 0 || entry.method == 8 else {
            throw FeatureFileFault("is a ZIP archive whose \(entry.name) is packed by another method than deflate")
        }
        return try ArchivedFile(entry, in: try RandomAccessFile(path: path, look: look))
    }
}
