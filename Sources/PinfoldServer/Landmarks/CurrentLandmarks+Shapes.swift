import Geo
import SocialModel
import Storage

/// Lines and areas that a box has a part of.
extension CurrentLandmarks {
    /// Those whose point is outside of the box and which have a point in common with it.
    ///
    /// What is partly outside lies across one of the box's edges, or has parts on both sides of it, so its own box meets an
    /// edge: only what is there need be looked at, however large the box is.
    func shapesReachingInto(_ box: BoundingBox, _ query: LandmarkQuery) throws -> [LandmarkEntry] {
        guard box != .world else { return [] }
        var found: [Int64: LandmarkEntry] = [:]
        for rectangle in box.rectangles {
            for edge in rectangle.edges {
                try read.forEach(
                    """
                    SELECT hilbert(landmark.longitude, landmark.latitude), landmark.number, landmark.category
                    FROM idx_landmarkShape_geom AS tree
                    CROSS JOIN landmark NOT INDEXED ON landmark.number = tree.pkid
                    CROSS JOIN dataset ON dataset.id = landmark.datasetId
                    CROSS JOIN landmarkShape ON landmarkShape.number = tree.pkid
                    WHERE tree.xmax >= \(edge.west) AND tree.xmin <= \(edge.east)
                        AND tree.ymax >= \(edge.south) AND tree.ymin <= \(edge.north)
                        AND \(Self.isCurrent) \(conditions(query))
                        AND ST_Intersects(landmarkShape.geom, \(rectangle.geometry)) = 1
                    """
                ) { row in
                    let entry = LandmarkEntry(position: row.int64(0), number: row.int64(1), category: row.int64(2))
                    if !box.contains(entry.coordinate) { found[entry.number] = entry }
                    return true
                }
            }
        }
        guard let words = query.words else { return Array(found.values) }
        let texts = try landmarks(Array(found.keys))
        return found.values.filter { texts[$0.number].map(words.areIn) ?? false }
    }
}

/// A part of a box that does not cross the antimeridian, in degrees.
struct Rectangle {
    let west: Double
    let south: Double
    let east: Double
    let north: Double

    /// The four edges, a little wide: an R*Tree keeps its boxes rounded outwards, and what fills it may round too.
    var edges: [Rectangle] {
        let margin = 1e-9
        func edge(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Rectangle {
            Rectangle(west: west - margin, south: south - margin, east: east + margin, north: north + margin)
        }
        return [
            edge(west, south, east, south), edge(west, north, east, north), edge(west, south, west, north),
            edge(east, south, east, north),
        ]
    }

    /// For a statement: a polygon, or a line or a point where there is no more.
    var geometry: SQL {
        if west == east, south == north { return "MakePoint(\(west), \(south), 4326)" }
        if west == east || south == north {
            return "MakeLine(MakePoint(\(west), \(south), 4326), MakePoint(\(east), \(north), 4326))"
        }
        return "BuildMbr(\(west), \(south), \(east), \(north), 4326)"
    }
}

extension BoundingBox {
    /// The box as shapes meet it, of which the antimeridian may be written as 180 and as -180.
    var rectangles: [Rectangle] {
        let (south, north) = (Double(south) / Coordinate.unitsPerDegree, Double(north) / Coordinate.unitsPerDegree)
        let (west, east) = (Double(west) / Coordinate.unitsPerDegree, Double(east) / Coordinate.unitsPerDegree)
        func rectangle(_ west: Double, _ east: Double) -> Rectangle {
            Rectangle(west: west, south: south, east: east, north: north)
        }
        if crossesAntimeridian { return [rectangle(west, 180), rectangle(-180, east)] }
        var all = [rectangle(west, east)]
        if east == 180, west > -180 { all.append(rectangle(-180, -180)) }
        if west == -180, east < 180 { all.append(rectangle(180, 180)) }
        return all
    }
}
