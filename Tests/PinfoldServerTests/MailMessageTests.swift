import Foundation
import Testing

@testable import PinfoldServer

/// What goes out is what was meant, whatever is in it.
@Suite struct MailMessageTests {
    private static let pieces = [
        "a", "Z", " ", "  ", "\t", "\r", "\n", "\r\n", "\r\nBcc: <evil@example.org>\r\n", ".", "..", "=", "=3D",
        "=?utf-8?B?eA==?=",
        "From ", "é", "ł", "漢字", "🍜", "👩‍👩‍👧", "\u{2028}", "\u{85}", "\0", "\u{7f}", "\u{202e}", ":", ",", "\"", "<x@y.z>",
        String(repeating: "x", count: 90), String(repeating: "ż", count: 1_100),
    ]

    private static func text(_ random: inout SplitMix64) -> String {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func message(
        _ subject: String, _ text: String, to recipient: String = "ana@example.org", language: MailLanguage = .en
    ) throws -> MailMessage {
        MailMessage(
            sender: try #require(MailAddress("map@example.org")), recipient: try #require(MailAddress(recipient)),
            subject: subject, text: text, language: language, date: 1_795_964_040_000, identifier: "1.2")
    }

    /// What a text is to a mail: lines.
    private static func lines(_ text: String) -> String {
        // A text of Foundation's has UTF-16 units, among which CR and LF are two.
        let unix = NSMutableString(string: text)
        for end in ["\r\n", "\r"] {
            _ = unix.replaceOccurrences(of: end, with: "\n", options: .literal, range: NSRange(0..<unix.length))
        }
        let lines = unix.substring(from: 0)
        return lines.isEmpty || lines.utf8.last == 10 ? lines : lines + "\n"
    }

    @Test func `any subject and text arrive as they are, in a header of the same ten fields`() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<2_000 {
            let (subject, text) = (Self.text(&random), Self.text(&random))
            let message = try Self.message(subject, text)
            for transport in [MailMessage.Transport.sevenBit, .eightBit] {
                let bytes = message.bytes(for: transport)
                let received = try ReceivedMail(bytes)
                #expect(
                    received.fields.map(\.name) == [
                        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
                        "Content-Transfer-Encoding", "Content-Language",
                    ])
                let plain = String(
                    String.UnicodeScalarView(
                        subject.unicodeScalars.map { scalar -> Unicode.Scalar in
                            switch scalar.properties.generalCategory {
                            case .control, .format, .lineSeparator, .paragraphSeparator: " "
                            default: scalar
                            }
                        }))
                #expect(received["Subject"] == plain)
                #expect(received["To"] == "<ana@example.org>")
                let body = received.body.unicodeScalars
                #expect(body.elementsEqual(Self.lines(text).unicodeScalars))
                #expect(received.lines.allSatisfy { $0.utf8.count <= 998 })
                if transport == .sevenBit { #expect(bytes.allSatisfy { $0 < 0x80 }) }
                let end = try #require(received.lines.firstIndex(of: ""))
                #expect(received.lines[..<end].allSatisfy { $0.utf8.count <= 78 })
            }
        }
    }

    @Test func `an address that would end its field is none`() {
        for text in [
            "ana@example.org\r\nBcc: x@example.org", "ana@example.org\n", "<ana@example.org>", "ana@example.org,x@y.z",
            "ana @example.org", "ana@", "@example.org", "ana", "a@b@c", "a\0@example.org", "a@example..org",
            String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "b", count: 253), "",
        ] { #expect(MailAddress(text) == nil, "\(text)") }
        for text in ["ana@example.org", "o'hara+map@example.org", "ana@localhost", "łukasz@przykład.example"] {
            #expect(MailAddress(text)?.text == text)
        }
    }

