import HTTP

/// What an import has done, or would do.
struct ImportReport: Sendable {
    typealias Result = Swift.Result<PinUpsert.Outcome, Fault>

    /// Why a row could not be stored.
    struct Fault: Error, Sendable {
        let field: String
        let message: String

        init(_ fault: HTTPError.FieldFault) {
            field = fault.field
            message = fault.message
        }
    }

    private let format: ImportFormat
    private var created = 0
    private var updated = 0
    private var unchanged = 0
    private var rejected: [(row: Int, field: String, message: String)] = []
    private var notPlaced: [(row: Int, name: String, reason: String)] = []
    private var shortened: [(row: Int, field: String)] = []

    init(format: ImportFormat) {
        self.format = format
    }

    /// The rows that can be pins; takes note of the others. Of rows that are one place the last one counts.
    mutating func pins(of rows: [ImportedRow]) -> [ImportedPin] {
        var last: [[UInt8]: Int] = [:]
        for case .pin(let pin) in rows { last[Array(pin.externalId.utf8)] = pin.row }
        var pins: [ImportedPin] = []
        for row in rows {
            switch row {
            case .rejected(let row, let field, let message): rejected.append((row, field, message))
            case .notPlaced(let row, let name, let reason): notPlaced.append((row, name, reason))
            case .pin(let pin):
                if let later = last[Array(pin.externalId.utf8)], later != pin.row {
                    rejected.append((pin.row, "externalId", "is the same as of row \(later), which is taken"))
                } else {
                    pins.append(pin)
                    for field in pin.shortened { shortened.append((pin.row, field)) }
                }
            }
        }
        return pins
    }

    mutating func count(_ result: Result, of pin: ImportedPin) {
        switch result {
        case .success(.created): created += 1
        case .success(.updated): updated += 1
        case .success(.unchanged): unchanged += 1
        case .failure(let fault): rejected.append((pin.row, fault.field, fault.message))
        }
    }
}

extension ImportReport: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("format")
            json.string(format.rawValue)
            json.key("created")
            json.integer(Int64(created))
            json.key("updated")
            json.integer(Int64(updated))
            json.key("unchanged")
            json.integer(Int64(unchanged))
            json.key("rejected")
            json.array { json in
                for fault in rejected.sorted(by: { $0.row < $1.row }) {
                    json.object { json in
                        json.key("row")
                        json.integer(Int64(fault.row))
                        json.key("field")
                        json.string(fault.field)
                        json.key("message")
                        json.string(fault.message)
                    }
                }
            }
            json.key("notPlaced")
            json.array { json in
                for place in notPlaced {
                    json.object { json in
                        json.key("row")
                        json.integer(Int64(place.row))
                        json.key("name")
                        json.string(place.name)
                        json.key("reason")
                        json.string(place.reason)
                    }
                }
            }
            json.key("shortened")
            json.array { json in
                for text in shortened {
                    json.object { json in
                        json.key("row")
                        json.integer(Int64(text.row))
                        json.key("field")
                        json.string(text.field)
                    }
                }
            }
        }
    }
}
