/// Reads CSV as RFC 4180 has it, to the letter: CR LF behind each record, quotes where they must be.
enum CSVReader {
    struct Fault: Error {
        let offset: Int
    }

    /// The cells of each record; nil for one without anything, quotes included.
    static func records(_ bytes: [UInt8]) throws -> [[String?]] {
        var records: [[String?]] = []
        var record: [String?] = []
        var index = 0
        func byte() -> UInt8? { index < bytes.count ? bytes[index] : nil }
        while index < bytes.count {
            var cell: [UInt8] = []
            let isQuoted = byte() == UInt8(ascii: "\"")
            if isQuoted {
                index += 1
                while true {
                    guard let next = byte() else { throw Fault(offset: index) }
                    index += 1
                    if next == UInt8(ascii: "\"") {
                        guard byte() == UInt8(ascii: "\"") else { break }
                        index += 1
                    }
                    cell.append(next)
                }
            } else {
                while let next = byte(), next != UInt8(ascii: ","), next != 0x0D {
                    guard next != UInt8(ascii: "\""), next != 0x0A else { throw Fault(offset: index) }
                    cell.append(next)
                    index += 1
                }
            }
            record.append(cell.isEmpty && !isQuoted ? nil : String(decoding: cell, as: UTF8.self))
            switch byte() {
            case UInt8(ascii: ","): index += 1
            case 0x0D where bytes[(index + 1)...].first == 0x0A:
                index += 2
                records.append(record)
                record = []
            default: throw Fault(offset: index)
            }
        }
        guard record.isEmpty else { throw Fault(offset: index) }
        return records
    }
}
