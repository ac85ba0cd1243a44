import Foundation
import Geo
import Testing

@Suite struct MercatorGridTests {
    /// The formulas of the standard in floating point, for what lies clear of a border.
    private func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
        let latitude = coordinate.latitude * .pi / 180
        return (
            (coordinate.longitude + 180) / 360, (1 - log(tan(latitude) + 1 / cos(latitude)) / .pi) / 2
        )
    }

    @Test func `columns and rows are those of the formulas`() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<20_000 {
            let coordinate = generator.coordinate()
            guard MercatorGrid.contains(coordinate) else { continue }
            let place = place(coordinate)
            let level = Int.random(in: 0...31, using: &generator)
            let grid = MercatorGrid(level: level)
            // Rows of level 31 are as fine as the doubles' errors allow; one beside is a matter of rounding.
            let side = Double(grid.side)
            let column = grid.column(longitudeE7: coordinate.longitudeE7)
            let row = grid.row(latitudeE7: coordinate.latitudeE7)
            #expect(abs(place.x * side - Double(column) - 0.5) <= 0.5 + 1e-5, "\(coordinate) \(level)")
            #expect(abs(place.y * side - Double(row) - 0.5) <= 0.5 + 1e-5, "\(coordinate) \(level)")
            #expect(column >= 0 && column < grid.side && row >= 0 && row < grid.side)
        }
    }

    @Test func `the borders of columns and rows say the same as column and row`() {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<5_000 {
            let coordinate = generator.coordinate()
            guard MercatorGrid.contains(coordinate) else { continue }
            let grid = MercatorGrid(level: Int.random(in: 0...31, using: &generator))
            let column = grid.column(longitudeE7: coordinate.longitudeE7)
            let row = grid.row(latitudeE7: coordinate.latitudeE7)
            let longitudes = grid.longitudesE7(ofColumn: column)
            let latitudes = grid.latitudesE7(ofRow: row)
            #expect(longitudes.contains(coordinate.longitudeE7) && latitudes.contains(coordinate.latitudeE7))
            #expect(grid.column(longitudeE7: longitudes.lowerBound) == column)
            #expect(grid.column(longitudeE7: longitudes.upperBound - 1) == column)
            #expect(grid.row(latitudeE7: latitudes.lowerBound) == row)
            #expect(grid.row(latitudeE7: latitudes.upperBound - 1) == row)
            if column > 0 { #expect(grid.column(longitudeE7: longitudes.lowerBound - 1) == column - 1) }
            if column < grid.side - 1 { #expect(grid.column(longitudeE7: longitudes.upperBound) > column) }
            if row > 0 { #expect(grid.row(latitudeE7: latitudes.upperBound) < row) }
            if row < grid.side - 1 { #expect(grid.row(latitudeE7: latitudes.lowerBound - 1) > row) }
        }
    }

    @Test(arguments: [0, 1, 3, 9]) func `the cells of a level are all of the square, without a gap`(level: Int) {
        let grid = MercatorGrid(level: level)
        let columns = (0..<grid.side).map(grid.longitudesE7(ofColumn:))
        #expect(columns.first?.lowerBound == -1_800_000_000 && columns.last?.upperBound == 1_800_000_000)
        #expect(zip(columns, columns.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        let rows = (0..<grid.side).map(grid.latitudesE7(ofRow:))
        #expect(rows.first?.upperBound == 850_511_288 && rows.last?.lowerBound == -850_511_287)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.lowerBound == $1.upperBound })
    }

    @Test func `rows go down as latitudes go up, each step of the way`() {
        let grid = MercatorGrid(level: 31)
        for start in [-850_511_287, -450_000_000, -500, 449_999_500, 850_510_000] as [Int32] {
            for latitude in start..<start + 1_000 {
                #expect(grid.row(latitudeE7: latitude + 1) <= grid.row(latitudeE7: latitude), "\(latitude)")
            }
        }
        #expect(grid.row(latitudeE7: 900_000_000) == grid.row(latitudeE7: 850_511_287))
        #expect(MercatorGrid(level: 5).row(latitudeE7: 900_000_000) == 0)
        #expect(MercatorGrid(level: 5).row(latitudeE7: -900_000_000) == 31)
    }

    @Test func `a box of whole cells holds the box, and no smaller one does`() throws {
        var generator = SeededGenerator(seed: 23)
        for _ in 0..<3_000 {
            let (a, b) = (generator.coordinate(), generator.coordinate())
            let east = Bool.random(using: &generator) ? b.longitude : 180
            let box = try #require(
                BoundingBox(
                    west: a.longitude, south: min(a.latitude, b.latitude), east: east,
                    north: max(a.latitude, b.latitude)))
            let grid = MercatorGrid(level: Int.random(in: 0...25, using: &generator))
            let whole = grid.box(covering: box)
            for latitude in [box.south, box.north] {
                for longitude in [box.west, box.east] {
                    let corner = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
                    #expect(whole.contains(corner), "\(box) \(grid.level)")
                }
            }
            #expect(grid.box(covering: whole) == whole, "\(box) \(grid.level)")
            // A point is in it exactly if the box touches its cell.
            let probe = generator.coordinate()
            let column = grid.column(longitudeE7: probe.longitudeE7)
            let row = grid.row(latitudeE7: probe.latitudeE7)
            let rows = grid.row(latitudeE7: box.north)...grid.row(latitudeE7: box.south)
            let columns = Set(
                box.longitudeRanges.flatMap {
                    [$0.lowerBound, $0.upperBound].map(grid.column(longitudeE7:))
                })
            let touchesColumn =
                columns.contains(column)
                || box.longitudeRanges.contains { $0.contains(grid.longitudesE7(ofColumn: column).lowerBound) }
            #expect(whole.contains(probe) == (touchesColumn && rows.contains(row)), "\(box) \(grid.level) \(probe)")
        }
        #expect(MercatorGrid(level: 3).box(covering: .world) == .world)
    }

    @Test func `quadkeys put the coordinates of a cell beside one another at every level`() {
        var generator = SeededGenerator(seed: 25)
        let coordinates = (0..<2_000).map { _ in generator.coordinate() }
            .sorted { MercatorGrid.quadkey(of: $0) < MercatorGrid.quadkey(of: $1) }
        for level in 0...31 {
            let grid = MercatorGrid(level: level)
            var runs = 0
            var cells: Set<[Int]> = []
            var last: UInt64?
            for coordinate in coordinates {
                let key = MercatorGrid.quadkey(of: coordinate)
                let cell = grid.cell(of: key)
                #expect(cell.column == grid.column(longitudeE7: coordinate.longitudeE7))
                #expect(cell.row == grid.row(latitudeE7: coordinate.latitudeE7))
                if grid.prefix(of: key) != last { runs += 1 }
                last = grid.prefix(of: key)
                cells.insert([cell.column, cell.row])
            }
            #expect(runs == cells.count, "\(level)")
        }
    }

    @Test func `the shared level is the finest at which the corners share a cell`() {
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<5_000 {
            let a = generator.coordinate()
            let reach = Int64(1) << Int64.random(in: 0...31, using: &generator)
            func near(_ value: Int32, _ limit: Int64) -> Int32 {
                Int32(max(-limit, min(limit - 1, Int64(value) + .random(in: -reach...reach, using: &generator))))
            }
            let latitude = near(a.latitudeE7, 900_000_000)
            let longitude = near(a.longitudeE7, 1_800_000_000)
            let shared = (0...31).last { level in
                let grid = MercatorGrid(level: level)
                return grid.column(longitudeE7: longitude) == grid.column(longitudeE7: a.longitudeE7)
                    && grid.row(latitudeE7: latitude) == grid.row(latitudeE7: a.latitudeE7)
            }
            let found = MercatorGrid.sharedLevel(
                longitudesE7: min(longitude, a.longitudeE7)...max(longitude, a.longitudeE7),
                latitudesE7: min(latitude, a.latitudeE7)...max(latitude, a.latitudeE7))
            #expect(found == shared)
        }
    }
}
