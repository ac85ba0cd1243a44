extension ArchiveListing {
    /// Where the directory of an archive is.
    private struct Directory {
        let start: Int
        let count: Int
        /// Bytes that stand ahead of the archive, such as a program that unpacks it; places are counted from behind them.
        let shift: Int
    }

    static let damaged = FeatureFileFault("is a damaged ZIP archive: its list of files cannot be read")
    private static let mostEntries = 10_000
    private static let most16 = 0xFFFF
    private static let most32: UInt64 = 0xFFFF_FFFF

    /// All entries of the directory, folders too.
    ///
    /// - Throws: `FeatureFileFault`.
    static func readEntries(of file: RandomAccessFile) throws -> [Entry] {
        let directory = try findDirectory(of: file)
        guard directory.count <= mostEntries else {
            throw FeatureFileFault("is a ZIP archive of more than \(mostEntries) files")
        }
        var entries: [Entry] = []
        var place = directory.start
        for _ in 0..<directory.count {
            guard let head = try file.bytes(46, at: place), head.uint32(0) == 0x0201_4B50 else { throw damaged }
            let (name, extra, comment) = (head.uint16(28), head.uint16(30), head.uint16(32))
            guard let rest = try file.bytes(name + extra, at: place + 46) else { throw damaged }
            entries.append(try entry(head, rest, nameLength: name, shift: directory.shift))
            place += 46 + name + extra + comment
        }
        return entries
    }

    /// - Parameters:
    ///   - head: the fixed part of a central file header (4.3.12).
    ///   - rest: its name and extra fields.
    private static func entry(
        _ head: LittleEndianBytes, _ rest: LittleEndianBytes, nameLength: Int, shift: Int
    ) throws -> Entry {
        var (packedSize, size, offset) = (head.uint32(20), head.uint32(24), head.uint32(42))
        // What has no room in 32 bits stands in the ZIP64 field, in this order and without what has room (4.5.3).
        if let field = extraField(1, of: rest, from: nameLength) {
            var place = field.lowerBound
            func next(_ value: UInt64) throws -> UInt64 {
                guard value == most32 else { return value }
                guard place + 8 <= field.upperBound else { throw damaged }
                defer { place += 8 }
                return rest.uint64(place)
            }
            size = try next(size)
            packedSize = try next(packedSize)
            offset = try next(offset)
        }
        guard let packed = Int(exactly: packedSize), let header = Int(exactly: offset),
            case let (place, isTooFar) = header.addingReportingOverflow(shift), !isTooFar
        else { throw damaged }
        let text = String(decoding: rest.bytes.prefix(min(nameLength, 1024)), as: UTF8.self)
        return Entry(
            name: text.filter { !$0.unicodeScalars.contains { $0.value < 0x20 } }, size: size, packedSize: packed,
            place: place, checksum: UInt32(head.uint32(16)), isLocked: head.uint16(8) & 1 != 0, method: head.uint16(10))
    }

    /// Where the content of the extra field of a kind is (4.5.1); nil without one.
    private static func extraField(_ kind: Int, of bytes: LittleEndianBytes, from start: Int) -> Range<Int>? {
        var place = start
        while place + 4 <= bytes.bytes.count {
            let (found, length) = (bytes.uint16(place), bytes.uint16(place + 2))
            let end = place + 4 + length
            guard end <= bytes.bytes.count else { return nil }
            if found == kind { return place + 4..<end }
            place = end
        }
        return nil
    }

    private static func findDirectory(of file: RandomAccessFile) throws -> Directory {
        // The end record has 22 bytes and a comment of up to 65,535.
        let count = min(file.byteCount, 22 + most16)
        let tailStart = file.byteCount - count
        guard let tail = try file.bytes(count, at: tailStart), count >= 22 else { throw damaged }
        let found = (0...(count - 22)).last { place in
            tail.uint32(place) == 0x0605_4B50 && place + 22 + tail.uint16(place + 20) <= count
        }
        guard let found else { throw damaged }
        guard [0, most16].contains(tail.uint16(found + 4)) else {
            throw FeatureFileFault("is the last part of a ZIP archive in several; put them together first")
        }
        var (entries, length, offset) = (
            UInt64(tail.uint16(found + 10)), tail.uint32(found + 12), tail.uint32(found + 16)
        )
        var end = tailStart + found
        if let (record, place) = try largeEndRecord(before: end, of: file) {
            if entries == most16 { entries = record.uint64(32) }
            if length == most32 { length = record.uint64(40) }
            if offset == most32 { offset = record.uint64(48) }
            end = place
        }
        guard let length = Int(exactly: length), let offset = Int(exactly: offset), length <= end else {
            throw damaged
        }
        // Where it is said to be, or else right before the end record.
        let isThere = try entries == 0 || file.bytes(4, at: offset)?.uint32(0) == 0x0201_4B50
        let start = isThere ? offset : end - length
        guard start >= offset else { throw damaged }
        return Directory(start: start, count: Int(clamping: entries), shift: start - offset)
    }

    /// The ZIP64 end record (4.3.14) and where it is; nil without one.
    private static func largeEndRecord(
        before end: Int, of file: RandomAccessFile
    ) throws -> (record: LittleEndianBytes, place: Int)? {
        guard let locator = try file.bytes(20, at: end - 20), locator.uint32(0) == 0x0706_4B50 else { return nil }
        for place in [Int(exactly: locator.uint64(8)), end - 20 - 56] {
            if let place, let record = try file.bytes(56, at: place), record.uint32(0) == 0x0606_4B50 {
                return (record, place)
            }
        }
        throw damaged
    }
}
