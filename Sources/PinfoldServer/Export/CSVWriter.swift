/// Writes CSV (RFC 4180) in UTF-8 to bytes: CR LF behind each record, cells in quotes where they need it.
struct CSVWriter {
    private var bytes: [UInt8] = []
    private var isFirst = true

    /// Adds a cell. Nil is an empty cell and the empty text one of two quotes, so that they can be told apart.
    mutating func cell(_ text: String?) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        guard let text else { return }
        guard text.isEmpty || text.utf8.contains(where: Self.needsQuotes) || text.first == " " || text.last == " "
        else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a cell that people wrote, such that no spreadsheet takes it for a formula; see `SpreadsheetText`.
    mutating func textCell(_ text: String?) { cell(text.map(SpreadsheetText.guarded)) }

    mutating func endRecord() {
        bytes.append(contentsOf: [0x0D, 0x0A])
        isFirst = true
    }

    /// Hands over what has been written so far, and goes on behind it.
    mutating func drain(_ body: ([UInt8]) throws -> Void) rethrows {
        try body(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0D || byte == 0x0A || byte == 0x09
            || byte == UInt8(ascii: ";")
    }
}

/// Text in a cell of a CSV file that a spreadsheet must not run.
///
/// Spreadsheets take a cell for a formula that starts with `=`, `+`, `-`, `@`, a tab or a line end, quoted or not
/// (OWASP, CSV Injection), and some their full-width forms. Such a text gets an apostrophe in front, which spreadsheets
/// take for "this is text". So does one that has apostrophes before such a character, and that makes it reversible: of a
/// cell of apostrophes before such a character, the first one is not part of the text.
enum SpreadsheetText {
    /// The text as a cell has it.
    static func guarded(_ text: String) -> String { isFormula(text.unicodeScalars[...]) ? "'" + text : text }

    /// The text of a cell: the reverse of `guarded`.
    static func unguarded(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        guard scalars.first == "'", isFormula(scalars.dropFirst()) else { return cell }
        return String(scalars.dropFirst())
    }

    private static func isFormula(_ text: Substring.UnicodeScalarView) -> Bool {
        switch text.first(where: { $0 != "'" }) {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }
}
