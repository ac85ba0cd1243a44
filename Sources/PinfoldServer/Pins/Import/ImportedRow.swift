/// What became of one place of a file.
enum ImportedRow: Sendable {
    case pin(ImportedPin)
    /// It cannot be a pin: a field and what is wrong with it.
    case rejected(row: Int, field: String, message: String)
    /// It may be a place, but the file does not say where.
    case notPlaced(row: Int, name: String, reason: String)

    /// Its number in the file.
    var number: Int {
        switch self {
        case .pin(let pin): pin.row
        case .rejected(let row, _, _), .notPlaced(let row, _, _): row
        }
    }
}

/// The places of a file so far, up to `limit`.
struct ImportedRows: Sendable {
    static let limit = 10_000

    private(set) var all: [ImportedRow] = []

    /// - Throws: `ImportFault` beyond `limit`.
    mutating func append(_ row: ImportedRow) throws {
        guard all.count < Self.limit else { throw ImportFault.tooManyRows }
        all.append(row)
    }

    /// The number of the next place: they count from 1.
    var next: Int { all.count + 1 }
}
