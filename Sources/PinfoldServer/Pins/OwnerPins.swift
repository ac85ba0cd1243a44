/// All pins of one owner as one snapshot has them, in memory, oldest first: what sorts, draws and counts them, and whom
/// each is for. Never changed once made.
///
/// The rows lie side by side: a list by owner goes through thousands of these, and each step aside waits for memory.
final class OwnerPins: Sendable {
    /// 8 bytes. What a box goes by lies apart from the rest, of which it needs little.
    struct Position {
        let longitude: Int32
        let latitude: Int32
    }

    /// 24 bytes.
    struct Row {
        let id: Int64
        let createdAt: Int64
        /// 0 for none.
        let rating: UInt8
        /// A `Pin.Category` code.
        let category: UInt8
        /// 0 is private, 1 for friends, else 2 and an index into `circles`.
        let audience: UInt8
    }

    let ownerId: Int64
    let username: String
    /// The circles that some of the pins are for.
    let circles: [Int64]
    /// Oldest first, then by id. Written before anyone else can see them and never after.
    nonisolated(unsafe) let rows: UnsafeBufferPointer<Row>
    /// Of each row.
    nonisolated(unsafe) let positions: UnsafeBufferPointer<Position>
    /// Where they are.
    let cells: PinCells
    /// There are more pins than are kept of one owner: `rows` is empty, and the index has them.
    let isTooLong: Bool
    /// The owner has not changed from this place of the event log on.
    let validFrom: Int64

    /// The most pins that are kept of one owner: beyond that, reading them anew at each change costs more than the index.
    static let limit = 16_384

    /// The most circles that the rows can name.
    private static let circleLimit = 62

    /// - Parameter numbers: id, createdAt, longitude, latitude, rating, category and audience of each pin, oldest first.
    init(of ownerId: Int64, username: String, validFrom: Int64, _ numbers: some RandomAccessCollection<Int64>) {
        self.ownerId = ownerId
        self.username = username
        self.validFrom = validFrom
        let count = numbers.count / Self.columns
        var circles: [Int64] = []
        var cells = PinCells()
        let rows = UnsafeMutableBufferPointer<Row>.allocate(capacity: count <= Self.limit ? count : 0)
        let positions = UnsafeMutableBufferPointer<Position>.allocate(capacity: rows.count)
        var at = numbers.startIndex
        for index in rows.indices {
            func number(_ column: Int) -> Int64 { numbers[numbers.index(at, offsetBy: column)] }
            var audience = number(6)
            if audience > 1 {
                let known = circles.firstIndex(of: audience)
                if known == nil { circles.append(audience) }
                audience = Int64(known ?? circles.count - 1) + 2
            }
            rows.initializeElement(
                at: index,
                to: Row(
                    id: number(0), createdAt: number(1), rating: UInt8(truncatingIfNeeded: number(4)),
                    category: UInt8(truncatingIfNeeded: number(5)), audience: UInt8(truncatingIfNeeded: audience)))
            let position = Position(
                longitude: Int32(truncatingIfNeeded: number(2)), latitude: Int32(truncatingIfNeeded: number(3)))
            positions.initializeElement(at: index, to: position)
            cells.insert(longitude: position.longitude, latitude: position.latitude)
            numbers.formIndex(&at, offsetBy: Self.columns)
        }
        self.cells = cells
        isTooLong = count > Self.limit || circles.count > Self.circleLimit
        self.rows = UnsafeBufferPointer(rebasing: rows[..<(isTooLong ? 0 : rows.count)])
        self.positions = UnsafeBufferPointer(rebasing: positions[..<(isTooLong ? 0 : rows.count)])
        self.circles = isTooLong ? [] : circles
    }

    deinit {
        rows.deallocate()
        positions.deallocate()
    }

    /// Numbers of a row that `init` takes.
    static let columns = 7

    /// About what it takes of memory.
    var bytes: Int { 250 + rows.count * (MemoryLayout<Row>.stride + MemoryLayout<Position>.stride) }
}
