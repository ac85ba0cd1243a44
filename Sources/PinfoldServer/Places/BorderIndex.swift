import Geo

/// Which area of a map that covers the Earth without overlaps holds a position, in well under a microsecond.
///
/// The Earth is divided into cells of half a degree. A cell knows the area at its centre and the pieces of border that
/// touch it. From a position towards the centre of its cell, the first border that is crossed tells the area by its near
/// side; where none is crossed, it is the centre's. All arithmetic that decides on which side a point lies is exact.
final class BorderIndex: Sendable {
    /// Some consecutive edges of one border in one cell, 16 bytes.
    struct Run {
        /// The first vertex.
        var start: UInt32
        /// How many edges follow it, up to `runLength`.
        var count: UInt32
        /// The areas to the left and to the right of its direction.
        var left, right: UInt16
        /// Where in the cell they are: most runs are passed over by it alone.
        var box: CellBox
    }

    /// So short that its box tells much, so long that boxes are few.
    static let runLength = 32

    /// What a look-up asks of a cell first, 4 bytes.
    struct Cell {
        /// Where its runs begin among those of its row.
        var firstRun: UInt16
        /// The area at its centre.
        var centre: UInt16
    }

    /// A vertex, in 1e-7 degree.
    struct Vertex {
        var x, y: Int32
    }

    /// The edge of a cell, in 1e-7 degree.
    static let cell = 5_000_000
    static let columns = 720
    static let rows = 360
    /// From a cell's corner to its centre; odd, so that no vertex and no line along a meridian or parallel meets it.
    static let centre = 2_500_037

    let vertices: MappedArray<Vertex>
    let runs: MappedArray<Run>
    /// Where the runs of each row begin, and the end of the last.
    let rowRuns: MappedArray<UInt32>
    /// Row by row, and one behind the last.
    let cells: MappedArray<Cell>
    /// The highest number of an area; 0 is outside of all.
    let areaCount: Int

    /// The index among some parts, by what their names begin with.
    ///
    /// - Throws: `GazetteerError` if there is none, or one of another size.
    init(_ parts: MappedParts, _ name: String) throws {
        vertices = parts.array("\(name).vertices")
        runs = parts.array("\(name).runs")
        rowRuns = parts.array("\(name).rowRuns")
        cells = parts.array("\(name).cells")
        areaCount = Int(parts.array("\(name).areaCount", of: UInt16.self)[0] ?? 0)
        guard cells.count == Self.rows * Self.columns + 1, rowRuns.count == Self.rows + 1 else {
            throw GazetteerError("the index of borders is damaged")
        }
    }

    /// The number of the area at a position, 0 for none.
    func area(at coordinate: Coordinate) -> Int {
        // The antimeridian and the poles are edges of areas, and a position on an edge is on either side.
        let x = max(Int(coordinate.longitudeE7), -1_799_999_999)
        let y = min(max(Int(coordinate.latitudeE7), -899_999_999), 899_999_999)
        let (column, row) = ((x + 1_800_000_000) / Self.cell, (y + 900_000_000) / Self.cell)
        // All are there, by the counts.
        let number = row * Self.columns + column
        let (cell, next) = (cells.elements[number], cells.elements[number + 1])
        var area = Int(cell.centre)
        let rowStart = Int(rowRuns.elements[row])
        let first = rowStart + Int(cell.firstRun)
        let end = column + 1 < Self.columns ? rowStart + Int(next.firstRun) : Int(rowRuns.elements[row + 1])
        guard first < end else { return min(area, areaCount) }
        let offset = (x: x + 1_800_000_000 - column * Self.cell, y: y + 900_000_000 - row * Self.cell)
        let way = CellBox(offset, (Self.centre, Self.centre))
        let (dx, dy) = (Self.centre - offset.x, Self.centre - offset.y)
        var nearest = Double.infinity
        vertices.withBytes { vertices in
            for run in runs.slice(first..<end) where run.box.meets(way) {
                let start = Int(run.start)
                guard start + Int(run.count) < vertices.count else { continue }
                var (ax, ay) = (Int(vertices[start].x) - x, Int(vertices[start].y) - y)
                var isLeft = dx * ay - dy * ax >= 0
                for index in (start + 1)..<(start + Int(run.count) + 1) {
                    let (bx, by) = (Int(vertices[index].x) - x, Int(vertices[index].y) - y)
                    let wasLeft = isLeft
                    isLeft = dx * by - dy * bx >= 0
                    if wasLeft != isLeft {
                        // Where on the way the edge's line is met: 0 at the position, 1 at the centre. Floating point, which
                        // is exact here for edges as long as a cell, and has room for edges around the Earth.
                        let (ex, ey) = (Double(bx - ax), Double(by - ay))
                        let side = Double(ax) * ey - Double(ay) * ex
                        let along = side / (Double(dx) * ey - Double(dy) * ex)
                        if along >= 0, along < nearest, along <= 1 {
                            nearest = along
                            area = Int(side > 0 ? run.left : run.right)
                        }
                    }
                    (ax, ay) = (bx, by)
                }
            }
        }
        return min(area, areaCount)
    }
}

// MARK: Storing

extension BorderIndex {
    /// All that it holds, under names that begin so.
    func parts(_ name: String) -> [(name: String, content: [UInt8])] {
        [
            ("\(name).vertices", vertices.memory), ("\(name).runs", runs.memory),
            ("\(name).rowRuns", rowRuns.memory), ("\(name).cells", cells.memory),
            ("\(name).areaCount", [UInt16(areaCount)].memory),
        ]
    }

    /// An index in memory alone.
    ///
    /// - Throws: as `init(_:_:)`.
    convenience init(
        vertices: [Vertex], runs: [Run], rowRuns: [UInt32], cells: [Cell], areaCount: Int
    ) throws {
        let parts = [
            (".vertices", vertices.memory), (".runs", runs.memory), (".rowRuns", rowRuns.memory),
            (".cells", cells.memory),
            (".areaCount", [UInt16(truncatingIfNeeded: areaCount)].memory),
        ]
        try self.init(MappedParts(parts), "")
    }
}
