import Geo

/// Which area of a map that covers the Earth without overlaps holds a position, in well under a microsecond.
///
/// The Earth is divided into cells of half a degree. A cell knows the area at its centre and the pieces of border that
/// touch it. From a position towards the centre of its cell, the first border that is crossed tells the area by its near
/// side; where none is crossed, it is the centre's. All arithmetic that decides on which side a point lies is exact.
struct BorderIndex: Sendable {
    /// Consecutive edges of one border in one cell, 12 bytes.
    struct Run {
        /// The first vertex.
        var start: UInt32
        /// How many edges follow it.
        var count: UInt16
        /// The areas to the left and to the right of its direction.
        var left, right: UInt16
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

    let vertices: [Vertex]
    let runs: [Run]
    /// Where the runs of each cell begin, and the end of the last.
    let firstRuns: [UInt32]
    /// The area at each cell's centre.
    let centres: [UInt16]
    /// The highest number of an area; 0 is outside of all.
    let areaCount: Int

    init(vertices: [Vertex], runs: [Run], firstRuns: [UInt32], centres: [UInt16], areaCount: Int) {
        self.vertices = vertices
        self.runs = runs
        self.firstRuns = firstRuns
        self.centres = centres
        self.areaCount = areaCount
    }

    /// The number of the area at a position, 0 for none.
    func area(at coordinate: Coordinate) -> Int {
        // The antimeridian and the poles are edges of areas, and a position on an edge is on either side.
        let x = max(Int(coordinate.longitudeE7), -1_799_999_999)
        let y = min(max(Int(coordinate.latitudeE7), -899_999_999), 899_999_999)
        let (column, row) = ((x + 1_800_000_000) / Self.cell, (y + 900_000_000) / Self.cell)
        let cell = row * Self.columns + column
        let (first, end) = (Int(firstRuns[cell]), Int(firstRuns[cell + 1]))
        guard first < end else { return Int(centres[cell]) }
        let dx = column * Self.cell - 1_800_000_000 + Self.centre - x
        let dy = row * Self.cell - 900_000_000 + Self.centre - y
        var nearest = Double.infinity
        var area = Int(centres[cell])
        vertices.withUnsafeBufferPointer { vertices in
            for run in runs[first..<end] {
                let start = Int(run.start)
                var (ax, ay) = (Int(vertices[start].x) - x, Int(vertices[start].y) - y)
                var isLeft = dx * ay - dy * ax >= 0
                for index in (start + 1)...(start + Int(run.count)) {
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
        return area
    }
}

// MARK: Storing

extension BorderIndex {
    /// All that it holds as bytes, in this machine's order: five counts, then the arrays.
    var blob: [UInt8] {
        let counts = [vertices.count, runs.count, firstRuns.count, centres.count, areaCount].map { UInt32($0) }
        return [
            counts.withUnsafeBytes { [UInt8]($0) }, vertices.withUnsafeBytes { [UInt8]($0) },
            runs.withUnsafeBytes { [UInt8]($0) }, firstRuns.withUnsafeBytes { [UInt8]($0) },
            centres.withUnsafeBytes { [UInt8]($0) },
        ].flatMap { $0 }
    }

    /// The index that `blob` was made of.
    ///
    /// - Throws: `GazetteerError` if a look-up in it could go astray.
    init(blob: UnsafeRawBufferPointer) throws {
        var rest = blob[...]
        func array<Element>(_ count: Int, of type: Element.Type) throws -> [Element] {
            let size = count * MemoryLayout<Element>.stride
            guard rest.count >= size else { throw Self.damaged }
            defer { rest = rest.dropFirst(size) }
            return [Element](blob: UnsafeRawBufferPointer(rebasing: rest.prefix(size)))
        }
        let counts = try array(5, of: UInt32.self).map { Int($0) }
        vertices = try array(counts[0], of: Vertex.self)
        runs = try array(counts[1], of: Run.self)
        firstRuns = try array(counts[2], of: UInt32.self)
        centres = try array(counts[3], of: UInt16.self)
        areaCount = counts[4]
        let cells = Self.rows * Self.columns
        let fits =
            rest.isEmpty && centres.count == cells && firstRuns.count == cells + 1 && firstRuns[0] == 0
            && Int(firstRuns[cells]) == runs.count && zip(firstRuns, firstRuns.dropFirst()).allSatisfy { $0 <= $1 }
            && centres.allSatisfy { $0 <= areaCount }
            && runs.allSatisfy {
                $0.count > 0 && Int($0.start) + Int($0.count) < vertices.count && $0.left <= areaCount
                    && $0.right <= areaCount
            }
        guard fits else { throw Self.damaged }
    }

    private static var damaged: GazetteerError { GazetteerError("the index of borders is damaged") }
}
