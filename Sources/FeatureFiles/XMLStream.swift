import CXML2
import Foundation

/// A streaming reader of XML 1.0 over libxml2: elements and text, nothing else, in flat memory.
///
/// There are no document types, entities but the five of XML itself, or namespaces; see `XMLFilter`.
package final class XMLStream {
    package enum Event {
        /// The local name, without its prefix.
        case start(String, Attributes)
        case end(String)
        case text(UnsafeBufferPointer<UInt8>)
    }

    /// The attributes of the element that has just begun, by their whole name; good for the time of the event.
    package struct Attributes {
        /// Names and values in turn, with a null behind the last.
        fileprivate let list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

        package subscript(name: StaticString) -> String? {
            guard let list else { return nil }
            var index = 0
            while let found = list[index] {
                // A static string of more than one character ends with a zero.
                if strcmp(
                    UnsafeRawPointer(found).assumingMemoryBound(to: CChar.self),
                    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
                {
                    return list[index + 1].map { String(cString: $0) }
                }
                index += 2
            }
            return nil
        }
    }

    static let deepest = 64
    private static let pieceSize = 1 << 16

    private let source: any ByteStream
    private var parser: xmlParserCtxtPtr?
    private var filter = XMLFilter()
    private var depth = 0
    private var failure: (any Error)?
    private var body: ((Event) throws -> Void)?

    init(_ source: any ByteStream) {
        self.source = source
    }

    /// A document that is in memory.
    package convenience init(_ bytes: [UInt8]) { self.init(BytesInMemory(bytes)) }

    /// Hands each event to `body`.
    ///
    /// - Throws: `FeatureFileFault` for what is not well-formed or has a document type, or what `body` throws.
    package func read(_ body: (Event) throws -> Void) throws {
        _ = Self.isReady
        try withoutActuallyEscaping(body) { body in
            self.body = body
            defer { self.body = nil }
            try parse()
        }
    }

    /// libxml2 wants to be started once, ahead of threads.
    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    private func parse() throws {
        // Without the mark of SAX2 the parser leaves namespaces alone.
        var handler = xmlSAXHandler()
        handler.startElement = { XMLStream.at($0)?.start($1, Attributes(list: $2)) }
        handler.endElement = { XMLStream.at($0)?.end($1) }
        handler.characters = { XMLStream.at($0)?.text($1, $2) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard let parser = xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
            throw FeatureFileFault("cannot be read: there is no memory")
        }
        defer { xmlFreeParserCtxt(parser) }
        self.parser = parser
        defer { self.parser = nil }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        xmlCtxtUseOptions(parser, Int32(bitPattern: options))
        xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8)

        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { piece.deallocate() }
        var kept: [UInt8] = []
        var transcoder: EncodingConverter?
        var isFirst = true
        while true {
            let count = try source.read(into: piece)
            var bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
            if isFirst {
                transcoder = try Self.transcoder(for: bytes)
                if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = UnsafeRawBufferPointer(rebasing: bytes[3...]) }
                isFirst = false
            }
            kept.removeAll(keepingCapacity: true)
            if let transcoder {
                let text = transcoder.utf8(of: bytes, isLast: count == 0)
                try text.withUnsafeBytes { try filter.pass($0, to: &kept) }
            } else {
                try filter.pass(bytes, to: &kept)
            }
            if count == 0 { filter.finish(&kept) }
            feed(kept, isLast: count == 0)
            if let failure { throw failure }
            guard parser.pointee.wellFormed == 1 else { throw malformed(isAtEnd: count == 0) }
            if count == 0 { return }
        }
    }

    private func feed(_ bytes: [UInt8], isLast: Bool) {
        bytes.withUnsafeBytes {
            // There is no document to be had: the handler has no function that would begin one.
            _ = xmlParseChunk(
                parser, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), isLast ? 1 : 0)
        }
    }

    private func malformed(isAtEnd: Bool) -> FeatureFileFault {
        guard let error = parser?.pointee.lastError else { return FeatureFileFault("is not well-formed XML") }
        let line = "at line \(Int(error.line) + filter.linesLeftOut)"
        if isAtEnd, depth > 0 {
            return FeatureFileFault("is not well-formed XML: it ends too early, or a tag has no end (\(line))")
        }
        switch UInt32(bitPattern: error.code) {
        case XML_ERR_INVALID_ENCODING.rawValue, XML_ERR_INVALID_CHAR.rawValue:
            return FeatureFileFault("has bytes that are no text in its encoding (\(line)); save it as UTF-8")
        case XML_ERR_DOCUMENT_EMPTY.rawValue: return FeatureFileFault("is no XML: it has no element")
        case XML_ERR_UNDECLARED_ENTITY.rawValue:
            return FeatureFileFault("has an entity that XML does not know (\(line)); put the character in its place")
        default: return FeatureFileFault("is not well-formed XML (\(line))")
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> XMLStream? {
        context.map { Unmanaged<XMLStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ event: Event) {
        guard failure == nil, let body else { return }
        do { try body(event) } catch { stop(error) }
    }

    private func stop(_ error: any Error) {
        if failure == nil { failure = error }
        xmlStopParser(parser)
    }

    private func start(_ name: UnsafePointer<xmlChar>?, _ attributes: Attributes) {
        depth += 1
        guard depth <= Self.deepest else {
            return stop(FeatureFileFault("is XML nested deeper than \(Self.deepest)"))
        }
        take(.start(Self.localName(name), attributes))
    }

    private func end(_ name: UnsafePointer<xmlChar>?) {
        depth -= 1
        take(.end(Self.localName(name)))
    }

    private func text(_ start: UnsafePointer<xmlChar>?, _ count: Int32) {
        take(.text(UnsafeBufferPointer(start: start, count: Int(count))))
    }

    private static func localName(_ name: UnsafePointer<xmlChar>?) -> String {
        guard let name else { return "" }
        let characters = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
        return String(cString: strrchr(characters, 0x3A).map { UnsafePointer($0 + 1) } ?? characters)
    }

    /// What the bytes have to go through to be UTF-8: by the byte order mark, or what the document declares (XML 1.0,
    /// 4.3.3). Nil if that is UTF-8 already.
    private static func transcoder(for head: UnsafeRawBufferPointer) throws -> EncodingConverter? {
        switch TextEncoding(head: head) {
        case .utf16LittleEndian: return EncodingConverter(head.starts(with: [0xFF, 0xFE]) ? "UTF-16" : "UTF-16LE")
        case .utf16BigEndian: return EncodingConverter(head.starts(with: [0xFE, 0xFF]) ? "UTF-16" : "UTF-16BE")
        default: break
        }
        let text = head.prefix(256)
        guard text.starts(with: "<?xml".utf8), let end = text.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let declaration = String(decoding: text[..<end], as: UTF8.self)
        guard let start = declaration.range(of: "encoding") else { return nil }
        let quoted = declaration[start.upperBound...].split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\"" || $0 == "'" })
        let name = quoted.count > 1 ? String(quoted[1]) : ""
        // It cannot be UTF-16 if its declaration was read.
        if EncodingConverter.isUTF8(name) || EncodingConverter.plain(name).hasPrefix("utf16") { return nil }
        guard let transcoder = EncodingConverter(name) else {
            throw FeatureFileFault("is XML in an encoding that is not read (\(name.prefix(40))); save it as UTF-8")
        }
        return transcoder
    }
}
