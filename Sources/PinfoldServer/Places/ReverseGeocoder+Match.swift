import Foundation
import Geo

/// Which country, division and places a position has.
///
/// The lines are not exact, neither are the places, so each decides where it is good. The borders of the time zones
/// tell the country to a few metres, but end in the sea; those of the divisions tell the land, to a kilometre or two, and
/// lack small islands. A place close by tells both.
extension ReverseGeocoder {
    /// What was found, as numbers.
    struct Match {
        var country: UInt16?
        /// A number in `divisionNames` plus 1; 0 is none.
        var division: UInt16 = 0
        /// The place that people would name, with its id in GeoNames and its second-order division as in `Place`.
        var locality: (row: Int, id: Int64, admin2: UInt16, metres: Double)?
        /// The part of it that the position is in.
        var part: Int?
        /// A number in `zones`.
        var zone: UInt16?
        /// The time zone where no land's is: by the longitude alone.
        var nauticalZone: String?
    }

    /// How far out from the land of the divisions there may be land still, in metres.
    static let coast = [1000.0, 2000.0]
    /// When a place of another division outvotes a line, which may be off by a kilometre or two: how near the line to its
    /// division must be (nil for anywhere), how near the place, both in metres, and how much more the position must lie in
    /// the place's reach than in that of any place on this side.
    static let votes: [(line: Double?, place: Double, ratio: Float)] = [(700, 10_000, 0.5), (nil, 1500, 0.25)]
    /// A part that the position lies within is the locality if no other place scores better than this.
    static let orphanScore: Float = 2

    func match(_ coordinate: Coordinate) -> Match {
        let zoneArea = zoneBorders.area(at: coordinate)
        var area = divisionBorders.area(at: coordinate)
        guard zoneArea > 0 || area > 0 else { return sea(coordinate) }
        if area == 0 {
            area = shore(coordinate)
            if area == 0, !isByPlace(coordinate) { return sea(coordinate, zoneArea) }
        }

        var match = Match()
        match.zone = zoneArea > 0 ? UInt16(zoneArea - 1) : nil
        let land = divisionAreas[area - 1] ?? DivisionArea(country: Self.none, division: 0)
        match.country = country(zoneArea, land)
        let line = land.country == match.country && isPossible(land.division, match.zone) ? land.division : 0
        var search = NearbyPlaces(
            around: coordinate, within: Self.reach, country: match.country, zone: match.zone, division: line, in: self)
        if !search.nearest.exists, match.zone != nil {
            search = NearbyPlaces(
                around: coordinate, within: Self.reach, country: match.country, zone: nil, division: line, in: self)
        }

        var best = search.inCountry
        if line > 0 {
            match.division = line
            let isOutvoted = best.exists && isOutvoted(search.inDivision, by: best, at: coordinate)
            if !isOutvoted { best = search.inDivision }
        }
        let nearest = search.nearest
        if let place = places[nearest.row], mark(of: nearest.row).isPart, line == 0 || place.admin1 == line {
            if nearest.score < 1, best.score > Self.orphanScore {
                best = nearest
            } else if best.exists {
                match.part = nearest.row
            }
        }
        guard let place = places[best.row] else {
            if match.zone == nil { match.nauticalZone = Self.nauticalZone(coordinate) }
            return match
        }
        let metres = Geodesic.localDistance(coordinate, self.coordinate(of: best.row))
        match.locality = (best.row, id(of: best.row), place.admin2, metres)
        if place.admin1 > 0 { match.division = place.admin1 }
        if match.country == nil { match.country = mark(of: best.row).country }
        if match.zone == nil { match.zone = mark(of: best.row).zone }
        return match
    }

    /// The zone's country; where two keep the same time, the one that the land's line tells.
    private func country(_ zoneArea: Int, _ land: DivisionArea) -> UInt16? {
        guard let zone = zoneAreas[zoneArea - 1] else { return land.country == Self.none ? nil : land.country }
        if zone.country == Self.none || zone.other != Self.none && zone.other == land.country {
            return land.country == Self.none ? nil : land.country
        }
        return zone.country
    }

    /// The land's area nearest to a position beside it, 0 if there is none within the coast's tolerance.
    private func shore(_ coordinate: Coordinate) -> Int {
        for metres in Self.coast {
            for position in coordinate.ring(metres) {
                let area = divisionBorders.area(at: position)
                if area > 0 { return area }
            }
        }
        return 0
    }

