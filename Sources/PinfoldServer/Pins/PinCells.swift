import Geo

/// Where some pins are, so roughly that it takes 32 bytes: of the cells of a grid of 0.026 degrees that hold any, a bit for
/// each, cells of the same remainder sharing one (B. H. Bloom, Space/time trade-offs in hash coding, CACM 13, 1970).
struct PinCells: Sendable {
    private var bits = SIMD4<UInt64>()

    /// A box of more cells than this has a bit in common with most owners.
    private static let coveringLimit = 24
    /// A cell is 2^18 units of 1e-7 degree wide and high.
    private static let shift: Int32 = 18

    /// None.
    init() {}

    /// The cells that a box touches; nil if they are too many to tell much.
    init?(covering box: BoundingBox) {
        let rows = box.south >> Self.shift...box.north >> Self.shift
        let columns = box.longitudeRanges.map { $0.lowerBound >> Self.shift...$0.upperBound >> Self.shift }
        guard rows.count * columns.reduce(0, { $0 + $1.count }) <= Self.coveringLimit else { return nil }
        for row in rows { for range in columns { for column in range { insert(column, row) } } }
    }

    /// In units of 1e-7 degree.
    mutating func insert(longitude: Int32, latitude: Int32) {
        insert(longitude >> Self.shift, latitude >> Self.shift)
    }

    /// False only if none of the cells is in both.
    @inline(__always)
    func mayShareOne(with other: PinCells) -> Bool {
        let shared = bits & other.bits
        return shared.x | shared.y | shared.z | shared.w != 0
    }

    private mutating func insert(_ column: Int32, _ row: Int32) {
        // Neighbours get bits of their own: 16 by 16 cells before one comes again.
        let bit = Int(column & 15) | Int(row & 15) << 4
        bits[bit >> 6] |= 1 << UInt64(bit & 63)
    }
}
