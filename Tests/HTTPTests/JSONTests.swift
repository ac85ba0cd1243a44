import Foundation
import Testing

@testable import HTTP

@Suite struct JSONTests {
    /// SplitMix64 (Steele, Lea, Flood, 2014): the same texts in each run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }

        mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

        /// A text of JSON's pieces, often good JSON, often nearly.
        mutating func json(depth: Int = 0) -> [UInt8] {
            switch int(0..<(depth > 4 ? 6 : 8)) {
            case 0: return Array(["null", "true", "false"][int(0..<3)].utf8)
            case 1: return Array(String(int(-1000..<1000)).utf8)
            case 2: return Array("\(Double.random(in: -1e9...1e9, using: &self))".utf8)
            case 3:
                return Array(
                    ["0", "-0", "1e5", "1E-7", "-1.5e+3", "1e-400", "123456789012345678901234567890"][int(0..<7)].utf8)
            case 4, 5: return string()
            case 6:
                let elements = (0..<int(0..<4)).map { _ in json(depth: depth + 1) }
                return Array("[ ".utf8) + Array(elements.joined(separator: Array(",".utf8))) + Array("]".utf8)
            default:
                let members = (0..<int(0..<4)).map { _ in string() + Array(" :\n".utf8) + json(depth: depth + 1) }
                return Array("{".utf8) + Array(members.joined(separator: Array(",\t".utf8))) + Array("}".utf8)
            }
        }

        mutating func string() -> [UInt8] {
            let pieces = [
                "a", "é", "🍜", "\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t", "\\u0041", "\\uD83C\\uDF5C",
                "\\ud83c\\udf5c", "e\u{301}", "\u{7F}", "\u{2028}", "\\u0000", "\\uFFFF", "x", "y", "z", "0", "1", "2",
            ]
            return Array(("\"" + (0..<int(0..<5)).map { _ in pieces[int(0..<pieces.count)] }.joined() + "\"").utf8)
        }

