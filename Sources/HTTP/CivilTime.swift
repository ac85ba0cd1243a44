/// A moment in the proleptic Gregorian calendar, UTC, years 0–9999.
///
/// The day count follows Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (civil_from_days, days_from_civil).
package struct CivilTime: Sendable, Hashable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    package let millisecond: Int

    /// `milliseconds` since 1970-01-01T00:00:00Z.
    package init(milliseconds: Int64) {
        let dayLength: Int64 = 86_400_000
        let days = Int((Double(milliseconds) / Double(dayLength)).rounded(.down))
        var rest = Int(milliseconds - Int64(days) * dayLength)
        millisecond = rest % 1000
        rest /= 1000
        second = rest % 60
        minute = rest / 60 % 60
        hour = rest / 3600
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Milliseconds since 1970 of an RFC 3339 time: any offset, fractions of a second cut to milliseconds.
    ///
    /// Nil for what is not one. A leap second (`:60`) counts as the first of the next minute.
    package static func milliseconds(parsing text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                guard bytes.indices.contains(index), bytes[index] >= 0x30, bytes[index] <= 0x39 else { return nil }
                value = value * 10 + Int(bytes[index] - 0x30)
            }
            return value
        }
        func isByte(_ index: Int, _ characters: String) -> Bool {
            bytes.indices.contains(index) && characters.utf8.contains(bytes[index])
        }
        guard let year = number(0..<4), isByte(4, "-"), let month = number(5..<7), isByte(7, "-"),
            let day = number(8..<10), isByte(10, "Tt"), let hour = number(11..<13), isByte(13, ":"),
            let minute = number(14..<16), isByte(16, ":"), let second = number(17..<19),
            (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var index = 19
        var millisecond = 0
        if isByte(index, ".") {
            index += 1
            let start = index
            var unit = 100
            while let digit = number(index..<index + 1) {
                millisecond += digit * unit
                unit /= 10
                index += 1
            }
            guard index > start else { return nil }
        }
        var offset = 0
        if isByte(index, "Zz") {
            index += 1
        } else {
            guard isByte(index, "+-"), let hours = number(index + 1..<index + 3), isByte(index + 3, ":"),
                let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
            index += 6
        }
        guard index == bytes.count else { return nil }
        let seconds = (daysSince1970(year, month, day) * 24 + hour) * 3600 + (minute - offset) * 60 + second
        return Int64(seconds) * 1000 + Int64(millisecond)
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
