import Foundation

/// Reads tables as text: fields between commas, semicolons, tabs or bars, in quotation marks where need be (RFC 4180). In
/// memory is one record at a time.
final class DelimitedReader: FeatureReader {
    static let recordLimit = 8 << 20
    static let maxColumns = 1000

    private let window: TextWindow
    private let delimiter: UInt8
    private var record = DelimitedRecord()
    private var line = 1
    /// How bytes beyond ASCII are read; nil until there are some.
    private var isUTF8: Bool?
    private var position: PositionColumns.Kind = .pair(latitude: 0, longitude: 0)
    private var columns: [String] = []

    init(opening file: FeatureFile) throws {
        window = try TextWindow(path: file.path, limit: Self.recordLimit, look: file.look)
        let head = UnsafeBufferPointer(start: window.bytes + window.start, count: window.end - window.start)
        isUTF8 = Self.isUTF8(head)
        if isUTF8 == false { file.warnings.append(Self.singleByteWarning) }
        let start = DelimiterDetection.start(of: head)
        if start.lines > 0 {
            window.start += start.count
            line += start.lines
        }
        delimiter =
            start.delimiter
            ?? DelimiterDetection.delimiter(
                of: UnsafeBufferPointer(start: window.bytes + window.start, count: window.end - window.start))
        while try next() {
            guard record.isBlank else { break }
        }
        guard !record.fields.isEmpty else { throw FeatureFileFault("has no header") }
        try readHeader(file)
        try findPosition(file)
    }

    private func readHeader(_ file: FeatureFile) throws {
        let names = record.fields.count
        guard names <= Self.maxColumns else {
            throw FeatureFileFault("has \(names) columns; at most \(Self.maxColumns) are read")
        }
        guard !record.hasNUL else { throw FeatureFileFault("has a NUL in its header, in line \(recordLine)") }
        guard !record.isMisquoted else { throw FeatureFileFault("has a header that is no text") }
        for index in record.fields.indices {
            let name = try text(record.fields[index]).trimmingCharacters(in: .whitespacesAndNewlines)
            guard name.count <= 1000 else { throw FeatureFileFault("has a column name of more than 1,000 characters") }
            columns.append(name.isEmpty ? "column \(index + 1)" : name)
        }
        var seen: Set<String> = []
        for index in columns.indices where !seen.insert(columns[index]).inserted {
            let name = columns[index]
            var number = 2
            while !seen.insert("\(name) \(number)").inserted { number += 1 }
            columns[index] = "\(name) \(number)"
            file.warnings.append("Two columns are called “\(name)”; the second is taken for “\(columns[index])”.")
        }
        file.columns = columns
    }

    /// Finds the columns of the position by their names and by the first records.
    private func findPosition(_ file: FeatureFile) throws {
        var rows: [[String]] = []
        var place = window.start
        var sample = DelimitedRecord()
        while rows.count < 20, place < window.end,
            case .whole = sample.split(
                window.bytes, from: place, to: window.end, isLast: false, delimiter: delimiter)
        {
            place = sample.next
            if let row = try? sample.fields.map({ try text($0, isASCII: sample.isASCII) }) { rows.append(row) }
        }
        let found = try PositionColumns(columns, asked: file.options.columns) { column in
            rows.compactMap { $0.indices.contains(column) && !$0[column].isEmpty ? $0[column] : nil }
        }
        position = found.kind
        switch position {
        case .pair(let latitude, let longitude):
            file.positionColumns = [.latitude: columns[latitude], .longitude: columns[longitude]]
        case .geometry(let column, _):
            file.positionColumns = [.geometry: columns[column]]
            let values = rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
            if let srid = values.lazy.compactMap({ (try? GeometryText.wellKnown($0))?.srid }).first {
                file.referenceSystem = "EPSG:\(srid)"
            }
        }
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        while try next() {
            if !record.isBlank {
                let item: FeatureFile.Item
                do throws(FeatureFault) {
                    item = .feature(try feature(file))
                } catch {
                    item = .fault(error)
                }
                file.bytesRead = window.position
                try take(item)
            }
        }
        file.bytesRead = file.byteCount
    }

