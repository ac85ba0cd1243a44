import Foundation

/// Reads coordinates as people write them: decimal with point or comma, degrees, minutes and seconds, with letters for the
/// half of the world.
enum PositionText {
    enum Axis {
        case latitude, longitude
    }

    /// One coordinate. The quick way: a number as JSON has it, or with a leading `+`.
    static func coordinate(_ bytes: UnsafeBufferPointer<UInt8>, _ axis: Axis) throws(GeometryTextFault) -> Double {
        if let start = bytes.baseAddress, !bytes.isEmpty {
            var index = bytes[0] == UInt8(ascii: "+") ? 1 : 0
            if let value = DecimalText.number(start, &index, end: bytes.count), index == bytes.count, value.isFinite {
                return value
            }
        }
        return try coordinate(String(decoding: bytes, as: UTF8.self), axis)
    }

    /// One coordinate in any of the forms.
    static func coordinate(_ text: String, _ axis: Axis) throws(GeometryTextFault) -> Double {
        guard text.utf8.count <= 100 else { throw GeometryTextFault("is no coordinate: it is too long") }
        let marks: [Character: Character] = [
            "º": "°", "˚": "°", "′": "'", "’": "'", "‘": "'", "´": "'", "`": "'", "ʹ": "'", "″": "\"", "”": "\"",
            "“": "\"",
            "ʺ": "\"", "−": "-", "–": "-", "\u{A0}": " ", "\u{202F}": " ", "\u{2009}": " ",
        ]
        var plain = String(text.map { marks[$0] ?? $0 }).replacingOccurrences(of: "''", with: "\"")
            .trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
        let shown = "“\(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(40))”"
        guard !plain.isEmpty else { throw GeometryTextFault("is missing") }
        // A letter stands before or behind.
        var half: Character?
        if let first = plain.first, "NSEWO".contains(first) {
            half = plain.removeFirst()
        } else if let last = plain.last, "NSEWO".contains(last) {
            half = plain.removeLast()
        }
        switch (half, axis) {
        case ("O", _):
            throw GeometryTextFault("\(shown) has an O, which is east in some languages and west in others")
        case ("N", .longitude), ("S", .longitude): throw GeometryTextFault("\(shown) is a latitude")
        case ("E", .latitude), ("W", .latitude): throw GeometryTextFault("\(shown) is a longitude")
        default: break
        }
        plain = plain.trimmingCharacters(in: .whitespaces)
        var isNegative = half == "S" || half == "W"
        if let sign = plain.first, sign == "-" || sign == "+" {
            guard half == nil else { throw GeometryTextFault("\(shown) has both a sign and a letter") }
            isNegative = sign == "-"
            plain.removeFirst()
        }
        guard let value = try degrees(plain, shown) else { throw GeometryTextFault("\(shown) is no coordinate") }
        return isNegative ? -value : value
    }

    /// Up to three numbers with their marks or blanks between them, no sign.
    private static func degrees(_ text: String, _ shown: String) throws(GeometryTextFault) -> Double? {
        var numbers: [Double] = []
        var wasFraction = false
        var rest = Substring(text)
        for marks in ["°D:", "'M:", "\"S"] {
            rest = rest.drop { $0 == " " }
            guard !rest.isEmpty else { break }
            let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
            guard let value = decimal(digits), !wasFraction else { return nil }
            wasFraction = digits.contains { $0 == "." || $0 == "," }
            numbers.append(value)
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            if let mark = rest.first, marks.contains(mark) { rest = rest.dropFirst() }
        }
        guard rest.allSatisfy({ $0 == " " }), let whole = numbers.first else { return nil }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            throw GeometryTextFault("\(shown) has minutes or seconds of 60 or more")
        }
        return whole + (numbers.count > 1 ? numbers[1] / 60 : 0) + (numbers.count > 2 ? numbers[2] / 3600 : 0)
    }

    /// Digits with at most one point or comma.
    private static func decimal(_ digits: Substring) -> Double? {
        guard digits.contains(where: \.isNumber), digits.count(where: { !$0.isNumber }) <= 1 else { return nil }
        return Double(digits.replacingOccurrences(of: ",", with: "."))
    }

    /// Both coordinates in one text, latitude first as people write them: `51.5, -0.1`, `51,5; -0,1`, `51°30'N 0°6'W`.
    ///
    /// - Parameter longitudeFirst: without letters the other way round.
    static func pair(_ text: String, longitudeFirst: Bool) throws(GeometryTextFault) -> Feature.Geometry {
        guard text.utf8.count <= 200 else { throw GeometryTextFault("is no position: it is too long") }
        let plain = text.trimmingCharacters(in: CharacterSet(charactersIn: " ()[]\t\r\n"))
        let shown = "“\(plain.prefix(40))”"
        var parts = halves(plain).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw GeometryTextFault("\(shown) is no position")
        }
        let letters = parts.map { part in part.uppercased().filter { "NSEWO".contains($0) } }
        var isTurned = longitudeFirst
        if !letters[0].isEmpty { isTurned = letters[0].contains { "EWO".contains($0) } }
        if isTurned { parts.swapAt(0, 1) }
        return .point(x: try coordinate(parts[1], .longitude), y: try coordinate(parts[0], .latitude))
    }

    /// The text in two, at the first kind of separator that makes it two.
    private static func halves(_ text: String) -> [Substring] {
        for separator: Character in [";", "|", "/"] where text.contains(separator) {
            return text.split(separator: separator, omittingEmptySubsequences: false)
        }
        let commas = text.split(separator: ",", omittingEmptySubsequences: false)
        if commas.count == 2 { return commas }
        // Decimal commas: the one with a blank behind it separates.
        if commas.count == 4 { return [text[..<commas[1].endIndex], text[commas[2].startIndex...]] }
        if let place = text.firstRange(of: ", ") { return [text[..<place.lowerBound], text[place.upperBound...]] }
        // Behind the letter of the first, or before that of the second.
        let marks = text.indices.filter { "NSEWnsew".contains(text[$0]) }
        if marks.count == 2 {
            let start = text.first.map { "NSEWnsew".contains($0) } ?? false
            let cut = start ? marks[1] : text.index(after: marks[0])
            return [text[..<cut], text[cut...]]
        }
        let words = text.split(separator: " ")
        return words.count == 2 ? words : []
    }
}
