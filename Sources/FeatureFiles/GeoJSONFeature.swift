/// One feature of GeoJSON (RFC 7946, 3.2).
enum GeoJSONFeature {
    /// - Parameter row: where the file has it.
    static func read(
        _ cursor: inout JSONCursor, _ columns: inout ColumnTable, _ file: FeatureFile, row: Int
    ) throws(JSONFault) -> Feature {
        guard try cursor.peek() == UInt8(ascii: "{") else { throw .wrong("feature", "is no object") }
        cursor.index += 1
        var feature = Feature(row: row, values: [], geometry: nil)
        var isFeature = false
        var hasGeometry = false
        if try cursor.take(UInt8(ascii: "}")) { throw .wrong("type", "is missing") }
        repeat {
            let key = try cursor.text()
            try cursor.expect(UInt8(ascii: ":"))
            if cursor.equal(key, "type") {
                guard try cursor.peek() == UInt8(ascii: "\"") else { throw .wrong("type", "is not “Feature”") }
                guard cursor.equal(try cursor.text(), "Feature") else { throw .wrong("type", "is not “Feature”") }
                isFeature = true
            } else if cursor.equal(key, "properties") {
                if try cursor.peek() == UInt8(ascii: "n") {
                    try cursor.word("null")
                } else {
                    try properties(&cursor, &columns, file, into: &feature.values)
                }
            } else if cursor.equal(key, "geometry") {
                feature.geometry = try cursor.geometry()
                hasGeometry = true
            } else if cursor.equal(key, "id") {
                feature.id = try identifier(&cursor)
            } else {
                try cursor.skip()
            }
        } while try cursor.hasNext(before: UInt8(ascii: "}"))
        guard isFeature || hasGeometry else { throw .wrong("type", "is missing") }
        return feature
    }

    private static func identifier(_ cursor: inout JSONCursor) throws(JSONFault) -> String? {
        switch try cursor.peek() {
        case UInt8(ascii: "\""): return try cursor.string(try cursor.text())
        case UInt8(ascii: "n"):
            try cursor.word("null")
            return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"):
            throw .wrong("id", "is no text or number")
        default: return try json(&cursor)
        }
    }

    /// A value that is no string, as its text.
    private static func json(_ cursor: inout JSONCursor) throws(JSONFault) -> String {
        let start = cursor.index
        try cursor.skip()
        return String(
            decoding: UnsafeBufferPointer(start: cursor.bytes + start, count: cursor.index - start), as: UTF8.self)
    }

    @inline(__always)
    private static func properties(
        _ cursor: inout JSONCursor, _ columns: inout ColumnTable, _ file: FeatureFile,
        into values: inout [Feature.Value]
    ) throws(JSONFault) {
        guard try cursor.peek() == UInt8(ascii: "{") else { throw .wrong("properties", "is no object") }
        cursor.index += 1
        if try cursor.take(UInt8(ascii: "}")) { return }
        values.reserveCapacity(columns.usual)
        columns.begin()
        repeat {
            let key = try cursor.text()
            try cursor.expect(UInt8(ascii: ":"))
            let column: Int
            if let known = columns.next(cursor.bytes + key.start, count: key.end - key.start) {
                column = known
            } else {
                column = try columns.column(of: key, cursor, file)
            }
            let value: Feature.Value
            switch try cursor.peek() {
            case UInt8(ascii: "\""): value = .text(try cursor.string(try cursor.text()))
            case UInt8(ascii: "n"):
                try cursor.word("null")
                value = .null
            default: value = .json(try json(&cursor))
            }
            if column == values.count {
                values.append(value)
            } else {
                while values.count <= column { values.append(.null) }
                values[column] = value
            }
        } while try cursor.hasNext(before: UInt8(ascii: "}"))
    }
}

/// The columns of a file whose records bring the names of their values.
struct ColumnTable {
    private var numbers: [String: Int] = [:]
    /// Names as they were written in the last record, one after another, and the columns that they are.
    private var written: [(start: Int, count: Int, column: Int)] = []
    private var names: [UInt8] = []
    private var place = 0
    private(set) var usual = 0

    /// Begins a record.
    mutating func begin() {
        place = 0
    }

    /// The column whose name is next in the record, if it is as in the records before.
    @inline(__always)
    mutating func next(_ name: UnsafePointer<UInt8>, count: Int) -> Int? {
        // Members that this record leaves out are stepped over.
        var candidate = place
        while candidate < written.count, candidate < place + 4 {
            let entry = written[candidate]
            if entry.count == count, names.withUnsafeBufferPointer({ same($0.baseAddress! + entry.start, name, count) })
            {
                place = candidate + 1
                return entry.column
            }
            candidate += 1
        }
        return nil
    }

    @inline(__always)
    private func same(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for index in 0..<count where one[index] != other[index] { return false }
        return true
    }

    /// The column of a name that stands where another stood before.
    mutating func column(of key: JSONCursor.Text, _ cursor: JSONCursor, _ file: FeatureFile) throws(JSONFault) -> Int {
        let name = try cursor.string(key)
        if let number = numbers[name] {
            // Records of two kinds alternate; what comes behind is looked for behind it.
            if let entry = written.firstIndex(where: { $0.column == number }) { place = entry + 1 }
            return number
        }
        guard numbers.count < GeoJSONReader.maxColumns else {
            throw .wrong(
                "properties",
                "has “\(name.prefix(40))”: with it the file has more than \(GeoJSONReader.maxColumns) names")
        }
        let number = numbers.count
        numbers[name] = number
        file.columns.append(name)
        usual = number + 1
        if key.end > key.start {
            let raw = UnsafeBufferPointer(start: cursor.bytes + key.start, count: key.end - key.start)
            written.append((start: names.count, count: raw.count, column: number))
            names.append(contentsOf: raw)
            place = written.count
        }
        return number
    }
}