    // MARK: Records

    /// Where the record begins, and where the next one does.
    private var recordLine = 1

    /// Moves to the next record.
    ///
    /// - Returns: False at the end of the file.
    private func next() throws -> Bool {
        var isLast = false
        while true {
            if window.start == window.end, isLast { return false }
            if window.start < window.end {
                switch record.split(
                    window.bytes, from: window.start, to: window.end, isLast: isLast, delimiter: delimiter)
                {
                case .whole:
                    recordLine = line
                    line += record.lines
                    window.start = record.next
                    return true
                case .cut(let isQuoted):
                    if isLast, isQuoted {
                        throw FeatureFileFault(
                            "has a quotation mark in the record of line \(line) that is never closed")
                    }
                }
            }
            switch try window.grow() {
            case .grown: continue
            case .atEnd: isLast = true
            case .isFull:
                throw FeatureFileFault(
                    """
                    has a record of more than \(Self.recordLimit >> 20) MB in line \(line): it is no table, or a \
                    quotation mark is not closed
                    """)
            }
        }
    }

    @inline(__always)
    private func feature(_ file: FeatureFile) throws(FeatureFault) -> Feature {
        let row = recordLine
        func fault(_ field: String, _ message: String) -> FeatureFault {
            FeatureFault(row: row, field: field, message: message)
        }
        var count = record.fields.count
        if count != columns.count {
            // Some programs end each line with a delimiter.
            while count > columns.count, record.fields[count - 1].start == record.fields[count - 1].end { count -= 1 }
            guard count == columns.count else {
                throw fault("feature", "has \(count) fields, the header has \(columns.count)")
            }
        }
        guard !record.hasNUL else { throw fault("feature", "is no text: it has a NUL") }
        guard !record.isMisquoted else {
            throw fault("feature", "has something between a closing quotation mark and the next delimiter")
        }
        if !record.isASCII, isUTF8 != true { judgeEncoding(file) }
        let skipped: (Int, Int) =
            switch position {
            case .pair(let latitude, let longitude): (latitude, longitude)
            case .geometry(let column, _): (column, column)
            }
        var values: [Feature.Value] = []
        values.reserveCapacity(columns.count)
        for index in 0..<columns.count {
            let field = record.fields[index]
            if field.start == field.end || index == skipped.0 || index == skipped.1 {
                values.append(.null)
            } else if let text = fastText(field) {
                values.append(.text(text))
            } else {
                throw fault(columns[index], "is not UTF-8")
            }
        }
        return Feature(row: row, values: values, geometry: try geometry(file, row))
    }

    private func geometry(_ file: FeatureFile, _ row: Int) throws(FeatureFault) -> Feature.Geometry? {
        switch position {
        case .pair(let latitude, let longitude):
            let (y, x) = (trimmed(record.fields[latitude]), trimmed(record.fields[longitude]))
            if x.isEmpty && y.isEmpty { return nil }
            return .point(
                x: try coordinate(x, longitude, .longitude, row), y: try coordinate(y, latitude, .latitude, row))
        case .geometry(let column, let longitudeFirst):
            guard !trimmed(record.fields[column]).isEmpty else { return nil }
            let name = columns[column]
            guard let text = fastText(record.fields[column]) else {
                throw FeatureFault(row: row, field: name, message: "is not UTF-8")
            }
            do throws(GeometryTextFault) {
                return try geometry(text.trimmingCharacters(in: .whitespacesAndNewlines), longitudeFirst, file)
            } catch {
                throw FeatureFault(row: row, field: name, message: error.message)
            }
        }
    }

    private func coordinate(
        _ bytes: UnsafeBufferPointer<UInt8>, _ column: Int, _ axis: PositionText.Axis, _ row: Int
    ) throws(FeatureFault) -> Double {
        do throws(GeometryTextFault) {
            guard isUTF8 == false, !record.isASCII else { return try PositionText.coordinate(bytes, axis) }
            return try PositionText.coordinate(Transcoder.string(bytes), axis)
        } catch {
            throw FeatureFault(row: row, field: columns[column], message: error.message)
        }
    }