    @Test func `a machine calls itself by a plain host name`() {
        for (address, greeting) in [
            ("map@mail.example.org", "mail.example.org"), ("map@localhost", "localhost"), ("map@a/b?c", "localhost"),
            ("map@przykład.example", "localhost"), ("map@127.0.0.1", "127.0.0.1"),
        ] { #expect(MailAddress(address)?.greeting == greeting) }
    }

    @Test func `dates are those of RFC 5322`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss xx"
        var random = SplitMix64(seed: 12)
        for _ in 0..<1_000 {
            let seconds = Int64.random(in: 0...7_258_118_400, using: &random)
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(MailMessage.date(seconds * 1000 + Int64.random(in: 0...999, using: &random)) == expected)
        }
    }

    @Test func `the language is the best that is asked for`() {
        for (field, language) in [
            (nil, MailLanguage.en), ("", .en), ("es", .es), ("pl-PL, en;q=0.5", .pl),
            ("de, es-MX;q=0.3, en;q=0.2", .es),
            ("en;q=0.2, PL;q=0.9", .pl), ("*", .en), ("de, fr", .en), ("es;q=0, pl;q=0.1", .pl), ("es;q=nan", .en),
            ("es, pl", .es), ("en-GB,en;q=0.9,pl;q=0.8", .en), (";;;,,,q=1", .en), ("es ; q=0.4 , pl ; q=0.6", .pl),
        ] as [(String?, MailLanguage)] { #expect(MailLanguage(accepting: field) == language, "\(field ?? "")") }
    }

    @Test func `each message is in each language, and has what its reader needs`() throws {
        let link = "https://map.example.org/#reset=" + String(repeating: "x", count: 43)
        func texts(_ language: MailLanguage) -> [MailText] {
            [
                .passwordReset(of: "ana_k", at: "https://map.example.org", link: link, in: language),
                .passwordChanged(of: "ana_k", at: "https://map.example.org", in: language),
                .emailChanged(of: "ana_k", at: "https://map.example.org", in: language),
            ]
        }
        let all = MailLanguage.allCases.flatMap(texts)
        #expect(Set(all.map(\.subject)).count == all.count && Set(all.map(\.body)).count == all.count)
        for language in MailLanguage.allCases {
            for (index, text) in texts(language).enumerated() {
                #expect(text.body.contains("ana_k") && text.body.contains("\nhttps://map.example.org\n"))
                #expect(text.body.contains("\n\(link)\n") == (index == 0))
                // Read on a narrow screen or wrapped by nobody, lines are short, but for links.
                let lines = text.body.split(separator: "\n").filter { !$0.hasPrefix("https:") }
                #expect(lines.allSatisfy { $0.count <= 76 }, "\(language)")
                let received = try ReceivedMail(
                    try Self.message(text.subject, text.body, language: language).bytes(for: .sevenBit))
                #expect(received.body == text.body && received["Subject"] == text.subject)
                #expect(received["Content-Language"] == language.rawValue)
            }
        }
    }

    @Test func `the URL of a mail server is read whole, and shown without what is secret`() throws {
        let server = try SMTPServer(url: "smtps://ana%40example.org:p%3Ass%2F@mail.example.org")
        #expect(server.user == "ana@example.org" && server.password == "p:ss/" && server.port == 465)
        #expect("\(server)" == "smtps://mail.example.org:465")
        for (url, port, isLoopback) in [
            ("smtp://localhost:25", 25, true), ("smtp://127.0.0.1/", 587, true), ("smtp://[::1]:2525", 2525, true),
            ("smtp://0.0.0.0", 587, false), ("smtp://mail.example.org", 587, false),
        ] {
            let server = try SMTPServer(url: url)
            #expect(server.port == port && server.isLoopback == isLoopback && server.user == nil, "\(url)")
        }
        for url in [
            "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://secret@mail.example.org",
            "smtp://:secret@x",
            "smtp://a:secret@x/path", "smtp://a:secret@x?y", "smtp://a:secret%0D%0A@x", "smtp://a:secret@x:99999",
            "smtp://a:secret@x:0", "smtp://a:secret@x#y", "smtp://x y", String(repeating: "x", count: 3_000),
        ] {
            #expect { try SMTPServer(url: url) } throws: { error in
                (error as? SMTPServer.URLFault).map { !$0.message.contains("secret") } ?? false
            }
        }
    }
}
