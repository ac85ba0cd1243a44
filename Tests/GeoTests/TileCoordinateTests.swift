import Geo
import Testing

@Suite struct TileCoordinateTests {
    @Test(arguments: [
        (0, 0, 0, true), (22, 4_194_303, 4_194_303, true), (22, 4_194_304, 0, false), (23, 0, 0, false),
        (-1, 0, 0, false), (3, -1, 0, false), (3, 0, 8, false), (3, 7, 7, true), (0, 0, 1, false),
        (Int.max, 0, 0, false), (3, Int.max, 0, false), (3, 0, Int.min, false),
    ])
    func `only tiles of the pyramid can be made`(zoom: Int, x: Int, y: Int, isThere: Bool) {
        #expect((TileCoordinate(zoom: zoom, x: x, y: y) != nil) == isThere)
    }

    /// Known tiles: the corners of the world, and the tile of a place by another program's count.
    @Test(arguments: [
        ("85.0511287,-180", 22, "22/0/0"), ("-85.0511287,179.9999999", 22, "22/4194303/4194303"),
        ("0,0", 1, "1/1/1"), ("0.0000001,-0.0000001", 1, "1/0/0"), ("0,0", 22, "22/2097152/2097152"),
        ("52.5162746,13.3777041", 12, "12/2200/1343"), ("44.9551,-93.1022", 10, "10/247/368"), ("10,20", 0, "0/0/0"),
    ])
    func `a coordinate is in the tile that others say`(text: String, zoom: Int, tile: String) throws {
        let coordinate = try Coordinate(parsing: text)
        #expect(TileCoordinate(holding: coordinate, zoom: zoom)?.description == tile)
    }

    @Test func `every coordinate is in one tile of each zoom, whose box and numbers hold it, or beyond all`() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<5_000 {
            let coordinate = generator.coordinate()
            let zoom = Int.random(in: TileCoordinate.zooms, using: &generator)
            guard let tile = TileCoordinate(holding: coordinate, zoom: zoom) else {
                #expect(abs(coordinate.latitude) > 85.0511287)
                continue
            }
            #expect(TileCoordinate(zoom: zoom, x: tile.x, y: tile.y) == tile)
            #expect(tile.contains(coordinate) && tile.boundingBox.contains(coordinate))
            let position = tile.position(of: coordinate, extent: 4096)
            #expect((0..<4096).contains(position.x) && (0..<4096).contains(position.y))
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)] {
                guard let other = TileCoordinate(zoom: zoom, x: tile.x + dx, y: tile.y + dy) else { continue }
                #expect(!other.contains(coordinate) && !other.boundingBox.contains(coordinate))
            }
            // The four tiles below share it out.
            guard zoom < 22 else { continue }
            let below = try #require(TileCoordinate(holding: coordinate, zoom: zoom + 1))
            #expect(below.x / 2 == tile.x && below.y / 2 == tile.y)
            let finer = tile.position(of: coordinate, extent: 8192)
            #expect(finer.x / 4096 == below.x % 2 && finer.y / 4096 == below.y % 2)
        }
        #expect(TileCoordinate(holding: try Coordinate(parsing: "85.0511288,0"), zoom: 3) == nil)
        #expect(TileCoordinate(holding: try Coordinate(parsing: "0,0"), zoom: 23) == nil)
        #expect(TileCoordinate(zoom: 0, x: 0, y: 0)?.contains(try Coordinate(parsing: "-85.0511288,0")) == false)
    }

    @Test func `positions are those of the formula`() throws {
        let tile = try #require(TileCoordinate(zoom: 0, x: 0, y: 0))
        #expect(tile.position(of: try Coordinate(parsing: "0,0"), extent: 4096) == (2048, 2048))
        #expect(tile.position(of: try Coordinate(parsing: "66.5132605,-90"), extent: 4096) == (1024, 1023))
        #expect(tile.position(of: try Coordinate(parsing: "66.5132604,-90"), extent: 4096) == (1024, 1024))
        #expect(tile.position(of: try Coordinate(parsing: "-85.0511287,179.9999999"), extent: 4096) == (4095, 4095))
        // Finer than the units of the square: 512 of them are the side of a tile of zoom 22.
        let finest = try #require(TileCoordinate(zoom: 22, x: 2_097_152, y: 2_097_152))
        #expect(finest.position(of: try Coordinate(parsing: "0,0"), extent: 4096) == (0, 0))
        #expect(finest.position(of: try Coordinate(parsing: "0,0.0000858"), extent: 4096) == (4088, 0))
    }
}
