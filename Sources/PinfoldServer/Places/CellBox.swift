/// A box within a cell of a `BorderIndex`, in 128ths of the cell's edge, as four bytes: its greatest x and y, and 127 less
/// its least x and y. So two boxes are compared in one step, and a larger box has larger bytes.
struct CellBox: BitwiseCopyable {
    private(set) var bits: UInt32

    /// The box around two points, as far as it lies in the cell. Both are in 1e-7 degree from the cell's corner.
    @inline(__always)
    init(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int)) {
        // Never descending, so that what meets still does in these steps.
        func step(_ offset: Int) -> UInt32 {
            UInt32(min(max(offset, 0), BorderIndex.cell - 1) * 128 / BorderIndex.cell)
        }
        let (right, top) = (step(max(a.x, b.x)), step(max(a.y, b.y)))
        let (left, bottom) = (step(min(a.x, b.x)), step(min(a.y, b.y)))
        bits = right | top << 8 | (127 - left) << 16 | (127 - bottom) << 24
    }

    /// Takes in another box of the same cell.
    mutating func formUnion(_ other: CellBox) {
        var union: UInt32 = 0
        for shift: UInt32 in [0, 8, 16, 24] {
            union |= max(bits >> shift & 0xFF, other.bits >> shift & 0xFF) << shift
        }
        bits = union
    }

    /// Whether two boxes of one cell have a point in common, or nearly.
    @inline(__always)
    func meets(_ other: CellBox) -> Bool {
        // The other's least x and y, and 127 less its greatest, below this one's greatest x and y, and 127 less its least:
        // each byte of the difference keeps its highest bit where this one's is not less.
        let least = 0x7F7F_7F7F &- (other.bits << 16 | other.bits >> 16)
        return ((bits | 0x8080_8080) &- least) & 0x8080_8080 == 0x8080_8080
    }
}
