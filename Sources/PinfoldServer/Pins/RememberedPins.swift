/// The pins of the owners of a sight, in their order, as far as they are known. A copy is cheap.
///
/// Unchecked, since the rows that it points to are never written, and it holds their owners.
struct RememberedPins: @unchecked Sendable {
    /// What a list goes through of an owner, side by side: the owners themselves lie all over memory.
    private struct Slot {
        var positions: UnsafePointer<OwnerPins.Position>?
        var rows = UnsafeBufferPointer<OwnerPins.Row>(start: nil, count: 0)
        var cells = PinCells()
        var hasCircles = false
    }

    /// What there is of one owner.
    struct Owner {
        /// In the sight.
        let index: Int
        let rows: UnsafeBufferPointer<OwnerPins.Row>
        let positions: UnsafePointer<OwnerPins.Position>
        /// The circles that some rows are for.
        let circles: [Int64]
    }

    private var slots: [Slot]
    private var pins: [OwnerPins?]
    /// How many owners are not known.
    private(set) var missing: Int
    /// How many are known to have more pins than are kept.
    private(set) var tooLong = 0

    /// What it takes of memory for each owner, without their rows.
    static let bytesOfOwner = MemoryLayout<Slot>.stride + MemoryLayout<OwnerPins?>.stride

    /// Nothing is known of any.
    init(of owners: [Int64]) {
        slots = Array(repeating: Slot(), count: owners.count)
        pins = Array(repeating: nil, count: owners.count)
        missing = owners.count
    }

    var indices: Range<Int> { slots.indices }

    /// Those of the owner at `index` in the sight; nil if they are not known.
    subscript(index: Int) -> OwnerPins? {
        get { pins[index] }
        set {
            missing += (newValue == nil ? 1 : 0) - (pins[index] == nil ? 1 : 0)
            tooLong += (newValue?.isTooLong == true ? 1 : 0) - (pins[index]?.isTooLong == true ? 1 : 0)
            pins[index] = newValue
            slots[index] =
                newValue.map {
                    Slot(
                        positions: $0.positions.baseAddress, rows: $0.rows, cells: $0.cells,
                        hasCircles: !$0.circles.isEmpty)
                } ?? Slot()
        }
    }

    /// Hands each owner who may have rows in the cells to `body`.
    ///
    /// - Parameter cells: asked before each owner; nil is everywhere.
    @inline(__always)
    func forEachOwner(within cells: @autoclosure () -> PinCells?, _ body: (Owner) throws -> Void) rethrows {
        for index in slots.indices {
            let slot = slots[index]
            guard slot.rows.count > 0, let positions = slot.positions else { continue }
            if let cells = cells(), !slot.cells.mayShareOne(with: cells) { continue }
            let circles = slot.hasCircles ? pins[index]?.circles ?? [] : []
            try body(Owner(index: index, rows: slot.rows, positions: positions, circles: circles))
        }
        // The rows are gone with their owners.
        withExtendedLifetime(pins) {}
    }
}
