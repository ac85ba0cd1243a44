/// Why a file cannot be read at all, as a predicate of it: `"is not JSON (at byte 17)"`.
struct ImportFault: Error, Sendable {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    static let tooManyRows = ImportFault("has more than \(ImportedRows.limit) places; import it in parts")
}
