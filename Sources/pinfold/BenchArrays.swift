import Geo
import PinfoldServer
import SocialModel

/// One list that a benchmark asks for, of whichever side.
struct BenchQuery: Sendable {
    var area = PinReader.Area.everywhere
    var bestFirst = false
    /// People; nil for the viewer and all friends.
    var owners: Set<Int32>?
    /// A code; nil for all.
    var category: Int8?
    var minRating: Int8 = 0
    /// Milliseconds.
    var since = Int64.min
    var limit = 50
}

/// The world's pins in memory by owner, newest first, as a program would keep them that has nothing else to do: the
/// limit of what is possible, and the answers that the others must give.
struct PinArrays: Sendable {
    private let world: BenchWorld
    private let ids: [Int64]
    private let created: [Int64]
    private let longitudes: [Int32]
    private let latitudes: [Int32]
    private let ratings: [Int8]
    private let categories: [Int8]
    private let isForFriends: [Bool]
    /// Where each owner's pins start.
    private let starts: [Int]

    init(_ world: BenchWorld) {
        self.world = world
        let pins = world.pins
        var counts = [Int](repeating: 0, count: world.people)
        for owner in pins.owners { counts[Int(owner)] += 1 }
        starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        var next = Array(starts.dropLast())
        var order = [Int](repeating: 0, count: pins.count)
        for index in pins.owners.indices.reversed() {
            let owner = Int(pins.owners[index])
            order[next[owner]] = index
            next[owner] += 1
        }
        ids = order.map { pins.ids[$0] }
        created = order.map { pins.createdAt[$0] }
        longitudes = order.map { pins.longitudes[$0] }
        latitudes = order.map { pins.latitudes[$0] }
        ratings = order.map { pins.ratings[$0] }
        categories = order.map { pins.categories[$0] }
        isForFriends = order.map { pins.isForFriends[$0] }
    }

    /// The ids of the pins that `viewer` is to be shown, in their order.
    func answer(_ query: BenchQuery, for viewer: Int32) -> [Int64] {
        var owners = [viewer] + world.friends(of: viewer)
        if let wanted = query.owners { owners = owners.filter(wanted.contains) }
        switch query.area {
        case .everywhere: return sorted(query, viewer, owners) { _ in true }
        case .near(let point, let radius): return nearest(query, viewer, owners, point, radius ?? .infinity)
        case .box(let box):
            let (first, second) = (box.longitudeRanges[0], box.longitudeRanges.last ?? box.longitudeRanges[0])
            let latitude = box.south...box.north
            return sorted(query, viewer, owners) { place in
                latitude.contains(latitudes[place])
                    && (first.contains(longitudes[place]) || second.contains(longitudes[place]))
            }
        }
    }

    /// Longitude, latitude and rating (0 for none) of each pin that `viewer` may see.
    @inline(__always)
    func forEachVisible(to viewer: Int32, _ body: (Int32, Int32, Int8) -> Void) {
        for owner in [viewer] + world.friends(of: viewer) {
            for place in starts[Int(owner)]..<starts[Int(owner) + 1] where owner == viewer || isForFriends[place] {
                body(longitudes[place], latitudes[place], ratings[place])
            }
        }
    }

    @inline(__always)
    private func passes(_ place: Int, _ query: BenchQuery, isOwn: Bool) -> Bool {
        (isOwn || isForFriends[place]) && ratings[place] >= query.minRating && created[place] >= query.since
            && (query.category == nil || query.category == categories[place])
    }

    @inline(__always)
    private func sorted(
        _ query: BenchQuery, _ viewer: Int32, _ owners: [Int32], _ accepts: (Int) -> Bool
    ) -> [Int64] {
        var kept: [(rating: Int8, created: Int64, id: Int64)] = []
        var cutoff = Int64.min
        for owner in owners {
            var taken = 0
            for place in starts[Int(owner)]..<starts[Int(owner) + 1] {
                if !query.bestFirst, created[place] < cutoff || taken == query.limit { break }
                guard accepts(place), passes(place, query, isOwn: owner == viewer) else { continue }
                kept.append((query.bestFirst ? ratings[place] : 0, created[place], ids[place]))
                taken += 1
            }
            guard kept.count >= 4 * query.limit else { continue }
            kept.sort { $0 > $1 }
            kept.removeLast(kept.count - query.limit)
            cutoff = kept.last?.created ?? cutoff
        }
        return kept.sorted { $0 > $1 }.prefix(query.limit).map(\.id)
    }

    /// The great-circle distance decides what is measured on the ellipsoid.
    private func nearest(
        _ query: BenchQuery, _ viewer: Int32, _ owners: [Int32], _ point: Coordinate, _ radius: Double
    ) -> [Int64] {
        var kept: [(metres: Double, id: Int64)] = []
        for owner in owners {
            for place in starts[Int(owner)]..<starts[Int(owner) + 1]
            where passes(place, query, isOwn: owner == viewer) {
                let coordinate = Coordinate(latitudeE7: latitudes[place], longitudeE7: longitudes[place])
                let reach = kept.count == query.limit ? min(radius, kept[query.limit - 1].metres) : radius
                let roughly = Geodesic.haversine(point, coordinate)
                // A millimetre for the rounding of the two formulas.
                if roughly * Geodesic.leastRatioToHaversine - 0.001 > reach { continue }
                let metres = Geodesic.distance(point, coordinate)
                if metres > radius || kept.count == query.limit && (metres, ids[place]) > kept[query.limit - 1] {
                    continue
                }
                let position = kept.firstIndex { (metres, ids[place]) < $0 } ?? kept.count
                kept.insert((metres, ids[place]), at: position)
                if kept.count > query.limit { kept.removeLast() }
            }
        }
        return kept.map(\.id)
    }
}
