import CXML2
import HTTP

/// A streaming reader of XML 1.0 over libxml2: elements and text, nothing else.
///
/// A document type is refused, so there are no entities to expand and nothing to fetch. Namespaces are not looked at. It
/// takes linear time: libxml2 compares each attribute of an element with all others, so the reader counts them first.
/// (libxml2's own `xmlTextReader` is not used because it searches the end of a long comment again and again.)
struct XMLReader {
    enum Event {
        /// The local name, without its prefix.
        case start(String, Attributes)
        case end(String)
        case text(String)
    }

    /// The attributes of the element that has just begun, by their whole name; good for the time of the event.
    struct Attributes {
        /// Names and values in turn, with a null behind the last.
        fileprivate let list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

        subscript(name: String) -> String? {
            guard let list else { return nil }
            var index = 0
            while let found = list[index] {
                if String(cString: found) == name { return list[index + 1].map { String(cString: $0) } }
                index += 2
            }
            return nil
        }
    }

    static let deepest = 32
    static let mostAttributes = 32

    /// Hands each event to `body`.
    ///
    /// - Throws: `ImportFault` for what is not well-formed or has a document type, or what `body` throws.
    static func forEach(in text: [UInt8], _ body: (Event) throws -> Void) throws {
        _ = isReady
        let encoding = try encoding(of: text)
        try checkTags(text)
        try withoutActuallyEscaping(body) { body in
            let handler = Handler(body)
            try handler.read(text, encoding)
        }
    }

    /// libxml2 wants to be started once, ahead of threads.
    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// What libxml2 calls back.
    private final class Handler {
        private let body: (Event) throws -> Void
        private var parser: xmlParserCtxtPtr?
        private var depth = 0
        private var failure: (any Error)?

        init(_ body: @escaping (Event) throws -> Void) {
            self.body = body
        }

        func read(_ text: [UInt8], _ encoding: String) throws {
            guard let parser = xmlNewParserCtxt() else { throw ImportFault("is not XML") }
            defer { xmlFreeParserCtxt(parser) }
            self.parser = parser
            // Without the mark of SAX2 the parser leaves namespaces alone.
            parser.pointee.sax.pointee = xmlSAXHandler()
            parser.pointee.sax.pointee.internalSubset = { context, _, _, _ in
                Handler.at(context)?.stop(ImportFault("has a document type, which is not read"))
            }
            parser.pointee.sax.pointee.startElement = { Handler.at($0)?.start($1, Attributes(list: $2)) }
            parser.pointee.sax.pointee.endElement = { Handler.at($0)?.end($1) }
            parser.pointee.sax.pointee.characters = { Handler.at($0)?.text($1, $2) }
            parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
            let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            text.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                // There is no document to be had: the handler has no function that would begin one.
                _ = xmlCtxtReadMemory(
                    parser, start, Int32(clamping: bytes.count), nil, encoding, Int32(bitPattern: options))
            }
            if let failure { throw failure }
            guard parser.pointee.wellFormed == 1 else {
                throw ImportFault("is not well-formed XML (at line \(parser.pointee.lastError.line))")
            }
        }

        private static func at(_ context: UnsafeMutableRawPointer?) -> Handler? {
            context.map { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue() }
        }

        private func stop(_ error: any Error) {
            if failure == nil { failure = error }
            xmlStopParser(parser)
        }

        private func take(_ event: Event) {
            guard failure == nil else { return }
            do { try body(event) } catch { stop(error) }
        }

        private func start(_ name: UnsafePointer<xmlChar>?, _ attributes: Attributes) {
            depth += 1
            guard depth <= deepest else { return stop(ImportFault("is XML nested deeper than \(deepest)")) }
            take(.start(localName(name), attributes))
        }

        private func end(_ name: UnsafePointer<xmlChar>?) {
            depth -= 1
            take(.end(localName(name)))
        }

        private func text(_ start: UnsafePointer<xmlChar>?, _ count: Int32) {
            take(.text(String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)))
        }

        private func localName(_ name: UnsafePointer<xmlChar>?) -> String {
            let name = name.map { String(cString: $0) } ?? ""
            return name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) }
                ?? name
        }
    }

    // MARK: Ahead of libxml2

    /// The encoding to read in: what the document declares (XML 1.0, 4.3.3), if ASCII has its own bytes there.
    private static func encoding(of text: [UInt8]) throws -> String {
        let known = ["utf-8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1250", "windows-1251", "windows-1252"]
        let head = text.prefix(200)
        guard head.starts(with: Array("<?xml".utf8)),
            let end = head.firstIndex(of: UInt8(ascii: ">")),
            let name = Array(head[..<end]).range(of: Array("encoding".utf8), from: 0)
        else { return "UTF-8" }
        let quoted = head[name.upperBound..<end].split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") })
        let declared = quoted.count > 1 ? String(decoding: quoted[1], as: UTF8.self).lowercased() : ""
        // UTF-16 has become UTF-8 by now.
        if declared == "utf-16" { return "UTF-8" }
        guard known.contains(declared) else {
            throw ImportFault("is XML in another encoding than UTF-8; save it as UTF-8")
        }
        return declared
    }

    /// Pieces of markup that are no tags, each with its end.
    private static let untagged: [(start: [UInt8], end: [UInt8])] = [
        ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
    private static let documentType = Array("<!DOCTYPE".utf8)

    /// Refuses tags with more than `mostAttributes`, in linear time.
    private static func checkTags(_ text: [UInt8]) throws {
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            if let piece = untagged.first(where: { text.has($0.start, at: start) }) {
                index = text.range(of: piece.end, from: start + piece.start.count)?.upperBound ?? text.count
            } else if text.has(documentType, at: start) {
                throw ImportFault("has a document type, which is not read")
            } else {
                index = try tagEnd(text, from: start + 1)
            }
        }
    }

    private static func tagEnd(_ text: [UInt8], from start: Int) throws -> Int {
        var attributes = 0
        var quote: UInt8?
        for index in start..<text.count {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "=") {
                attributes += 1
                guard attributes <= mostAttributes else {
                    throw ImportFault("has an element with more than \(mostAttributes) attributes")
                }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
        }
        return text.count
    }
}
