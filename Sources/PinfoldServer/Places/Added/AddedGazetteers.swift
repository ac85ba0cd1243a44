import Foundation

/// The gazetteers that an admin has added, each a file of its own in one folder.
///
/// The files are in the form of `data/README.md`; with the bundled gazetteer `places.db` is made of them.
package struct AddedGazetteers: Sendable {
    /// What is read of a file.
    package struct Options: Sendable {
        /// GeoNames's feature classes whose rows become places.
        package var classes: Set<Character> = ["P"]
        /// Populated places with fewer people are passed over.
        package var leastPopulation = 0

        package init() {}
    }

    /// One that is there.
    package struct Entry: Sendable, Hashable {
        package let name: String
        /// Of the packed file.
        package let bytes: Int
        package let places: Int
        package let addresses: Int
    }

    /// Without a good row within so many bytes a file is taken for a wrong one.
    private static let patience = 64 << 20
    /// The most addresses of one file.
    static let addressLimit = 10_000_000
    /// The most places of all files together: no more could be searched with the bundled ones.
    static let placeLimit = 800_000
    private static let suffix = ".tsv.zst"

    private let folder: String
    private let placeLimit: Int

    /// - Parameters:
    ///   - folder: need not be there.
    ///   - placeLimit: the most places of all files together.
    init(folder: String, placeLimit: Int = AddedGazetteers.placeLimit) {
        self.folder = folder
        self.placeLimit = placeLimit
    }

    /// Those that belong to a `places.db`.
    package init(beside database: String) {
        let url = URL(fileURLWithPath: database).deletingLastPathComponent()
        self.init(folder: url.appendingPathComponent("gazetteers").path)
    }

    /// The files, in the order of their names.
    var files: [GazetteerFile] { names.map { GazetteerFile(path: path(of: $0)) } }

    private var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
            .filter(Self.isName).sorted()
    }

    private func path(of name: String) -> String { "\(folder)/\(name)\(Self.suffix)" }

    /// Whether it can be the name of a gazetteer: 1 to 64 small letters, digits, hyphens, full stops and underscores,
    /// the first a letter or digit.
    package static func isName(_ name: String) -> Bool {
        let plain = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
        return plain && (1...64).contains(name.utf8.count) && name.utf8.first.map { $0 > 0x2E && $0 != 0x5F } == true
    }

    /// A name for the gazetteer of a file: that of the file, as far as it can be one.
    package static func name(for path: String) -> String {
        let base = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent.lowercased()
        let plain = base.map { isName("a\($0)") ? $0 : "-" }
        let name = String(plain.drop { "-._".contains($0) }.prefix(64))
        return name.isEmpty ? "gazetteer" : name
    }

    // MARK: Adding

    /// Adds a file, or replaces the gazetteer of that name. What stops it leaves all as it was.
    ///
    /// - Parameters:
    ///   - name: see `isName`.
    ///   - progress: called with the part that is read, 0 to 1.
    /// - Throws: `GazetteerError`, one line that says what to change.
    package func add(
        _ path: String, as name: String, _ options: Options = Options(), progress: (Double) -> Void = { _ in }
    ) throws -> AdditionReport {
        precondition(Self.isName(name), "the caller has looked")
        let file = try AddedFile(path: path)
        let isDump = try isDump(file)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw GazetteerError("\(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        let partial = "\(self.path(of: name)).\(getpid()).partial"
        defer { unlink(partial) }
        var report = AdditionReport()
        do {
            let source = URL(fileURLWithPath: path).lastPathComponent
            let writer = try GazetteerWriter(path: partial, source: source)
            if isDump {
                // What has the name is replaced.
                let others = try list().filter { $0.name != name }.reduce(0) { $0 + $1.places }
                try readDump(file, options, writer, others, &report, progress)
            } else {
                try readAddresses(file, name, writer, &report, progress)
            }
            try writer.finish()
        }
        guard report.places + report.divisions + report.addresses > 0 else {
            throw GazetteerError("\(path) has nothing to add" + hint(report, options))
        }
        guard rename(partial, self.path(of: name)) == 0 else {
            throw GazetteerError("\(self.path(of: name)) cannot be stored: \(String(cString: strerror(errno)))")
        }
        progress(1)
        return report
    }

    private func hint(_ report: AdditionReport, _ options: Options) -> String {
        if let bad = report.badRows.first { return ": in line \(bad.line), \(bad.reason)" }
        return report.passedOver > 0
            ? ": no row is of the classes \(options.classes.sorted().map(String.init).joined(separator: ","))" : ""
    }

    /// Whether it is a dump of GeoNames, by its first rows; otherwise it has the header of a table of addresses.
    private func isDump(_ file: AddedFile) throws -> Bool {
        var kinds: Set<Bool> = []
        try file.forEachText { entry, text in
            let piece = try text.read()
            let end = piece.firstIndex(of: 0x0A) ?? piece.count
            var line = piece[..<end]
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            if line.last == 0x0D { line = line.dropLast() }
            if line.withUnsafeBytes(GeoNamesDump.isRow) {
                kinds.insert(true)
            } else if AddressRows(header: Self.header(Array(line)).fields, source: "") != nil {
                kinds.insert(false)
            } else {
                throw GazetteerError(
                    "\(entry.map { "\($0) in " } ?? "")\(file.path) is neither a dump of GeoNames (19 columns between tabs) nor a table of "
                        + "addresses (a header with LON, LAT and STREET)")
            }
        }
        guard kinds.count == 1, let isDump = kinds.first else {
            throw GazetteerError("\(file.path) holds dumps and addresses; add them one by one")
        }
        return isDump
    }

    private static func header(_ line: [UInt8]) -> (fields: [String?], delimiter: UInt8) {
        let delimiter = CSVRecords.delimiter(of: line)
        var records = CSVRecords(line, delimiter: delimiter)
        return (records.next() ?? [], delimiter)
    }

    private func readDump(
        _ file: AddedFile, _ options: Options, _ writer: GazetteerWriter, _ others: Int,
        _ report: inout AdditionReport, _ progress: (Double) -> Void
    ) throws {
        var dump = GeoNamesDump(classes: options.classes, leastPopulation: options.leastPopulation)
        var isKnown = false
        func forEachLine(
            _ start: Double, _ body: (_ entry: String?, _ number: Int, _ line: UnsafeRawBufferPointer?) throws -> Void
        ) throws {
            var before = 0
            try file.forEachText { entry, text in
                var lines = LineReader()
                let read = {
                    progress(start + Double(before + text.position) / Double(file.size) / 2 * 0.999)
                    if !isKnown, text.position > Self.patience { throw wrong(file) }
                    return try text.read()
                }
                try lines.forEach(read: read) { try body(entry, $0, $1) }
                before += text.position
            }
        }
        try forEachLine(0) { _, _, line in
            guard let line else { return }
            dump.survey(line)
            isKnown = isKnown || GeoNamesDump.isRow(line)
        }
        try dump.writeAreas(to: writer, &report)
        try forEachLine(0.5) { entry, number, line in
            guard let line else {
                report.leaveOut(entry, number, "the line is longer than \(LineReader.limit >> 10) KiB")
                return
            }
            do { try dump.write(line, to: writer, &report) } catch let bad as BadRow {
                report.leaveOut(entry, number, bad.reason)
            }
            guard others + report.places <= placeLimit else {
                let before = others > 0 ? ", of which those added before have \(others)" : ""
                throw GazetteerError(
                    "\(file.path) has too many places: no more than \(placeLimit) can be added\(before); "
                        + "--min-population takes only the larger ones")
            }
        }
    }

    private func readAddresses(
        _ file: AddedFile, _ name: String, _ writer: GazetteerWriter, _ report: inout AdditionReport,
        _ progress: (Double) -> Void
    ) throws {
        try writer.row(AddressRows.header)
        var before = 0
        try file.forEachText { entry, text in
            var rows: AddressRows?
            var records = CSVReader()
            let read = {
                progress(Double(before + text.position) / Double(file.size) * 0.999)
                if report.good == 0, text.position > Self.patience { throw wrong(file) }
                return try text.read()
            }
            try records.forEach(read: read) { number, fields in
                guard let fields else {
                    report.leaveOut(entry, number, "the row is longer than \(LineReader.limit >> 10) KiB")
                    return
                }
                guard let known = rows else {
                    rows = AddressRows(header: fields, source: name)
                    guard rows != nil else { throw wrong(file) }
                    return
                }
                do { try known.write(fields, to: writer, &report) } catch let bad as BadRow {
                    report.leaveOut(entry, number, bad.reason)
                }
                guard report.addresses <= Self.addressLimit else {
                    throw GazetteerError("\(file.path) has more than \(Self.addressLimit) addresses")
                }
            }
            before += text.position
        }
    }

    private func wrong(_ file: AddedFile) -> GazetteerError {
        GazetteerError("\(file.path) has no row that can be used in its first \(Self.patience >> 20) MiB")
    }

    // MARK: Others

    /// Those that are there, by name.
    ///
    /// - Throws: `GazetteerError` if one is damaged.
    package func list() throws -> [Entry] {
        try names.map { name in
            var (places, addresses) = (0, 0)
            try GazetteerFile(path: path(of: name)).forEachRow(progress: { _ in }) { row in
                if row.equals(0, "place") { places += 1 }
                if row.equals(0, "address") { addresses += 1 }
            }
            var status = stat()
            stat(path(of: name), &status)
            return Entry(name: name, bytes: Int(status.st_size), places: places, addresses: addresses)
        }
    }

    /// Removes one.
    ///
    /// - Returns: whether it was there.
    /// - Throws: `GazetteerError` if it cannot be removed.
    package func remove(_ name: String) throws -> Bool {
        guard Self.isName(name) else { return false }
        if unlink(path(of: name)) == 0 { return true }
        guard errno == ENOENT else {
            throw GazetteerError("\(path(of: name)) cannot be removed: \(String(cString: strerror(errno)))")
        }
        return false
    }
}
