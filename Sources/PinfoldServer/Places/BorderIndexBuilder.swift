import Foundation
import Geo

/// Gathers borders into a `BorderIndex`.
struct BorderIndexBuilder {
    private struct Arc {
        let start, count: Int
        let left, right: UInt16
    }

    private var vertices: [BorderIndex.Vertex] = []
    private var arcs: [Arc] = []
    private let areaCount: Int

    /// - Parameter areaCount: the highest number of an area, at most 65,535.
    init(areaCount: Int) {
        self.areaCount = areaCount
    }

    /// Adds a border of two or more vertices with the areas to the left and to the right of its direction, 0 for none.
    mutating func add(_ points: [BorderIndex.Vertex], left: Int, right: Int) {
        arcs.append(
            Arc(
                start: vertices.count, count: points.count, left: UInt16(truncatingIfNeeded: left),
                right: UInt16(truncatingIfNeeded: right)))
        vertices += points
    }

    /// - Throws: `GazetteerError` if there are too many lines.
    func finish() throws -> BorderIndex {
        let (starts, runs) = runs()
        let rowRuns = stride(from: 0, through: starts.count - 1, by: BorderIndex.columns).map { starts[$0] }
        let cells = try zip(starts, centres() + [0]).enumerated().map { number, cell in
            guard let first = UInt16(exactly: cell.0 - rowRuns[number / BorderIndex.columns]) else {
                throw GazetteerError("there are too many borders on one parallel")
            }
            return BorderIndex.Cell(firstRun: first, centre: cell.1)
        }
        return try BorderIndex(vertices: vertices, runs: runs, rowRuns: rowRuns, cells: cells, areaCount: areaCount)
    }

    // MARK: Which edges touch a cell

    /// Where the runs of each cell begin, and the end of the last, and the runs.
    private func runs() -> (starts: [UInt32], runs: [BorderIndex.Run]) {
        let cells = BorderIndex.rows * BorderIndex.columns
        var found: [(cell: Int, run: BorderIndex.Run)] = []
        // The last run of each cell: the next edge of the same border makes it longer.
        var last = [Int](repeating: -1, count: cells)
        for arc in arcs {
            let beginning = found.count
            for edge in arc.start..<(arc.start + arc.count - 1) {
                let (a, b) = (vertices[edge], vertices[edge + 1])
                Self.forEachCell(a, b) { cell in
                    let box = Self.box(a, b, in: cell)
                    if last[cell] >= beginning {
                        let run = found[last[cell]].run
                        if Int(run.start) + Int(run.count) == edge, run.count < BorderIndex.runLength {
                            found[last[cell]].run.count += 1
                            found[last[cell]].run.box.formUnion(box)
                            return
                        }
                    }
                    last[cell] = found.count
                    let run = BorderIndex.Run(
                        start: UInt32(edge), count: 1, left: arc.left, right: arc.right, box: box)
                    found.append((cell, run))
                }
            }
        }
        var firstRuns = [UInt32](repeating: 0, count: cells + 1)
        for each in found { firstRuns[each.cell + 1] += 1 }
        for cell in 0..<cells { firstRuns[cell + 1] += firstRuns[cell] }
        var next = firstRuns
        var runs = found.map(\.run)
        for each in found {
            runs[Int(next[each.cell])] = each.run
            next[each.cell] += 1
        }
        return (firstRuns, runs)
    }

    /// The part of an edge's box that lies in a cell.
    private static func box(_ a: BorderIndex.Vertex, _ b: BorderIndex.Vertex, in cell: Int) -> CellBox {
        let west = cell % BorderIndex.columns * BorderIndex.cell - 1_800_000_000
        let south = cell / BorderIndex.columns * BorderIndex.cell - 900_000_000
        return CellBox((Int(a.x) - west, Int(a.y) - south), (Int(b.x) - west, Int(b.y) - south))
    }

    /// Hands over each cell that an edge touches, and perhaps one more at a corner.
    private static func forEachCell(_ a: BorderIndex.Vertex, _ b: BorderIndex.Vertex, _ body: (Int) -> Void) {
        let size = BorderIndex.cell
        func column(_ x: Int32) -> Int { min((Int(x) + 1_800_000_000) / size, BorderIndex.columns - 1) }
        func row(_ y: Int32) -> Int { min((Int(y) + 900_000_000) / size, BorderIndex.rows - 1) }
        let columns = column(min(a.x, b.x))...column(max(a.x, b.x))
        let rows = row(min(a.y, b.y))...row(max(a.y, b.y))
        let isNarrow = columns.count == 1 || rows.count == 1
        for row in rows {
            for column in columns {
                // Of a slanting edge's box only the cells with corners on both sides of its line.
                if !isNarrow {
                    let (west, south) = (column * size - 1_800_000_000, row * size - 900_000_000)
                    let (dx, dy) = (Int(b.x) - Int(a.x), Int(b.y) - Int(a.y))
                    let sides = [(0, 0), (size, 0), (0, size), (size, size)].map { corner in
                        dx * (south + corner.1 - Int(a.y)) - dy * (west + corner.0 - Int(a.x))
                    }
                    if sides.allSatisfy({ $0 > 0 }) || sides.allSatisfy({ $0 < 0 }) { continue }
                }
                body(row * BorderIndex.columns + column)
            }
        }
    }

    // MARK: What is at a cell's centre

    private struct Crossing {
        let x: Double
        let west, east: UInt16
    }

    /// Follows the parallel through the centres of each row of cells from the west, over each border.
    private func centres() -> [UInt16] {
        var crossings = [[Crossing]](repeating: [], count: BorderIndex.rows)
        for arc in arcs {
            for edge in arc.start..<(arc.start + arc.count - 1) {
                let (a, b) = (vertices[edge], vertices[edge + 1])
                let (low, high) = a.y < b.y ? (Int(a.y), Int(b.y)) : (Int(b.y), Int(a.y))
                let offset = 900_000_000 - BorderIndex.centre
                // The rows whose parallel lies above `low` and not above `high`; no vertex lies on one.
                let first = max(0, (low + offset + BorderIndex.cell) / BorderIndex.cell)
                let last = min(BorderIndex.rows - 1, (high + offset) / BorderIndex.cell)
                guard first <= last else { continue }
                for row in first...last {
                    let y = row * BorderIndex.cell - offset
                    guard y > low, y <= high else { continue }
                    let part = Double(y - Int(a.y)) / Double(Int(b.y) - Int(a.y))
                    let x = Double(a.x) + part * Double(Int(b.x) - Int(a.x))
                    let isUp = b.y > a.y
                    crossings[row].append(
                        Crossing(x: x, west: isUp ? arc.left : arc.right, east: isUp ? arc.right : arc.left))
                }
            }
        }
        var centres = [UInt16](repeating: 0, count: BorderIndex.rows * BorderIndex.columns)
        for row in 0..<BorderIndex.rows {
            let sorted = crossings[row].sorted { $0.x < $1.x }
            var area = sorted.first?.west ?? 0
            var next = 0
            for column in 0..<BorderIndex.columns {
                let x = Double(column * BorderIndex.cell - 1_800_000_000 + BorderIndex.centre)
                while next < sorted.count, sorted[next].x < x {
                    area = sorted[next].east
                    next += 1
                }
                centres[row * BorderIndex.columns + column] = area
            }
        }
        return centres
    }
}
