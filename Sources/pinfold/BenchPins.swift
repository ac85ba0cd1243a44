import Foundation
import Geo

/// Lists of a viewer with 500 friends, against a loop over the same pins in plain arrays.
@Sendable func measurePins(_ bench: Bench) throws -> [Figure] {
    let world = BenchWorld(pins: bench.size)
    let folder = try DataFolder("\(bench.output)/world-\(bench.size)")
    try world.store(in: folder)
    let arrays = PinArrays(world)
    let server = try BenchServer.pinfold(bench, data: folder.path)
    let lists = [BenchList.city(world), BenchList.nearest(world), BenchList.feed]
    for list in lists { try list.check(server, arrays) }
    let loads = lists.map { Load(server: server, target: "/v1/pins", headers: [authorization], script: $0.script) }
    let costs = try Load.compare(bench, loads, rounds: 5, seconds: 2)
    return zip(lists, costs).map { list, cost in
        Figure(
            name: "pins, \(list.name)", value: cost / 1000, unit: "ms CPU", reference: "loop over arrays in memory",
            referenceValue: list.loopMilliseconds(arrays), goal: list.goal)
    }
}

private let authorization = "Authorization: Bearer \(BenchWorld.token)"

/// One kind of list, asked with slightly different arguments in turn.
private struct BenchList {
    enum Call {
        case box(BoundingBox, limit: Int)
        case near(Coordinate, limit: Int)
        case feed(limit: Int)

        var target: String {
            func degrees(_ value: Int32) -> String { String(format: "%.7f", Double(value) / 1e7) }
            switch self {
            case .box(let box, let limit):
                let longitudes = box.longitudeRanges[0]
                let edges = [longitudes.lowerBound, box.south, longitudes.upperBound, box.north].map(degrees)
                return "/v1/pins?bbox=\(edges.joined(separator: ","))&limit=\(limit)"
            case .near(let point, let limit):
                return "/v1/pins?near=\(degrees(point.latitudeE7)),\(degrees(point.longitudeE7))&limit=\(limit)"
            case .feed(let limit): return "/v1/pins?limit=\(limit)"
            }
        }
    }

    let name: String
    let calls: [Call]
    var goal: Figure.Goal?

    static func city(_ world: BenchWorld) -> BenchList {
        var random = BenchRandom(seed: 1)
        let city = world.cities[0]
        let calls = (0..<16).map { _ in
            let (latitude, longitude) = (
                city.latitude + 0.01 * random.normal(), city.longitude + 0.01 * random.normal()
            )
            let corners = [longitude - 0.15, latitude - 0.15, longitude + 0.15, latitude + 0.15]
            let text = corners.map { String(format: "%.5f", $0) }.joined(separator: ",")
            return Call.box((try? BoundingBox(parsing: text)) ?? .world, limit: 100)
        }
        return BenchList(name: "bbox of a city, 100", calls: calls, goal: .atMost(2.5))
    }

    static func nearest(_ world: BenchWorld) -> BenchList {
        var random = BenchRandom(seed: 2)
        let city = world.cities[0]
        let calls = (0..<16).compactMap { _ in
            Coordinate(
                latitude: city.latitude + 0.02 * random.normal(), longitude: city.longitude + 0.02 * random.normal())
        }
        return BenchList(name: "nearest 10", calls: calls.map { .near($0, limit: 10) })
    }

    static let feed = BenchList(name: "feed, newest 50", calls: [.feed(limit: 50)])

    /// Lua for wrk that makes the calls in turn.
    var script: String {
        """
        local targets = {\(calls.map { "\"\($0.target)\"" }.joined(separator: ", "))}
        local turn = 0
        function request()
            turn = turn % #targets + 1
            return wrk.format("GET", targets[turn])
        end
        """
    }

    /// - Throws: `CommandFailure` unless the server answers each call with what the loop finds.
    func check(_ server: BenchServer, _ arrays: PinArrays) throws {
        struct Page: Decodable {
            struct Item: Decodable { let id: String }
            let items: [Item]
        }
        for call in calls {
            let body = try server.get(call.target, headers: [authorization])
            let answered = try JSONDecoder().decode(Page.self, from: Data(body)).items.map(\.id)
            let expected = arrays.answer(call).map { String($0) }
            guard answered == expected else {
                throw CommandFailure("\(call.target) answers other pins than the loop over arrays finds")
            }
        }
    }

