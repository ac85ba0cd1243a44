import Geo
import Testing

@testable import PinfoldServer

@Suite struct PinCellsTests {
    @Test(arguments: 1...4) func `a position in a box shares a cell with it`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var told = 0
        for _ in 0..<20_000 {
            // Up to 0.1 degree around anywhere, the poles and the antimeridian often.
            let south = Int32.random(in: -900_000_000...900_000_000, using: &generator)
            let west =
                Bool.random(using: &generator)
                ? Int32.random(in: -1_800_000_000...1_799_999_999, using: &generator)
                : 1_799_999_999 - Int32.random(in: 0...500_000, using: &generator)
            let height = Int32.random(in: 0...1_000_000, using: &generator)
            let width = Int32.random(in: 0...1_000_000, using: &generator)
            let north = min(south + height, 900_000_000)
            let end = Int64(west) + Int64(width)
            let east = Int32(end >= 1_800_000_000 ? end - 3_600_000_000 : end)
            let box = try #require(
                BoundingBox(
                    west: Double(west) / 1e7, south: Double(south) / 1e7, east: Double(east) / 1e7,
                    north: Double(north) / 1e7))
            guard let cells = PinCells(covering: box) else { continue }
            let ranges = box.longitudeRanges
            let longitude = Int32.random(in: ranges[ranges.count == 1 ? 0 : Int.random(in: 0...1, using: &generator)])
            var pins = PinCells()
            pins.insert(longitude: longitude, latitude: Int32.random(in: south...north, using: &generator))
            #expect(pins.mayShareOne(with: cells), "\(box)")
            pins = PinCells()
            pins.insert(longitude: longitude, latitude: south > 0 ? south - 3_000_000 : south + 4_000_000)
            if !pins.mayShareOne(with: cells) { told += 1 }
        }
        #expect(told > 1_000, "most boxes have nothing of a position far away")
    }

    @Test func `large boxes are not told by cells`() {
        #expect(PinCells(covering: .world) == nil)
        #expect(!PinCells().mayShareOne(with: PinCells()))
    }
}
