/// What became of a file that an admin has added.
package struct AdditionReport: Sendable {
    /// A row that was left out.
    package struct BadRow: Sendable, Hashable {
        /// The entry of an archive that it is in.
        package let entry: String?
        package let line: Int
        package let reason: String
    }

    /// How many of them are told one by one.
    package static let badRowLimit = 20

    package internal(set) var places = 0
    package internal(set) var divisions = 0
    package internal(set) var addresses = 0
    /// Rows of a class that was not asked for.
    package internal(set) var passedOver = 0
    package internal(set) var bad = 0
    /// The first of the bad rows.
    package internal(set) var badRows: [BadRow] = []

    var good: Int { places + divisions + addresses + passedOver }

    mutating func leaveOut(_ entry: String?, _ line: Int, _ reason: String) {
        bad += 1
        if badRows.count < Self.badRowLimit { badRows.append(BadRow(entry: entry, line: line, reason: reason)) }
    }
}

/// Why a row is left out.
struct BadRow: Error {
    /// Throws if a text has a control character, also one of those that turn the direction of what follows: nobody's name
    /// has one, and it would spoil whatever shows it.
    static func checkControls(_ text: String, _ what: String) throws {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
                let code = String(0x10000 + scalar.value, radix: 16, uppercase: true).dropFirst()
                throw BadRow("\(what) has a control character (U+\(code))")
            default: break
            }
        }
    }

    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
