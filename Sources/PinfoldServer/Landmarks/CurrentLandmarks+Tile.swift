import Geo
import SocialModel
import Storage

extension CurrentLandmarks {
    /// The landmarks of a tile, of `query` but for its area.
    ///
    /// The layer `landmarks` has points, clustered below zoom 14 and where there are too many as those of pins are: a
    /// cluster has `point_count`, `expansion_zoom` and `category`, a landmark its id and `id` (as text), `name`,
    /// `category` and `dataset`. The layer `landmark_shapes` has the lines and areas that are larger than a few pixels,
    /// with the same properties.
    ///
    /// - Parameter names: where they are of the current states, low zooms are counted faster by them.
    func tile(_ tile: TileCoordinate, _ query: LandmarkQuery, _ names: LandmarkNames? = nil) throws -> VectorTile {
        var vectorTile = VectorTile()
        if let datasets = query.datasets, datasets.isEmpty { return vectorTile }
        var cells = TileCells(of: tile, LandmarkCluster())
        let showsAll = tile.zoom >= PinCluster.pinZoom
        var numbers: [Int64] = []
        let box = tile.boundingBox
        func take(_ entry: LandmarkEntry, _ coordinate: Coordinate) {
            guard box.contains(coordinate) else { return }
            cells.add(at: coordinate) { $0.add(entry, at: coordinate) }
            if showsAll, numbers.count <= tilePins { numbers.append(entry.number) }
        }
        var rest = query
        if tile.zoom <= Self.lastCountedZoom, let names {
            let chosen = datasets.filter { query.datasets?.contains($0.id.rawValue) ?? true }
            var left: Set<Int64> = []
            for dataset in chosen {
                guard let shards = names.currentShards(of: dataset) else {
                    left.insert(dataset.id.rawValue)
                    continue
                }
                for shard in shards {
                    for landmark in 0..<shard.count
                    where !shard.isGone(landmark) && query.categoryMask & 1 << shard.category(of: landmark) != 0 {
                        take(shard.entry(of: landmark), shard.coordinate(of: landmark))
                    }
                }
            }
            rest.datasets = left
        }
        if rest.datasets?.isEmpty != true {
            for range in HilbertCurve.ranges(covering: box, limit: PinWay.rangeLimit) {
                try gatherEntries(inPlaces: range, rest) { take($0, $0.coordinate) }
            }
        }
        let isClustered = !showsAll || numbers.count > tilePins
        if isClustered { numbers = cells.clusters.filter { $0.count == 1 }.map(\.number) }
        let landmarks = try drawn(numbers).sorted { $0.id < $1.id }
        vectorTile.layer("landmarks") { layer in
            for cluster in cells.clusters where isClustered && cluster.count > 1 { layer.add(cluster, in: tile) }
            for landmark in landmarks {
                let position = tile.position(of: landmark.coordinate, extent: VectorTile.extent)
                layer.point(x: position.x, y: position.y, id: UInt64(landmark.id), properties(landmark))
            }
        }
        let shapes = try shapes(in: tile, query)
        let shown = try drawn(shapes.map(\.number)).reduce(into: [:]) { $0[$1.number] = $1 }
        vectorTile.layer("landmark_shapes") { layer in
            for (number, shape) in shapes {
                guard let landmark = shown[number] else { continue }
                let id = UInt64(landmark.id)
                // A collection of both kinds would have its id twice.
                if !shape.rings.isEmpty {
                    layer.polygons(shape.rings, id: id, properties(landmark))
                } else if !shape.lines.isEmpty {
                    layer.lines(shape.lines, id: id, properties(landmark))
                }
            }
        }
        return vectorTile
    }

    /// Up to this zoom a tile may have so much that going through all there is is faster than the index.
    private static var lastCountedZoom: Int { 3 }

    /// What a map shows of a landmark.
    private struct Drawn {
        let number: Int64
        let id: Int64
        let dataset: Identifier<Dataset>
        let category: Int64
        let name: String
        let coordinate: Coordinate
    }

    private func properties(_ landmark: Drawn) -> KeyValuePairs<String, VectorTile.Value?> {
        [
            "id": .string("\(landmark.id)"), "name": .string(landmark.name),
            "category": .string(Landmark.Category(code: landmark.category).rawValue),
            "dataset": dataset(landmark.dataset).map { .string($0.name) },
        ]
    }

    /// Of rows that are current.
    private func drawn(_ numbers: [Int64]) throws -> [Drawn] {
        var drawn: [Drawn] = []
        for chunk in chunks(of: numbers) {
            try read.forEach(
                """
                SELECT number, landmarkId, datasetId, category, name, longitude, latitude
                FROM landmark NOT INDEXED WHERE number IN (\(list: padded(chunk)))
                """
            ) { row in
                drawn.append(
                    Drawn(
                        number: row.int64(0), id: row.int64(1), dataset: row.identifier(2), category: row.int64(3),
                        name: row.text(4),
                        coordinate: Coordinate(
                            latitudeE7: Int32(truncatingIfNeeded: row.int64(6)),
                            longitudeE7: Int32(truncatingIfNeeded: row.int64(5)))))
                return true
            }
        }
        return drawn
    }

    // MARK: Lines and areas

    /// The most of them in a tile, the largest, and the most positions.
    private static var shapeLimit: Int { 2_000 }
    private static var positionLimit: Int { 60_000 }

    private func shapes(in tile: TileCoordinate, _ query: LandmarkQuery) throws -> [(number: Int64, shape: TileShape)] {
        let box = tile.boundingBox
        let side = 360 / Double(tile.grid.side)
        // Some pixels, as most maps draw tiles.
        let least = side / 64
        var (found, left): ([(Int64, TileShape)], Int) = ([], Self.positionLimit)
        try read.forEach(
            """
            SELECT tree.pkid, AsBinary(landmarkShape.geom)
            FROM (
                SELECT pkid, xmax - xmin + ymax - ymin AS size FROM idx_landmarkShape_geom
                WHERE xmax >= \(Double(box.west) / Coordinate.unitsPerDegree - side / 64)
                    AND xmin <= \(Double(box.east) / Coordinate.unitsPerDegree + side / 64)
                    AND ymax >= \(Double(box.south) / Coordinate.unitsPerDegree - side / 64)
                    AND ymin <= \(Double(box.north) / Coordinate.unitsPerDegree + side / 64)
                    AND (xmax - xmin >= \(least) OR ymax - ymin >= \(least))
                ORDER BY size DESC
            ) AS tree
            CROSS JOIN landmark NOT INDEXED ON landmark.number = tree.pkid
            CROSS JOIN dataset ON dataset.id = landmark.datasetId
            CROSS JOIN landmarkShape ON landmarkShape.number = tree.pkid
            WHERE \(Self.isCurrent) \(conditions(query))
            """
        ) { row in
            guard let shape = TileShape(row.blob(1), in: tile), shape.count > 0 else { return true }
            left -= shape.count
            guard left >= 0 else { return false }
            found.append((row.int64(0), shape))
            return found.count < Self.shapeLimit
        }
        return found
    }
}

extension VectorTile.Layer {
    fileprivate mutating func add(_ cluster: LandmarkCluster, in tile: TileCoordinate) {
        let position = tile.position(of: cluster.coordinate, extent: VectorTile.extent)
        point(
            x: position.x, y: position.y,
            [
                "point_count": .unsigned(UInt64(cluster.count)),
                "expansion_zoom": .unsigned(UInt64(cluster.expansionZoom(at: tile.zoom))),
                "category": .string(cluster.category.rawValue),
            ])
    }
}
