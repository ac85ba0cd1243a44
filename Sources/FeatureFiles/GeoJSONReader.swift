/// Reads GeoJSON (RFC 7946): a collection, or features, geometries and collections one after another, as lines or as a text
/// sequence (RFC 8142). In memory is one feature at a time.
final class GeoJSONReader: FeatureReader {
    /// Of one feature, and of any other member of a collection.
    static let featureLimit = 8 << 20
    static let maxColumns = 1000

    private let window: TextWindow
    private var columns = ColumnTable()
    /// Features so far, and those with a fault.
    private var count = 0
    /// The lines before the start of the window's unread part, where the values are in lines.
    private var lines = 0
    private var isSequence: Bool
    /// A record separator stands before each (RFC 8142), so that a value may have several lines.
    private var hasSeparators = false

    init(opening file: FeatureFile) throws {
        window = try TextWindow(path: file.path, limit: Self.featureLimit, look: file.look)
        isSequence = file.format == .geojsonseq
        file.referenceSystem = try GeoJSONReferenceSystem.find(in: file, head: window)
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        var isFirst = true
        while let byte = try skipToValue() {
            guard byte == UInt8(ascii: "{") else {
                guard !isFirst || isSequence else {
                    throw FeatureFileFault(
                        byte == UInt8(ascii: "[")
                            ? "is a JSON array; GeoJSON is a collection, an object with features"
                            : "is no GeoJSON: it begins with no object")
                }
                try value(refused: FeatureFault(row: row, field: "feature", message: "is no object"), file, take)
                continue
            }
            try object(isFirst: isFirst, file, take)
            isFirst = false
        }
        guard !isFirst else { throw FeatureFileFault("has no GeoJSON in it") }
        file.bytesRead = file.byteCount
    }

    // MARK: Values

    /// Moves to the next value.
    ///
    /// - Returns: Its first byte; nil at the end of the file.
    private func skipToValue() throws -> UInt8? {
        while true {
            while window.start < window.end {
                let byte = window.bytes[window.start]
                if byte > 0x20 { return byte }
                if byte == 0x0A { lines += 1 }
                if byte == 0x1E {
                    isSequence = true
                    hasSeparators = true
                }
                window.start += 1
            }
            if try window.grow() == .atEnd { return nil }
        }
    }

    /// Where a fault is told to be: the line of a sequence, the number of the feature in a collection.
    private var row: Int { isSequence ? lines + 1 : count + 1 }

    /// What an object of the file turns out to be.
    private enum Head {
        /// A collection: its features begin.
        case collection
        /// A collection without any.
        case none
        case feature(Feature)
    }

    private func object(isFirst: Bool, _ file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        let row = row
        do {
            switch try attempt({ cursor throws(JSONFault) in try self.head(&cursor, file, row: row) }) {
            case .collection:
                try features(file, take)
                try rest(file)
            case .none: break
            case .feature(let feature):
                count += 1
                file.bytesRead = window.position
                try take(.feature(feature))
            }
        } catch let fault as JSONFault {
            switch fault {
            case .wrong(let field, let message):
                guard isSequence || !isFirst else { throw FeatureFileFault("is no GeoJSON: its \(field) \(message)") }
                let fault = FeatureFault(row: row, field: field, message: message)
                // It may stand over several lines.
                guard try leapOverObject() else { return try value(refused: fault, file, take) }
                count += 1
                try take(.fault(fault))
            case .syntax(let at, let message):
                guard isSequence else { throw syntaxFault(at, message) }
                try value(
                    refused: FeatureFault(row: row, field: "feature", message: "is no JSON: \(message)"), file, take)
            case .ends: throw endsTooEarly
            }
        }
    }

    /// Steps over an object, if its end is found.
    private func leapOverObject() throws -> Bool {
        while true {
            var cursor = cursor
            if cursor.leap() {
                advance(to: cursor.index)
                return true
            }
            guard try window.grow() == .grown else { return false }
        }
    }

    /// Steps over a value of a sequence, to the end of its line or the beginning of the next text.
    private func value(
        refused fault: FeatureFault, _ file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void
    ) throws {
        isSequence = true
        count += 1
        scan: while true {
            while window.start < window.end {
                let byte = window.bytes[window.start]
                if byte == 0x1E || byte == 0x0A && !hasSeparators { break scan }
                if byte == 0x0A { lines += 1 }
                window.start += 1
            }
            if try window.grow() == .atEnd { break }
        }
        file.bytesRead = window.position
        try take(.fault(fault))
    }

    private var cursor: JSONCursor { JSONCursor(bytes: window.bytes, index: window.start, end: window.end) }

    private func advance(to index: Int) {
        if isSequence {
            for place in window.start..<index where window.bytes[place] == 0x0A { lines += 1 }
        }
        window.start = index
    }

    /// Runs `parse` from the window's start, again with more of the file as long as it comes to the end of the window.
    ///
    /// - Throws: What `parse` throws, but `ends` only at the end of the file; `FeatureFileFault` if the window is full.
    @inline(__always)
    private func attempt<Found>(_ parse: (inout JSONCursor) throws(JSONFault) -> Found) throws -> Found {
        while true {
            var cursor = cursor
            do throws(JSONFault) {
                let found = try parse(&cursor)
                advance(to: cursor.index)
                return found
            } catch {
                guard case .ends = error else { throw error }
                switch try window.grow() {
                case .grown: continue
                case .atEnd: throw JSONFault.ends
                case .isFull:
                    throw FeatureFileFault(
                        """
                        has a feature of more than \(Self.featureLimit >> 20) MB at byte \(window.offset(of: window.start)), \
                        after \(count) features
                        """)
                }
            }
        }
    }

