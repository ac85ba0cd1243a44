import Geo

extension BenchPostgresPlans {
    /// The ways to count the cells of a tile.
    var tilePlans: [Plan] { Self.plans(Self.tileStatements) }

    /// The cells of a tile as `viewer` may see them: the same grid, counts and mean ratings by SQL.
    func cells(_ tile: TileCoordinate, for viewer: Int32, by plan: Plan) throws -> [MapCell] {
        let cells = MapCells(of: tile)
        func degrees(_ units: [Int32]) -> [Double] { units.map { Double($0) / 1e7 } }
        // The last unit within.
        let (wests, tops) = (degrees(cells.wests), degrees(cells.tops))
        let box = [
            wests[0], tops[MapCells.side], Double(cells.wests[MapCells.side] - 1) / 1e7,
            Double(cells.tops[0] - 1) / 1e7,
        ]
        let rows = try run(
            "tile", Self.tileStatements, plan, for: viewer,
            box.map { PostgresValue.double($0) } + [.doubles(wests), .doubles(tops.reversed())])
        var found = [MapCell](
            repeating: MapCell(count: 0, meanRating: nil), count: MapCells.side * MapCells.side)
        for index in 0..<rows.count {
            let column = Int(rows.integer(index, 0)) - 1
            // The rows count from south.
            let row = MapCells.side - Int(rows.integer(index, 1))
            found[row * MapCells.side + column] = MapCell(
                count: rows.integer(index, 2), meanRating: rows.isNull(index, 3) ? nil : rows.double(index, 3))
        }
        return found
    }

    private static let tileStatements: [(name: String, sql: String)] = {
        let inside = "ST_X(geom) BETWEEN $3::float8 AND $5::float8 AND ST_Y(geom) BETWEEN $4::float8 AND $6::float8"
        let indexed = "geom && ST_MakeEnvelope($3::float8, $4::float8, $5::float8, $6::float8, 4326) AND \(inside)"
        let cells = """
            SELECT width_bucket(ST_X(geom), $7::float8[])::bigint, width_bucket(ST_Y(geom), $8::float8[])::bigint,
                count(*), avg(rating)::float8
            """
        return [
            ("plain", "\(cells) FROM pin WHERE \(visible) AND \(indexed) GROUP BY 1, 2"),
            ("by owner", "\(cells) FROM pin WHERE \(visible) AND \(inside) GROUP BY 1, 2"),
            (
                "lateral",
                """
                \(cells) FROM unnest($1::bigint[]) o CROSS JOIN LATERAL (
                    SELECT geom, rating FROM pin WHERE owner_id = o AND \(mayBeSeen) AND \(inside) OFFSET 0) n
                GROUP BY 1, 2
                """
            ),
            (
                "by place",
                """
                WITH near AS MATERIALIZED (SELECT owner_id, audience, geom, rating FROM pin WHERE \(indexed))
                \(cells) FROM near WHERE \(visible) GROUP BY 1, 2
                """
            ),
        ]
    }()
}
