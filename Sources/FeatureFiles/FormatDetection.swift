/// What the first bytes of a file tell of its format.
enum FormatDetection {
    /// How many bytes it looks at.
    static let headSize = 1 << 16

    /// - Parameter head: the first bytes of the file, unpacked.
    /// - Parameter asked: what it must be, nil if that is not known.
    /// - Throws: `FeatureFileFault`, which says what the file is if that can be told.
    static func format(
        of head: UnsafeRawBufferPointer, path: String, asked: FeatureFormat?
    ) throws -> FeatureFormat {
        // Nothing but the end of a list of files.
        if head.starts(with: [0x50, 0x4B, 0x05, 0x06]) { throw FeatureFileFault("is a ZIP archive without files") }
        guard let asked else {
            // What an archive is, the names of its files tell, which stand at its end.
            return head.starts(with: "PK".utf8) ? try ArchiveListing(path: path).format() : try format(of: head)
        }
        guard !head.isEmpty else { throw FeatureFileFault("is empty") }
        if TextEncoding.head(head).first == UInt8(ascii: "<") {
            do { _ = try format(of: head) } catch let fault as FeatureFileFault where fault == htmlPage {
                throw fault
            } catch {}
        }
        return asked
    }

    private static func format(of head: UnsafeRawBufferPointer) throws -> FeatureFormat {
        guard !head.isEmpty else { throw FeatureFileFault("is empty") }
        if head.starts(with: "SQLite format 3\0".utf8) { return .geopackage }
        if head.count > 16, head[4] == 0x0A, head[6...].starts(with: "OSMHeader".utf8) { return .pbf }
        for (bytes, name) in known where head.starts(with: bytes) {
            throw FeatureFileFault("is \(name), which is not read")
        }
        let text = TextEncoding.head(head)
        // A text with a few control characters is a text: what is wrong with it, its reader says.
        let controls = text.count(where: isControl)
        guard controls < 4 || controls * 20 < text.count else {
            throw FeatureFileFault("is of no known format, and no text: \(firstControl(in: head))")
        }
        switch text.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: return jsonFormat(text)
        case UInt8(ascii: "<"): return try xmlFormat(text)
        case nil: throw FeatureFileFault("has nothing but white space")
        default: return .csv
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 9 || (14..<32).contains(byte) && byte != 0x1E }

    private static func firstControl(in head: UnsafeRawBufferPointer) -> String {
        guard TextEncoding(head: head) == .utf8, let place = head.firstIndex(where: isControl) else {
            return "it is full of control characters"
        }
        let line = 1 + head[..<place].count { $0 == 0x0A }
        let name = head[place] == 0 ? "a NUL" : "the control character \(head[place])"
        return "it has \(name) at byte \(place + 1), in line \(line)"
    }

    private static let known: [([UInt8], String)] = [
        ([0x1F, 0x8B], "packed by gzip: unpack it first"), (Array("%PDF".utf8), "a PDF document"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
        (Array("GIF8".utf8), "a GIF image"), (Array("Rar!".utf8), "a RAR archive"),
        ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"), (Array("BZh".utf8), "packed by bzip2: unpack it first"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "packed by xz: unpack it first"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document: save its table as CSV"),
        ([0x00, 0x00, 0x27, 0x0A], "one part of a shapefile: put its .shp, .shx, .dbf and .prj into one ZIP archive"),
        (Array("fgb".utf8), "a FlatGeobuf"), (Array("PAR1".utf8), "a Parquet file"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// A sequence if a whole object is followed by another, or its end is not seen and it says that it is one feature.
    private static func jsonFormat(_ text: ArraySlice<UInt8>) -> FeatureFormat {
        guard text.first != 0x1E else { return .geojsonseq }
        var depth = 0
        var isInString = false
        var isEscaped = false
        for (index, byte) in zip(text.indices, text) {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth <= 0 else { continue }
                return text[(index + 1)...].contains { $0 == UInt8(ascii: "{") || $0 == 0x1E } ? .geojsonseq : .geojson
            default: break
            }
        }
        return .geojson
    }

    private static func xmlFormat(_ text: ArraySlice<UInt8>) throws -> FeatureFormat {
        let name = rootElement(String(decoding: text, as: UTF8.self))
        switch name {
        case "kml", "Document", "Placemark", "Folder": return .kml
        case "gpx": return .gpx
        case "osm": return .osm
        case "osmChange": throw FeatureFileFault("is a change of OpenStreetMap, no data of its own")
        default:
            if name.lowercased() == "html" { throw htmlPage }
            throw FeatureFileFault(
                name.isEmpty ? "is of no known format" : "is XML of an unknown kind: <\(name.prefix(40))>")
        }
    }

    private static let htmlPage = FeatureFileFault(
        "is an HTML page, no data: it may be what a server answered instead of the file")

    /// The name of the first element, without its prefix; `html` also if the document type or only its parts say so.
    private static func rootElement(_ text: String) -> String {
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return "" }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("?") {
                continue
            } else if rest.hasPrefix("!") {
                if rest.prefix(13).lowercased() == "!doctype html" { return "html" }
                // A document type of its own may have elements in brackets.
                if let bracket = rest.firstIndex(of: "["), let end = rest.firstIndex(of: ">"), bracket < end {
                    guard let close = rest.firstIndex(of: "]") else { return "" }
                    rest = rest[close...]
                }
            } else {
                let name = rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
                let local = name.split(separator: ":").last.map(String.init) ?? ""
                return ["head", "body", "title", "meta", "script"].contains(local.lowercased()) ? "html" : local
            }
        }
        return ""
    }
}