    private var endsTooEarly: FeatureFileFault {
        FeatureFileFault(
            "ends too early, at byte \(window.offset(of: window.end)), after \(count) features: it is not whole")
    }

    private func syntaxFault(_ at: Int, _ message: String) -> FeatureFileFault {
        FeatureFileFault("is no JSON at byte \(window.offset(of: at)), after \(count) features: \(message)")
    }

    // MARK: Collections

    /// The members of an object, up to where it is known what it is.
    private func head(_ cursor: inout JSONCursor, _ file: FeatureFile, row: Int) throws(JSONFault) -> Head {
        let start = cursor.index
        try cursor.expect(UInt8(ascii: "{"))
        guard try !cursor.take(UInt8(ascii: "}")) else { throw .wrong("type", "is missing") }
        var type: String?
        repeat {
            let key = try cursor.text()
            try cursor.expect(UInt8(ascii: ":"))
            let first = try cursor.peek()
            if cursor.equal(key, "features"), first == UInt8(ascii: "["), type == nil || type == "FeatureCollection" {
                cursor.index += 1
                return .collection
            }
            if cursor.equal(key, "type"), first == UInt8(ascii: "\"") {
                let name = try cursor.string(try cursor.text())
                type = name
                switch name {
                case "FeatureCollection": break
                case "Feature":
                    cursor.index = start
                    return .feature(try GeoJSONFeature.read(&cursor, &columns, file, row: row))
                case "Topology": throw .wrong("type", "is Topology: TopoJSON is not read, change it into GeoJSON")
                default: return .feature(try geometryAlone(&cursor, start, row: row))
                }
            } else if type == nil, cursor.equal(key, "properties") || cursor.equal(key, "geometry") {
                cursor.index = start
                return .feature(try GeoJSONFeature.read(&cursor, &columns, file, row: row))
            } else if type == nil, cursor.equal(key, "coordinates") || cursor.equal(key, "geometries") {
                return .feature(try geometryAlone(&cursor, start, row: row))
            } else {
                try cursor.skip()
            }
        } while try cursor.hasNext(before: UInt8(ascii: "}"))
        guard type == "FeatureCollection" else { throw .wrong("type", "is missing") }
        throw .wrong("features", "are missing")
    }

    private func geometryAlone(_ cursor: inout JSONCursor, _ start: Int, row: Int) throws(JSONFault) -> Feature {
        cursor.index = start
        return Feature(row: row, values: [], geometry: try cursor.geometry())
    }

    private enum Element {
        case end
        case feature(Feature)
    }

    /// The features of a collection, up to the end of their array.
    private func features(_ file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        var isFirst = true
        while true {
            do {
                let row = count + 1
                let first = isFirst
                switch try attempt({ cursor throws(JSONFault) in try self.element(&cursor, isFirst: first, file, row) })
                {
                case .end: return
                case .feature(let feature):
                    count = row
                    file.bytesRead = window.position
                    try take(.feature(feature))
                }
            } catch let fault as JSONFault {
                try take(.fault(try leap(over: fault, isFirst: isFirst)))
            }
            isFirst = false
        }
    }

    @inline(__always)
    private func element(
        _ cursor: inout JSONCursor, isFirst: Bool, _ file: FeatureFile, _ row: Int
    ) throws(JSONFault) -> Element {
        if isFirst {
            if try cursor.take(UInt8(ascii: "]")) { return .end }
        } else {
            guard try cursor.hasNext(before: UInt8(ascii: "]")) else { return .end }
        }
        return .feature(try GeoJSONFeature.read(&cursor, &columns, file, row: row))
    }

    /// Steps over an element that cannot be used, if the collection can be read on behind it.
    ///
    /// - Throws: `FeatureFileFault` if not.
    private func leap(over fault: JSONFault, isFirst: Bool) throws -> FeatureFault {
        var place = window.start
        while true {
            var cursor = cursor
            var isBehind = false
            if (try? cursor.peek()) != nil {
                if !isFirst, cursor.bytes[cursor.index] == UInt8(ascii: ",") { cursor.index += 1 }
                isBehind = (try? cursor.peek()) != nil && cursor.leap()
                place = cursor.index
                if isBehind, let next = try? cursor.peek() {
                    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "]") else { break }
                    window.start = cursor.index
                    count += 1
                    switch fault {
                    case .wrong(let field, let message):
                        return FeatureFault(row: count, field: field, message: message)
                    case .syntax(_, let message):
                        return FeatureFault(row: count, field: "feature", message: "is no JSON: \(message)")
                    case .ends: break
                    }
                }
            }
            guard try window.grow() == .grown else { throw endsTooEarly }
        }
        if case .syntax(_, let message) = fault { throw syntaxFault(window.start, message) }
        throw syntaxFault(place, "a comma or bracket is missing")
    }

    /// The members of a collection behind its features.
    private func rest(_ file: FeatureFile) throws {
        do {
            while try attempt({ cursor throws(JSONFault) in
                guard try cursor.hasNext(before: UInt8(ascii: "}")) else { return false }
                let key = try cursor.text()
                try cursor.expect(UInt8(ascii: ":"))
                _ = try cursor.peek()
                let start = cursor.index
                if cursor.equal(key, "crs") {
                    let system = try GeoJSONReferenceSystem.read(&cursor)
                    guard system == file.referenceSystem else {
                        throw .syntax(
                            at: start, "it names its coordinate reference system only behind its features")
                    }
                } else {
                    try cursor.skip()
                }
                return true
            }) {}
        } catch let fault as JSONFault {
            guard case .syntax(let at, let message) = fault else { throw endsTooEarly }
            throw syntaxFault(at, message)
        }
    }
}