        /// `bytes` with a few changed, left out, doubled or put in.
        mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<int(1..<3) where !bytes.isEmpty {
                let at = int(0..<bytes.count)
                let odd = Array("{}[]\",:\\u0e+-. \0\u{1F}tfnND".utf8) + [0xFF, 0xC0, 0xED, 0x80]
                switch int(0..<4) {
                case 0: bytes[at] = odd[int(0..<odd.count)]
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(bytes[at], at: at)
                default: bytes.insert(odd[int(0..<odd.count)], at: at)
                }
            }
            return bytes
        }
    }

    private func foundation(_ bytes: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    private func isBeyondRange(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.isInfinite
        case .array(let values): values.contains(where: isBeyondRange)
        case .object(let members): members.contains { isBeyondRange($0.value) }
        default: false
        }
    }

    private func isSame(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: return other is NSNull
        case .bool(let bool): return (other as? NSNumber)?.boolValue == bool
        case .number(let number):
            guard let other = (other as? NSNumber)?.doubleValue else { return false }
            return number == other || abs(number - other) <= abs(number) * 1e-15
        case .string(let text): return (other as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
        case .array(let values):
            guard let others = other as? [Any], values.count == others.count else { return false }
            return zip(values, others).allSatisfy { isSame($0, $1) }
        case .object(let members):
            guard let others = other as? [String: Any], members.count == others.count else { return false }
            return members.allSatisfy { member in others[member.name].map { isSame(member.value, $0) } ?? false }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `what the parser accepts Foundation accepts, as the same value`(seed: UInt64) {
        var generator = Generator(state: seed)
        var accepted = 0
        var refused = 0
        for _ in 0..<3000 {
            let good = generator.json()
            let bytes = generator.int(0..<2) == 0 ? good : generator.damaged(good)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let value = try? JSONValue(parsing: bytes) else {
                refused += 1
                continue
            }
            accepted += 1
            // A number beyond a double's range is left to whoever reads the field; Foundation refuses the whole.
            if isBeyondRange(value) { continue }
            guard let other = foundation(bytes) else {
                Issue.record("seed \(seed): Foundation refuses \(text)")
                continue
            }
            #expect(isSame(value, other), "seed \(seed): \(text)")
        }
        #expect(accepted > 1000 && refused > 500)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `good JSON without doubled names is accepted`(seed: UInt64) throws {
        var generator = Generator(state: seed)
        for _ in 0..<2000 {
            let bytes = generator.json()
            do {
                _ = try JSONValue(parsing: bytes)
            } catch let fault as JSONValue.Fault {
                #expect(fault.message.hasSuffix("twice"), "\(String(decoding: bytes, as: UTF8.self)): \(fault)")
            }
        }
    }

    @Test func `no text brings the parser down`() {
        var generator = Generator(state: 99)
        for _ in 0..<20_000 {
            let bytes = (0..<generator.int(0..<12)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if (try? JSONValue(parsing: bytes)) != nil {
                #expect(foundation(bytes) != nil, "\(bytes)")
            }
        }
    }

    @Test func `a member that comes twice is named as it was sent`() {
        let fault = #expect(throws: JSONValue.Fault.self) {
            try JSONValue(parsing: Array(#"{"größe": 1, "gr\u00f6\u00dfe": 2}"#.utf8))
        }
        #expect(fault?.message == #"has the member "größe" twice"#)
    }

    @Test func `nesting goes to its limit and not beyond`() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> [UInt8] {
                Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
            }
            _ = try JSONValue(parsing: nested(JSONValue.maximumDepth))
            #expect(throws: JSONValue.Fault.self) { try JSONValue(parsing: nested(JSONValue.maximumDepth + 1)) }
            #expect(throws: JSONValue.Fault.self) {
                try JSONValue(parsing: Array(String(repeating: open, count: 1_000_000).utf8))
            }
            // Siblings are no nesting.
            let wide = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
            _ = try JSONValue(parsing: Array(wide.utf8))
        }
    }

    @Test func `every scalar comes through writing and reading, here and in Foundation`() throws {
        let all = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        // In pieces, so that a failure says where.
        for start in stride(from: 0, to: all.count, by: 4096) {
            // With a letter before each, because marks in a row are refused.
            let piece = all[start..<min(start + 4096, all.count)].flatMap { ["a", $0] as [Unicode.Scalar] }
            let text = String(String.UnicodeScalarView(piece))
            var json = JSONWriter()
            json.object { json in
                json.key(escaping: text)
                json.string(text)
            }
            guard case .object(let members) = try JSONValue(parsing: json.bytes),
                case .string(let read) = members[0].value
            else {
                Issue.record("no object from U+\(String(all[start].value, radix: 16))")
                continue
            }
            #expect(Array(read.utf8) == Array(text.utf8) && Array(members[0].name.utf8) == Array(text.utf8))
            var plain = JSONWriter()
            plain.string(text)
            let other = foundation(plain.bytes) as? String
            // Foundation drops a byte order mark at the start of a string.
            #expect(other.map { Array($0.utf8) } == Array(text.utf8), "from U+\(String(all[start].value, radix: 16))")
        }
    }

    @Test func `what needs an escape gets it at every place of a text of every length`() throws {
        for special in ["\"", "\\", "\n", "\u{1}", "é", "京", "x"] {
            for length in 1...26 {
                for place in 0..<length {
                    let (before, behind) = (String(repeating: "a", count: place), length - 1 - place)
                    let text = before + special + String(repeating: "b", count: behind)
                    var json = JSONWriter()
                    json.string(text)
                    #expect(try JSONValue(parsing: json.bytes) == .string(text), "\(length), \(place)")
                }
            }
        }
    }

    @Test func `a name in its quotes is a name as any other`() {
        var (quoted, plain) = (JSONWriter(), JSONWriter())
        quoted.object { json in
            for _ in 0..<2 {
                json.key(quoted: #""name":"#)
                json.integer(1)
            }
        }
        plain.object { json in
            for _ in 0..<2 {
                json.key("name")
                json.integer(1)
            }
        }
        #expect(quoted.bytes == plain.bytes)
    }

    @Test func `numbers come through writing and reading to the last bit`() throws {
        var generator = Generator(state: 5)
        var numbers: [Double] = [0, -0.0, 1, -1, 0.1, 1e15, 1e15 - 1, 1e21, 1e-7, .pi, .leastNonzeroMagnitude]
        numbers += [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 9_007_199_254_740_991, 123_456_789.125]
        for _ in 0..<20_000 {
            let number = Double(bitPattern: generator.next())
            if number.isFinite { numbers.append(number) }
            numbers.append(Double.random(in: -2e7...2e7, using: &generator))
        }
        for number in numbers {
            var json = JSONWriter()
            json.number(number)
            let text = String(decoding: json.bytes, as: UTF8.self)
            #expect(try JSONValue(parsing: json.bytes) == .number(number), "\(text)")
            #expect(foundation(json.bytes) != nil, "\(text)")
        }
        for number in [Double.nan, .infinity, -.infinity] {
            var json = JSONWriter()
            json.number(number)
            #expect(json.bytes == Array("null".utf8))
        }
    }

    @Test func `units of 1e-7 are written as the double nearest to them prints`() throws {
        var generator = Generator(state: 6)
        var units: [Int32] = [
            0, 1, -1, 10, 9_999_999, 10_000_000, -10_000_001, 900_000_000, -1_800_000_000, .max, .min,
        ]
        for _ in 0..<20_000 { units.append(.random(in: -1_800_000_000...1_800_000_000, using: &generator)) }
        for _ in 0..<2_000 { units.append(.random(in: -2_000...2_000, using: &generator)) }
        for unit in units {
            var json = JSONWriter()
            json.e7(unit)
            let text = String(decoding: json.bytes, as: UTF8.self)
            #expect(Double(text) == Double(unit) / 1e7, "\(unit)")
            #expect(!text.hasSuffix(".") && !(text.contains(".") && text.hasSuffix("0")), "\(text)")
            #expect(try JSONValue(parsing: json.bytes) == .number(Double(unit) / 1e7))
        }
    }

    @Test func `integers and ids are their digits`() {
        for value in [0, 1, -1, 10, .max, .min, 1_850_125_949_337_600_010] as [Int64] {
            var json = JSONWriter()
            json.array { json in
                json.integer(value)
                json.decimalString(value)
            }
            #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(value),\"\(value)\"]")
        }
    }

    @Test func `the writer sets commas, however structures are nested`() {
        var json = JSONWriter()
        json.object { json in
            json.key("a")
            json.array { _ in }
            json.key("b")
            json.array { json in
                json.null()
                json.object { _ in }
                json.bool(true)
                json.array { $0.integer(1) }
                json.raw(Array("{}".utf8))
                json.string("x")
            }
            json.key(escaping: "c\"")
            json.object { json in
                json.key("d")
                json.time(0)
            }
            json.key("e")
            json.bool(false)
        }
        let expected = #"{"a":[],"b":[null,{},true,[1],{},"x"],"c\"":{"d":"1970-01-01T00:00:00.000Z"},"e":false}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test func `times are those of Foundation's calendar, there and back`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var generator = Generator(state: 7)
        var moments: [Int64] = [0, -1, 1, 951_782_400_000, 4_107_542_399_999, -2_208_988_800_000, 253_402_300_799_999]
        // From 1600 to 9999: before, Foundation's Gregorian calendar is the Julian one.
        for _ in 0..<3_000 { moments.append(.random(in: -11_676_096_000_000...253_402_300_799_999, using: &generator)) }
        for moment in moments {
            let time = CivilTime(milliseconds: moment)
            let seconds = moment >= 0 ? moment / 1000 : (moment - 999) / 1000
            let date = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            #expect(
                [time.year, time.month, time.day, time.hour, time.minute, time.second]
                    == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second], "\(moment)")
            #expect(Int64(time.millisecond) == moment - seconds * 1000)
            var json = JSONWriter()
            json.time(moment)
            let text = String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
            #expect(CivilTime.milliseconds(parsing: text) == moment, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("2026-11-29T12:00:00Z", 1_795_953_600_000), ("2026-11-29t12:00:00z", 1_795_953_600_000),
            ("2026-11-29T12:00:00.5Z", 1_795_953_600_500), ("2026-11-29T12:00:00.123456789Z", 1_795_953_600_123),
            ("2026-11-29T17:30:00+05:30", 1_795_953_600_000), ("2026-11-29T11:30:00.000-00:30", 1_795_953_600_000),
            ("2026-11-29T11:59:60Z", 1_795_953_600_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("2026-11-29T12:00:00", nil), ("2026-11-29", nil), ("2026-02-29T00:00:00Z", nil),
            ("1900-02-29T00:00:00Z", nil),
            ("2026-13-01T00:00:00Z", nil), ("2026-00-01T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil),
            ("2026-04-31T00:00:00Z", nil), ("2026-01-01T24:00:00Z", nil), ("2026-01-01T00:60:00Z", nil),
            ("2026-01-01T00:00:61Z", nil), ("2026-01-01T00:00:00.Z", nil), ("2026-01-01 00:00:00Z", nil),
            ("2026-01-01T00:00:00+24:00", nil), ("2026-01-01T00:00:00+0530", nil), ("2026-01-01T00:00:00Zx", nil),
            ("26-01-01T00:00:00Z", nil), ("+2026-01-01T00:00:00Z", nil), ("2026-1-01T00:00:00Z", nil), ("", nil),
            ("２026-01-01T00:00:00Z", nil),
        ] as [(String, Int64?)])
    func `RFC 3339 is read and nothing else`(text: String, milliseconds: Int64?) {
        #expect(CivilTime.milliseconds(parsing: text) == milliseconds)
    }
}
