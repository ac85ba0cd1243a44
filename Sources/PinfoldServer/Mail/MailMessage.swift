import Foundation
import HTTP

/// One message as it goes out (RFC 5322, RFC 2045): plain text in UTF-8, to one reader, from a program.
struct MailMessage: Sendable {
    /// What the way to the reader can carry.
    enum Transport: Sendable {
        /// Lines of ASCII: what every mail server takes.
        case sevenBit
        /// Any bytes in lines of at most 998: a file that people read too.
        case eightBit
    }

    let sender: MailAddress
    let recipient: MailAddress
    let subject: String
    /// Lines that end in LF.
    let text: String
    let language: MailLanguage
    /// Milliseconds since 1970.
    let date: Int64
    /// The left side of the `Message-ID`: letters, digits, `-`, `_` and `.`.
    let identifier: String

    /// The whole message with its lines ended by CRLF.
    func bytes(for transport: Transport) -> [UInt8] {
        let lines = Self.lines(of: text)
        let isShort = lines.allSatisfy { $0.count <= 998 && $0.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 } }
        let isASCII = lines.allSatisfy { $0.allSatisfy { $0 < 0x80 } }
        let encoding =
            !isShort || !isASCII && transport == .sevenBit ? "quoted-printable" : isASCII ? "7bit" : "8bit"
        let head = [
            ("From", "Pinfold <\(sender)>"), ("To", "<\(recipient)>"),
            ("Subject", Self.unstructured(subject, behind: "Subject: ".utf8.count)), ("Date", Self.date(date)),
            ("Message-ID", "<\(identifier)@\(sender.domain)>"), ("Auto-Submitted", "auto-generated"),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", encoding), ("Content-Language", language.rawValue),
        ]
        var bytes: [UInt8] = []
        for (name, value) in head { bytes += Array("\(name): \(value)\r\n".utf8) }
        bytes += Array("\r\n".utf8)
        for line in lines {
            bytes += encoding == "quoted-printable" ? QuotedPrintable.encode(line: line) : line
            bytes += Array("\r\n".utf8)
        }
        return bytes
    }

    /// The lines of a text, whichever way they end; a last empty one is none.
    private static func lines(of text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var last: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): lines.append([])
            default: lines[lines.count - 1].append(byte)
            }
            last = byte
        }
        if lines.last == [] { lines.removeLast() }
        return lines
    }

    /// The value of an unstructured field: as it is, or in encoded words (RFC 2047) where it is not plain ASCII or long.
    /// What could end the field, or hide in it, becomes a space.
    static func unstructured(_ text: String, behind used: Int) -> String {
        let scalars = String.UnicodeScalarView(
            text.unicodeScalars.map { scalar -> Unicode.Scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: " "
                default: scalar
                }
            })
        let text = String(scalars)
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
        // A blank at either end would be taken for one between the name, the value and the next line.
        if isPlain, used + text.utf8.count <= 78, text.first != " ", text.last != " ", !text.isEmpty { return text }
        // A word is at most 75 characters, of which 12 say what it is; four characters are three bytes.
        var words: [[UInt8]] = [[]]
        for scalar in scalars {
            let bytes = Array(String(scalar).utf8)
            let room = words.count == 1 ? 45 - used : 45
            if words[words.count - 1].count + bytes.count > room { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// RFC 5322, 3.3: `Mon, 30 Nov 2026 14:54:00 +0000`.
    static func date(_ milliseconds: Int64) -> String {
        let time = CivilTime(milliseconds: milliseconds)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // 1970-01-01 was a Thursday
        let days = (Double(milliseconds) / 86_400_000).rounded(.down)
        let weekday = weekdays[((Int(days) % 7) + 7) % 7]
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let clock = [time.hour, time.minute, time.second].map { digits($0) }.joined(separator: ":")
        return "\(weekday), \(digits(time.day)) \(months[time.month - 1]) \(digits(time.year, 4)) \(clock) +0000"
    }
}
