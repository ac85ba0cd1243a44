import HTTP

/// Places in JSON: GeoJSON of anybody, of this service, of Google Takeout and of Mapstr; check-ins of Swarm.
struct JSONImport {
    /// A row of more bytes than this is refused unread: the longest texts of a pin, all escaped, take half.
    static let rowBytes = 256 << 10
    /// How many check-ins are read; those of one venue are one place.
    static let checkinLimit = 100_000

    private let text: [UInt8]
    private let now: Int64
    private var rows = ImportedRows()

    /// Reads a whole file.
    ///
    /// - Throws: `ImportFault`.
    static func read(
        _ text: [UInt8], as format: ImportFormat?, at now: Int64
    ) throws -> (format: ImportFormat, rows: [ImportedRow]) {
        var reader = JSONImport(text: text, now: now)
        return try reader.read(format)
    }

    private init(text: [UInt8], now: Int64) {
        self.text = text
        self.now = now
    }

    private mutating func read(_ wanted: ImportFormat?) throws -> (format: ImportFormat, rows: [ImportedRow]) {
        var scanner = JSONScanner(text)
        let first = try scanner.value()
        scanner.skipSpace()
        if scanner.next != nil {
            // More than one value: features, one a line.
            guard text[first.lowerBound] == UInt8(ascii: "{") else { throw scanner.fault() }
            return (try features(inLinesFrom: first.lowerBound), rows.all)
        }
        let list = try outline(first)
        let format = wanted ?? list.format(in: text)
        switch format {
        case .swarm: try checkins(in: list.elements)
        case .geojson, .takeout: try features(in: list.elements)
        case .gpx, .kml, .csv: throw ImportFault("is JSON, not \(format.rawValue)")
        }
        return (format, rows.all)
    }

    // MARK: The list in the file

    /// Where a file has its places.
    private struct Outline {
        /// The array of them; or the one feature that the file is.
        var elements: Range<Int>
        var isOne = false
        var isCheckins = false

        /// The format that the file looks like, by its first place.
        func format(in text: [UInt8]) -> ImportFormat {
            if isCheckins { return .swarm }
            var scanner = JSONScanner(text, in: elements)
            let first = isOne ? elements : scanner.firstElement()
            guard let first, first.count <= JSONImport.rowBytes,
                let feature = try? JSONValue(parsing: Array(text[first]))
            else { return .geojson }
            if feature["venue"] != nil { return .swarm }
            return GeoJSONFeature(feature).isTakeout ? .takeout : .geojson
        }
    }

    private func outline(_ value: Range<Int>) throws -> Outline {
        if text[value.lowerBound] == UInt8(ascii: "[") { return Outline(elements: value) }
        let top = try members(of: value, ["type", "features", "items", "response", "checkins"])
        if let features = top["features"] { return Outline(elements: features) }
        if let items = top["items"] { return Outline(elements: items, isCheckins: true) }
        if let response = top["response"], let checkins = try members(of: response, ["checkins"])["checkins"],
            let items = try members(of: checkins, ["items"])["items"]
        {
            return Outline(elements: items, isCheckins: true)
        }
        guard let type = top["type"], text[type].elementsEqual(Array("\"Feature\"".utf8)) else {
            throw ImportFault("is JSON, but neither GeoJSON features nor check-ins")
        }
        return Outline(elements: value, isOne: true)
    }

    private func members(of object: Range<Int>, _ names: Set<String>) throws -> [String: Range<Int>] {
        guard text[object.lowerBound] == UInt8(ascii: "{") else { return [:] }
        var found: [String: Range<Int>] = [:]
        var scanner = JSONScanner(text, in: object)
        try scanner.members { name, value in
            guard names.contains(name) else { return }
            guard found.updateValue(value, forKey: name) == nil else {
                throw ImportFault("has the member \"\(name)\" twice")
            }
        }
        return found
    }

    // MARK: Features

    private mutating func features(in elements: Range<Int>) throws {
        guard text[elements.lowerBound] == UInt8(ascii: "[") else {
            guard text[elements.lowerBound] == UInt8(ascii: "{") else { throw ImportFault("has no list of features") }
            return try feature(elements)
        }
        var scanner = JSONScanner(text, in: elements)
        var ranges: [Range<Int>] = []
        try scanner.elements { range in
            guard ranges.count < ImportedRows.limit else { throw ImportFault.tooManyRows }
            ranges.append(range)
        }
        for range in ranges { try feature(range) }
    }

    private mutating func features(inLinesFrom start: Int) throws -> ImportFormat {
        var format: ImportFormat?
        var start = start
        while start < text.count {
            let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x1E } ?? text.count
            let line = start..<end
            start = end + 1
            let isBlank = text[line].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            if isBlank { continue }
            if format == nil { format = Outline(elements: line, isOne: true).format(in: text) }
            try feature(line)
        }
        return format == .takeout ? .takeout : .geojson
    }

    private mutating func feature(_ range: Range<Int>) throws {
        let number = rows.next
        do {
            try rows.append(GeoJSONFeature(try value(range)).place.row(number, at: now))
        } catch let fault as JSONValue.Fault {
            try rows.append(.rejected(row: number, field: "feature", message: fault.message))
        }
    }

    /// - Throws: `JSONValue.Fault`, or `ImportFault` never.
    private func value(_ range: Range<Int>) throws -> JSONValue {
        guard range.count <= Self.rowBytes else { return .string("") }
        return try JSONValue(parsing: Array(text[range]))
    }

    // MARK: Check-ins

    private mutating func checkins(in elements: Range<Int>) throws {
        guard text[elements.lowerBound] == UInt8(ascii: "[") else { throw ImportFault("has no list of check-ins") }
        var scanner = JSONScanner(text, in: elements)
        var ranges: [Range<Int>] = []
        try scanner.elements { range in
            guard ranges.count < Self.checkinLimit else {
                throw ImportFault("has more than \(Self.checkinLimit) check-ins; import it in parts")
            }
            ranges.append(range)
        }
        var venues = SwarmVenues()
        for (index, range) in ranges.enumerated() {
            do {
                venues.add(try value(range), row: index + 1)
            } catch let fault as JSONValue.Fault {
                venues.reject(row: index + 1, field: "checkin", message: fault.message)
            }
        }
        for row in venues.rows(at: now) { try rows.append(row) }
    }
}

extension JSONValue {
    /// The member of an object; nil for null and what is no object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members.first(where: { $0.name == name })?.value,
            value != .null
        else { return nil }
        return value
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }

    /// The text of a string or a number; one in digits stays so.
    var written: String? {
        switch self {
        case .string(let text): text
        case .number(let number) where number == number.rounded() && abs(number) < 1e15: String(Int64(number))
        case .number(let number) where number.isFinite: String(number)
        default: nil
        }
    }

    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
