import Foundation

/// What stands between the bytes of an XML document and libxml2: takes out what is not wanted and refuses what would cost
/// too much, in linear time whatever comes.
///
/// Comments and processing instructions, the declaration among them, are left out, since libxml2 looks for the end of a
/// long one again and again; so is what marks a section of text (CDATA), which becomes text. A document type is refused, so there are no entities to expand and nothing to fetch. libxml2
/// compares each attribute of an element with all others, so they are counted here.
struct XMLFilter {
    private enum State {
        case text
        /// Behind `<`.
        case opening
        /// Behind `<!`, whose bytes are in `mark`.
        case marked
        case tag
        case comment
        case instruction
        case section
    }

    static let mostAttributes = 64
    private static let longestTag = 1 << 20
    private static let commentStart = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)
    private static let instructionEnd = Array("?>".utf8)
    private static let sectionStart = Array("<![CDATA[".utf8)
    private static let sectionEnd = Array("]]>".utf8)
    private static let documentType = Array("<!DOCTYPE".utf8)

    private var state = State.text
    private var mark: [UInt8] = []
    /// How many bytes of the end that is waited for were seen last.
    private var seen = 0
    /// Of the tag: the quotation mark that is open, or 0.
    private var quote: UInt8 = 0
    private var attributes = 0
    private var length = 0
    /// Lines that were left out.
    private(set) var linesLeftOut = 0

    /// Appends what libxml2 is to be given of `bytes`.
    ///
    /// - Throws: `FeatureFileFault`.
    mutating func pass(_ bytes: UnsafeRawBufferPointer, to kept: inout [UInt8]) throws {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch state {
            case .text:
                let start = index - 1
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let found = rest.baseAddress.flatMap { from in
                    memchr(from, 0x3C, rest.count).map { from.distance(to: $0) }
                }
                let end = start + (found ?? rest.count)
                kept.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[..<(end - start)]))
                if end < bytes.count { state = .opening }
                index = end + 1
            case .opening: open(byte, &kept)
            case .marked: try markUp(byte, &kept)
            case .tag:
                let start = index - 1
                index = try tagEnd(bytes, from: start)
                kept.append(contentsOf: bytes[start..<index])
            case .comment, .instruction:
                if byte == 0x0A { linesLeftOut += 1 }
                look(for: state == .comment ? Self.commentEnd : Self.instructionEnd, byte)
            case .section: inSection(byte, &kept)
            }
        }
    }

    /// Hands on what the document broke off in.
    func finish(_ kept: inout [UInt8]) {
        switch state {
        case .opening: kept.append(UInt8(ascii: "<"))
        case .marked: kept.append(contentsOf: mark)
        // What is left out has no end: libxml2 is told by something that it refuses.
        case .comment, .instruction, .section: kept.append(UInt8(ascii: "<"))
        case .text, .tag: break
        }
    }

    private mutating func open(_ byte: UInt8, _ kept: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "?"): (state, seen) = (.instruction, 0)
        case UInt8(ascii: "!"): (state, mark) = (.marked, [UInt8(ascii: "<"), byte])
        default:
            kept.append(UInt8(ascii: "<"))
            kept.append(byte)
            state = byte == UInt8(ascii: ">") ? .text : .tag
            (quote, attributes, length) = (0, 0, 0)
        }
    }

    private mutating func markUp(_ byte: UInt8, _ kept: inout [UInt8]) throws {
        mark.append(byte)
        if mark == Self.commentStart {
            (state, seen) = (.comment, 0)
        } else if mark == Self.sectionStart {
            (state, seen) = (.section, 0)
        } else if mark == Self.documentType {
            throw FeatureFileFault("has a document type (<!DOCTYPE), which is not read; take it out")
        } else if ![Self.commentStart, Self.sectionStart, Self.documentType].contains(where: { $0.starts(with: mark) })
        {
            kept.append(contentsOf: mark)
            state = .text
        }
    }

    /// Where what `bytes` have of the tag ends.
    private mutating func tagEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) throws -> Int {
        var end = bytes.count
        for index in start..<bytes.count {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "=") {
                attributes += 1
                guard attributes <= Self.mostAttributes else {
                    throw FeatureFileFault("has an element with more than \(Self.mostAttributes) attributes")
                }
            } else if byte == UInt8(ascii: ">") {
                end = index + 1
                state = .text
                break
            }
        }
        length += end - start
        guard length <= Self.longestTag else {
            throw FeatureFileFault("has an element with more than \(Self.longestTag) bytes in its tag")
        }
        return end
    }

    /// Hands on the text of a section, with references where it may have what begins markup elsewhere.
    private mutating func inSection(_ byte: UInt8, _ kept: inout [UInt8]) {
        let bracket = UInt8(ascii: "]")
        // Brackets that may belong to the end wait.
        let waiting = seen
        look(for: Self.sectionEnd, byte)
        guard state == .section else { return }
        kept.append(contentsOf: repeatElement(bracket, count: waiting - seen + (byte == bracket ? 1 : 0)))
        switch byte {
        case bracket: break
        case UInt8(ascii: "<"): kept.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): kept.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "&"): kept.append(contentsOf: "&amp;".utf8)
        default: kept.append(byte)
        }
    }

    private mutating func look(for end: [UInt8], _ byte: UInt8) {
        if byte == end[seen] {
            seen += 1
            if seen == end.count { state = .text }
        } else if byte != end[0] {
            seen = 0
        } else {
            // `---` before `>`, `]]]` before `>`: the last two still count.
            seen = end.count == 3 && seen == 2 ? 2 : 1
        }
    }
}
