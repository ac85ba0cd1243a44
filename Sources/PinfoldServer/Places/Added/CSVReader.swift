/// The records of a CSV text that comes in pieces, with the lines that they begin in. Memory holds a piece and the
/// longest record.
struct CSVReader {
    private var buffer: [UInt8] = []
    private var isFirst = true
    private var line = 1

    /// Hands each record to `body`, the header among them; nil for one that is too long (a quote that is never closed):
    /// its first line is passed over, and the next one begins a record. Empty lines are passed over.
    ///
    /// - Parameter read: gives the next piece, an empty one at the end.
    mutating func forEach(
        read: () throws -> [UInt8], _ body: (_ line: Int, _ fields: [String?]?) throws -> Void
    ) throws {
        var delimiter: UInt8?
        var isEnd = false
        while !isEnd {
            let piece = try read()
            isEnd = piece.isEmpty
            buffer += piece
            if isFirst, buffer.count >= 3 || isEnd {
                if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.removeFirst(3) }
                isFirst = false
            }
            guard isEnd || buffer.contains(0x0A) || buffer.count > LineReader.limit else { continue }
            let known = delimiter ?? CSVRecords.delimiter(of: buffer)
            delimiter = known
            try take(known, isEnd: isEnd, body)
        }
    }

    private mutating func take(_ delimiter: UInt8, isEnd: Bool, _ body: (Int, [String?]?) throws -> Void) throws {
        var records = CSVRecords(buffer, delimiter: delimiter)
        var used = 0
        while true {
            let next = records.next()
            // A record that reaches the end may go on in the next piece.
            let isWhole = next != nil && (isEnd || records.at < buffer.count)
            let length = (next == nil ? used : records.at) - used
            if isWhole, length <= LineReader.limit, let fields = next {
                let start = line
                line += buffer[used..<records.at].count { $0 == 0x0A }
                used = records.at
                if fields.count > 1 || fields[0] != nil { try body(start, fields) }
            } else if length > LineReader.limit {
                let feed = buffer[used...].firstIndex(of: 0x0A)
                try body(line, nil)
                line += 1
                used = feed.map { $0 + 1 } ?? buffer.count
                records = CSVRecords(Array(buffer[used...]), delimiter: delimiter)
                buffer.removeFirst(used)
                used = 0
            } else {
                break
            }
        }
        buffer.removeFirst(used)
    }
}
