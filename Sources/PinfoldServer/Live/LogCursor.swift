import HTTP

/// How far somebody has followed what they see.
enum LogCursor: Equatable, Sendable {
    /// All up to this place of the log is known.
    case at(Int64)
    /// On the first way through all that is visible, in the order of ids: up to this id, and then on from `target`.
    case beginning(target: Int64, lastId: Int64)
    /// On the way from `start` to `target`: what happened first at a place before `position` is known, and of that at
    /// `position` the pins up to `lastId`.
    case between(start: Int64, target: Int64, position: Int64, lastId: Int64)

    /// Behind here everything is still to come.
    var start: Int64 {
        switch self {
        case .at(let place), .beginning(let place, _): place
        case .between(let start, _, _, _): start
        }
    }

    fileprivate var numbers: [Int64] {
        switch self {
        case .at(let place): [0, place]
        case .beginning(let target, let lastId): [1, target, lastId]
        case .between(let start, let target, let position, let lastId): [2, start, target, position, lastId]
        }
    }

    fileprivate init?(_ numbers: [Int64]) {
        switch (numbers.first, numbers.count) {
        case (0, 2): self = .at(numbers[1])
        case (1, 3): self = .beginning(target: numbers[1], lastId: numbers[2])
        case (2, 5):
            self = .between(start: numbers[1], target: numbers[2], position: numbers[3], lastId: numbers[4])
        default: return nil
        }
    }
}

extension LogCursor {
    /// The problem for a cursor from before the log begins, or before the database was restored.
    static let expired = HTTPError(
        410, "cursor-expired", "The cursor is too old",
        detail: "What has happened since is no longer known; begin anew without a cursor")

    /// - Throws: `HTTPError` 400 for a place that the log has not come to, `expired` for one that it no longer has.
    func require(within log: (floor: Int64, end: Int64), field: String) throws {
        let latest =
            switch self {
            case .at(let place), .beginning(let place, _): place
            case .between(_, let target, _, _): target
            }
        guard latest <= log.end else { throw HTTPError.badRequest(field, "is of the future") }
        guard start >= log.floor else { throw LogCursor.expired }
    }
}

/// Seals the cursors of the log, with the epoch of the database, which a restore renews. A cursor is good for any viewer,
/// since it says only where in the log to go on; what is visible is decided anew.
struct LogCursorSeal: Sendable {
    let cursors: CursorSeal
    let epoch: [UInt8]

    func seal(_ cursor: LogCursor) -> String { cursors.seal(epoch + cursor.numbers.flatMap(bytes), for: "log") }

    /// - Parameter field: what the refusal names.
    /// - Throws: `HTTPError` 400 for a damaged or foreign cursor, `LogCursor.expired` for one of another epoch.
    func open(_ text: String, field: String) throws -> LogCursor {
        let payload = try cursors.open(text, for: "log", field: field)
        guard payload.starts(with: epoch) else { throw LogCursor.expired }
        let numbers = Array(payload.dropFirst(epoch.count))
        let words = stride(from: 0, to: numbers.count - 7, by: 8).map { start in
            (0..<8).reduce(Int64(0)) { $0 | Int64(numbers[start + $1]) << Int64(8 * $1) }
        }
        guard let cursor = LogCursor(words) else {
            throw HTTPError.badRequest(field, "is damaged or belongs to another list")
        }
        return cursor
    }
}

private func bytes(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
