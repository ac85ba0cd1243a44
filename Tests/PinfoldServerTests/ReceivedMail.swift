import Foundation

@testable import PinfoldServer

/// A message as its reader's program understands it.
struct ReceivedMail: Sendable {
    /// In order, unfolded, with encoded words decoded.
    let fields: [(name: String, value: String)]
    /// Decoded, with LF.
    let body: String
    /// As it came.
    let lines: [String]

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// What the link in it carries behind `#reset=`.
    var token: String? { body.firstMatch(of: #/#reset=([A-Za-z0-9_-]+)\n/#).map { String($0.1) } }

    init(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault("is not UTF-8") }
        lines = text.components(separatedBy: "\r\n")
        for line in lines where line.utf8.contains(where: { $0 == 10 || $0 == 13 }) { throw Fault("a bare CR or LF") }
        guard lines.last == "" else { throw Fault("the last line does not end") }
        guard let end = lines.firstIndex(of: "") else { throw Fault("no end of the header") }
        var fields: [(name: String, value: String)] = []
        for line in lines[..<end] {
            if line.hasPrefix(" "), var last = fields.popLast() {
                last.value += line
                fields.append(last)
            } else {
                let parts = line.components(separatedBy: ": ")
                guard parts.count > 1 else { throw Fault("no field: \(line)") }
                fields.append((parts[0], parts.dropFirst().joined(separator: ": ")))
            }
        }
        self.fields = fields.map { ($0.name, Self.decodedWords($0.value)) }
        let content = lines[(end + 1)...].dropLast()
        switch fields.first(where: { $0.name == "Content-Transfer-Encoding" })?.value {
        case "7bit", "8bit": body = content.map { $0 + "\n" }.joined()
        case "quoted-printable": body = try Self.decodedQuotedPrintable(Array(content))
        case let encoding: throw Fault("the encoding \(encoding ?? "is missing")")
        }
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// RFC 2047, 6.2: blanks between encoded words are none.
    static func decodedWords(_ value: String) -> String {
        let words = value.components(separatedBy: " ")
        let pieces = words.map { word -> [UInt8]? in
            guard let match = word.wholeMatch(of: #/=\?utf-8\?B\?([A-Za-z0-9+\/=]*)\?=/#), word.utf8.count <= 75 else {
                return nil
            }
            return Data(base64Encoded: String(match.1)).map(Array.init)
        }
        var decoded: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            if index > 0, piece == nil || pieces[index - 1] == nil { decoded.append(UInt8(ascii: " ")) }
            decoded += piece ?? Array(words[index].utf8)
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// RFC 2045, 6.7.
    static func decodedQuotedPrintable(_ lines: [String]) throws -> String {
        var decoded: [UInt8] = []
        for line in lines {
            var rest = Array(line.utf8)[...]
            guard rest.count <= 76 else { throw Fault("a line is too long") }
            guard rest.last != 32, rest.last != 9 else { throw Fault("a blank at the end of a line") }
            var isSoft = false
            while let byte = rest.popFirst() {
                guard (32...126).contains(byte) || byte == 9 else { throw Fault("the byte \(byte)") }
                guard byte == UInt8(ascii: "=") else {
                    decoded.append(byte)
                    continue
                }
                if rest.isEmpty {
                    isSoft = true
                    continue
                }
                let code = String(decoding: rest.prefix(2), as: UTF8.self)
                guard let value = UInt8(code, radix: 16), code.count == 2 else { throw Fault("=\(code)") }
                decoded.append(value)
                rest = rest.dropFirst(2)
            }
            if !isSoft { decoded.append(10) }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

extension TestApp {
    /// Sends what is due, as the thread of the service does.
    @discardableResult
    func sendMail() async throws -> Int { try await onThread { [app] in try app.mail.sendDue() } }

    /// What lies in the outbox, in the order of the changes that caused it.
    func outbox() throws -> [ReceivedMail] {
        let outbox = folder + "/outbox"
        guard FileManager.default.fileExists(atPath: outbox) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: outbox).sorted().map { name in
            try ReceivedMail(Array(try Data(contentsOf: URL(filePath: "\(outbox)/\(name)"))))
        }
    }

    /// How many messages wait.
    func queuedMail() async throws -> Int {
        try await database.write { write in try write.row("SELECT count(*) FROM mail") { $0.int(0) } ?? 0 }
    }
}