    /// Whether a division can be where a zone is: it has a place that keeps the zone, or either of them has no place at all.
    /// Otherwise the zones' lines, which are finer, say that the division's are wrong here.
    private func isPossible(_ division: UInt16, _ zone: UInt16?) -> Bool {
        guard let zone, division > 0 else { return true }
        let pair = UInt32(division) << 16 | UInt32(zone)
        return divisionZones.withBytes { pairs in
            let first = pairs.partitioningIndex { $0 >= UInt32(division) << 16 }
            guard first < pairs.count, pairs[first] >> 16 == UInt32(division) else { return true }
            return pairs[first...].prefix { $0 <= pair }.last == pair
                || !pairs.contains { $0 & 0xFFFF == UInt32(zone) }
        }
    }

    /// Whether the best place of all decides, and not the line that it lies behind.
    private func isOutvoted(_ inDivision: NearbyPlaces.Find, by best: NearbyPlaces.Find, at coordinate: Coordinate)
        -> Bool
    {
        let division = places[best.row]?.admin1 ?? 0
        guard best.row != inDivision.row, division > 0 else { return false }
        // A city that is a division of its own and has no line.
        if Int(division) >= hasLine.count || !hasLine[Int(division)] { return best.score < 1 }
        return Self.votes.contains { vote in
            best.score < inDivision.score * vote.ratio && best.metres < vote.place
                && (vote.line.map { isNearLine(coordinate, $0, of: division) } ?? true)
        }
    }

    /// Whether a position is so near to the line between its division and another that it may be in the other.
    private func isNearLine(_ coordinate: Coordinate, _ metres: Double, of other: UInt16) -> Bool {
        coordinate.ring(metres).contains { position in
            let area = divisionBorders.area(at: position)
            return divisionAreas[area - 1]?.division == other
        }
    }

    /// Whether a place's centre is so near that the position must be land, whatever the lines say.
    private func isByPlace(_ coordinate: Coordinate) -> Bool {
        let search = NearbyPlaces(
            around: coordinate, within: 15_000, country: nil, zone: nil, division: 0, in: self)
        guard search.inCountry.exists else { return search.nearest.exists && search.nearest.score < 1 }
        return search.inCountry.metres < PlaceSize.radius(mark(of: search.inCountry.row).size) + 1000
    }

    private func sea(_ coordinate: Coordinate, _ zoneArea: Int = 0) -> Match {
        var match = Match()
        if zoneArea > 0 {
            match.zone = UInt16(zoneArea - 1)
        } else {
            match.nauticalZone = Self.nauticalZone(coordinate)
        }
        return match
    }

    /// Zones of 15 degrees around each multiple of it; the signs of the names are turned (tz database, `etcetera`).
    private static func nauticalZone(_ coordinate: Coordinate) -> String {
        let hours = Int((coordinate.longitude / 15).rounded())
        return hours == 0 ? "Etc/GMT" : hours > 0 ? "Etc/GMT-\(hours)" : "Etc/GMT+\(-hours)"
    }
}

extension Coordinate {
    /// Eight positions around, so many metres away.
    fileprivate func ring(_ metres: Double) -> some Sequence<Coordinate> {
        Self.directions.lazy.map { moved(metres, $0) }
    }

    /// Eight directions all around: their parts to the north and to the east.
    private static let directions = (0..<8).map { (cos(Double($0) * .pi / 4), sin(Double($0) * .pi / 4)) }

    /// The position so many metres away in a direction on a sphere, for short ways.
    private func moved(_ metres: Double, _ direction: (north: Double, east: Double)) -> Coordinate {
        let angle = metres / Geodesic.meanRadius * 180 / .pi
        let latitude = min(90, max(-90, self.latitude + angle * direction.north))
        let widening = max(0.001, cos(latitude * .pi / 180))
        var longitude = self.longitude + angle * direction.east / widening
        longitude -= (longitude / 360).rounded() * 360
        return Coordinate(latitude: latitude, longitude: longitude) ?? self
    }
}

extension UnsafeBufferPointer {
    /// The first index whose element answers true; those before it answer false, those behind it true.
    fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