    private func geometry(
        _ text: String, _ longitudeFirst: Bool, _ file: FeatureFile
    ) throws(GeometryTextFault) -> Feature.Geometry? {
        guard let first = text.utf8.first else { return nil }
        // A letter of WKT, an object of GeoJSON or hexadecimal digits; else two coordinates.
        let isWord = "PLMGTSplmgts{".utf8.contains(first) && !"NSEWnsew".utf8.contains(first) || text.hasPrefix("SRID")
        if isWord
            || first == UInt8(ascii: "0") && text.utf8.count >= 42
                && text.utf8.allSatisfy({ hexadecimalDigit($0) != nil })
        {
            let (geometry, srid) = try GeometryText.wellKnown(text)
            if let srid, file.referenceSystem != "EPSG:\(srid)" {
                throw GeometryTextFault(
                    "is in EPSG:\(srid), but the file \(file.referenceSystem.map { "in \($0)" } ?? "names no system")")
            }
            return geometry
        }
        // An array is GeoJSON's way round.
        return try PositionText.pair(text, longitudeFirst: longitudeFirst || first == UInt8(ascii: "["))
    }

    private func trimmed(_ field: DelimitedRecord.Field) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (field.start, field.end)
        while start < end, window.bytes[start] <= 0x20 { start += 1 }
        while end > start, window.bytes[end - 1] <= 0x20 { end -= 1 }
        return UnsafeBufferPointer(start: window.bytes + start, count: end - start)
    }

    // MARK: Characters

    private static let singleByteWarning =
        "The text is not in UTF-8; it is read as Windows-1252 (Latin-1)."

    /// The first bytes beyond ASCII decide.
    private func judgeEncoding(_ file: FeatureFile) {
        guard isUTF8 == nil, let first = record.fields.first, let last = record.fields.last else { return }
        let bytes = UnsafeBufferPointer(start: window.bytes + first.start, count: last.end - first.start)
        isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        if isUTF8 == false { file.warnings.append(Self.singleByteWarning) }
    }

    /// Whether more lines beyond ASCII are UTF-8 than not; nil if there are none.
    private static func isUTF8(_ head: UnsafeBufferPointer<UInt8>) -> Bool? {
        var good = 0
        var bad = 0
        var lines = head.split(separator: 0x0A, omittingEmptySubsequences: true)
        // The last may be cut within a character.
        if lines.count > 1 { lines.removeLast() }
        for line in lines where line.contains(where: { $0 >= 0x80 }) {
            if String(validating: line, as: UTF8.self) != nil { good += 1 } else { bad += 1 }
        }
        return good + bad == 0 ? nil : good >= bad
    }

    private func text(_ field: DelimitedRecord.Field) throws -> String {
        try text(field, isASCII: record.isASCII)
    }

    private func text(_ field: DelimitedRecord.Field, isASCII: Bool) throws -> String {
        guard let text = fastText(field, isASCII: isASCII) else {
            throw FeatureFileFault("has a header that is not UTF-8")
        }
        return text
    }

    @inline(__always)
    private func fastText(_ field: DelimitedRecord.Field) -> String? { fastText(field, isASCII: record.isASCII) }

    /// What a field says; nil if it is not in the encoding of the file.
    @inline(__always)
    private func fastText(_ field: DelimitedRecord.Field, isASCII: Bool) -> String? {
        let bytes = UnsafeBufferPointer(start: window.bytes + field.start, count: field.end - field.start)
        if isASCII, !field.hasDoubledQuotes { return String(decoding: bytes, as: UTF8.self) }
        return slowText(bytes, field)
    }

    private func slowText(_ bytes: UnsafeBufferPointer<UInt8>, _ field: DelimitedRecord.Field) -> String? {
        let text = isUTF8 == false ? Transcoder.string(bytes) : String(validating: bytes, as: UTF8.self)
        return field.hasDoubledQuotes ? text?.replacingOccurrences(of: "\"\"", with: "\"") : text
    }
}