    /// CPU of the loop for one call, in milliseconds.
    func loopMilliseconds(_ arrays: PinArrays) -> Double {
        var found = 0
        let times = (0..<64).map { index in
            let begin = Clock.threadCPU()
            found += arrays.answer(calls[index % calls.count]).count
            return (Clock.threadCPU() - begin) * 1000
        }
        return found > 0 ? median(times) : .nan
    }
}

/// The world's pins by owner, newest first, as a program would keep them that has nothing else to do.
private struct PinArrays {
    private var ids: [Int64] = []
    private var created: [Int64] = []
    private var longitudes: [Int32] = []
    private var latitudes: [Int32] = []
    /// Where each owner's pins start.
    private var starts: [Int] = []
    private let owners: [Int32]
    private var isForFriends: [Bool] = []

    init(_ world: BenchWorld) {
        owners = [0] + world.friends
        var counts = [Int](repeating: 0, count: world.people)
        for pin in world.pins { counts[Int(pin.owner)] += 1 }
        starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        var next = Array(starts.dropLast())
        ids = Array(repeating: 0, count: world.pins.count)
        created = ids
        longitudes = Array(repeating: 0, count: world.pins.count)
        latitudes = longitudes
        isForFriends = Array(repeating: false, count: world.pins.count)
        for pin in world.pins.reversed() {
            let place = next[Int(pin.owner)]
            next[Int(pin.owner)] += 1
            ids[place] = pin.id
            created[place] = pin.createdAt
            longitudes[place] = pin.longitude
            latitudes[place] = pin.latitude
            isForFriends[place] = pin.isForFriends
        }
    }

    func answer(_ call: BenchList.Call) -> [Int64] {
        switch call {
        case .box(let box, let limit):
            let longitude = box.longitudeRanges[0]
            let latitude = box.south...box.north
            return newest(limit) { longitude.contains(longitudes[$0]) && latitude.contains(latitudes[$0]) }
        case .feed(let limit): return newest(limit) { _ in true }
        case .near(let point, let limit): return nearest(point, limit)
        }
    }

    @inline(__always)
    private func newest(_ limit: Int, _ accepts: (Int) -> Bool) -> [Int64] {
        var kept: [(created: Int64, id: Int64)] = []
        var cutoff = Int64.min
        for owner in owners {
            var taken = 0
            for place in starts[Int(owner)]..<starts[Int(owner) + 1] {
                if created[place] < cutoff || taken == limit { break }
                guard accepts(place), owner == 0 || isForFriends[place] else { continue }
                kept.append((created[place], ids[place]))
                taken += 1
            }
            guard kept.count >= 4 * limit else { continue }
            kept.sort { $0 > $1 }
            kept.removeLast(kept.count - limit)
            cutoff = kept.last?.created ?? cutoff
        }
        return kept.sorted { $0 > $1 }.prefix(limit).map(\.id)
    }

    /// The great-circle distance decides what is measured on the ellipsoid.
    private func nearest(_ point: Coordinate, _ limit: Int) -> [Int64] {
        var kept: [(metres: Double, id: Int64)] = []
        for owner in owners {
            for place in starts[Int(owner)]..<starts[Int(owner) + 1] where owner == 0 || isForFriends[place] {
                let coordinate = Coordinate(latitudeE7: latitudes[place], longitudeE7: longitudes[place])
                let reach = kept.count == limit ? kept[limit - 1].metres : .infinity
                let roughly = Geodesic.haversine(point, coordinate)
                if roughly * Geodesic.leastRatioToHaversine > reach { continue }
                let metres = Geodesic.distance(point, coordinate)
                if kept.count == limit, (metres, ids[place]) > kept[limit - 1] { continue }
                let position = kept.firstIndex { (metres, ids[place]) < $0 } ?? kept.count
                kept.insert((metres, ids[place]), at: position)
                if kept.count > limit { kept.removeLast() }
            }
        }
        return kept.map(\.id)
    }
}
