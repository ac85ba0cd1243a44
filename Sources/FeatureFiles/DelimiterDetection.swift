/// Finds out what separates the fields of a table.
enum DelimiterDetection {
    /// The line `sep=;` by which Excel is told, if it is there.
    ///
    /// - Returns: How many bytes and lines it takes.
    static func start(of head: UnsafeBufferPointer<UInt8>) -> (delimiter: UInt8?, count: Int, lines: Int) {
        guard head.count > 5, head.starts(with: "sep=".utf8), head[5] == 0x0A || head[5] == 0x0D else {
            return (nil, 0, 0)
        }
        return (head[4], head.count > 6 && head[5] == 0x0D && head[6] == 0x0A ? 7 : 6, 1)
    }

    /// The delimiter that gives the first records the same number of fields as the header, and most fields.
    static func delimiter(of head: UnsafeBufferPointer<UInt8>) -> UInt8 {
        guard let start = head.baseAddress else { return UInt8(ascii: ",") }
        let count = min(head.count, 1 << 18)
        var best: (delimiter: UInt8, part: Double, fields: Int) = (UInt8(ascii: ","), 0, 1)
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 9, UInt8(ascii: "|")] {
            var record = DelimitedRecord()
            var place = 0
            var fields = 0
            var records = 0
            var alike = 0
            while records < 20, place < count,
                case .whole = record.split(
                    start, from: place, to: count, isLast: count == head.count, delimiter: delimiter)
            {
                place = record.next
                guard !record.isBlank else { continue }
                if fields == 0 { fields = record.fields.count }
                if record.fields.count == fields { alike += 1 }
                records += 1
            }
            guard records > 0, fields > 1 else { continue }
            let part = Double(alike) / Double(records)
            if part > best.part + 0.2 || part > best.part - 0.2 && fields > best.fields {
                best = (delimiter, part, fields)
            }
        }
        return best.delimiter
    }
}
