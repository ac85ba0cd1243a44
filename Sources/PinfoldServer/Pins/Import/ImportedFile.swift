/// A file of places, read: what format it is in, and each of its places.
struct ImportedFile: Sendable {
    let format: ImportFormat
    let rows: [ImportedRow]

    /// Reads a file, whose format is told by its content unless `format` says it.
    ///
    /// - Parameter now: milliseconds since 1970; a time behind it is no time that a place was made.
    /// - Throws: `ImportFault` if it cannot be read at all.
    init(parsing bytes: [UInt8], as format: ImportFormat?, at now: Int64) throws {
        let text = try Self.utf8(bytes)
        let first = text.first { $0 > 0x20 || $0 == 0x1E }
        let isXML = first == UInt8(ascii: "<")
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == 0x1E
        guard first != nil else { throw ImportFault("is empty") }
        switch format {
        case .gpx: self.init(format: .gpx, rows: try GPXImport.read(text, at: now))
        case .kml: self.init(format: .kml, rows: try KMLImport.read(text, at: now))
        case nil where isXML: self = try Self.xml(text, at: now)
        case .csv: self.init(try CSVImport.read(text, at: now))
        case .geojson, .swarm: self.init(try JSONImport.read(text, as: format, at: now))
        case .takeout, nil:
            self.init(
                isJSON ? try JSONImport.read(text, as: format, at: now) : try CSVImport.read(text, at: now))
        }
    }

    private init(_ read: (format: ImportFormat, rows: [ImportedRow])) {
        self.init(format: read.format, rows: read.rows)
    }

    private init(format: ImportFormat, rows: [ImportedRow]) {
        self.format = format
        self.rows = rows
    }

    private static func xml(_ text: [UInt8], at now: Int64) throws -> ImportedFile {
        struct Found: Error { let root: String }
        do {
            try XMLReader.forEach(in: text) { if case .start(let name, _) = $0 { throw Found(root: name) } }
        } catch let found as Found {
            switch found.root {
            case "gpx": return ImportedFile(format: .gpx, rows: try GPXImport.read(text, at: now))
            case "kml": return ImportedFile(format: .kml, rows: try KMLImport.read(text, at: now))
            default: break
            }
        }
        throw ImportFault("is XML, but neither GPX nor KML")
    }

    /// The text without its byte order mark, UTF-16 as UTF-8.
    private static func utf8(_ bytes: [UInt8]) throws -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            throw ImportFault("is a ZIP archive; unpack it and import its files one by one")
        }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        guard bytes.count % 2 == 0 else { throw ImportFault("is broken UTF-16") }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw ImportFault("is broken UTF-16") }
        return Array(text.utf8)
    }
}
