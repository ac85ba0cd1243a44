import Foundation
import Geo
import PinfoldServer

/// Lists of a viewer with 500 friends, against a loop over the same pins in plain arrays.
@Sendable func measurePins(_ bench: Bench) throws -> [Figure] {
    let world = BenchWorld(pins: bench.size)
    let folder = try DataFolder("\(bench.output)/world-\(bench.size)")
    try world.store(in: folder)
    guard let viewer = world.viewers.first(where: { $0.friends == 500 })?.person else {
        throw CommandFailure("a world of \(bench.size) pins has nobody with 500 friends")
    }
    let pool = try folder.openDatabase()
    try world.signIn(viewer, pool)
    pool.close()
    let arrays = PinArrays(world)
    let server = try BenchServer.pinfold(bench, data: folder.path)
    let lists = [BenchList.city(world), BenchList.nearest(world), BenchList.feed]
    for list in lists { try list.check(server, arrays, viewer) }
    let loads = lists.map { Load(server: server, target: "/v1/pins", headers: [authorization], script: $0.script) }
    let costs = try Load.compare(bench, loads, rounds: 5, seconds: 2)
    return zip(lists, costs).map { list, cost in
        Figure(
            name: "pins, \(list.name)", value: cost / 1000, unit: "ms CPU", reference: "loop over arrays in memory",
            referenceValue: list.loopMilliseconds(arrays, viewer), goal: list.goal)
    }
}

private let authorization = "Authorization: Bearer \(BenchWorld.token)"

/// One kind of list, asked with slightly different arguments in turn.
private struct BenchList {
    let name: String
    let queries: [BenchQuery]
    var goal: Figure.Goal?

    static func city(_ world: BenchWorld) -> BenchList {
        var random = BenchRandom(seed: 1)
        let city = world.cities[0]
        let queries = (0..<16).map { _ in
            let (latitude, longitude) = (
                city.latitude + 0.01 * random.normal(), city.longitude + 0.01 * random.normal()
            )
            let corners = [longitude - 0.15, latitude - 0.15, longitude + 0.15, latitude + 0.15]
            let text = corners.map { String(format: "%.5f", $0) }.joined(separator: ",")
            return BenchQuery(area: .box((try? BoundingBox(parsing: text)) ?? .world), limit: 100)
        }
        return BenchList(name: "bbox of a city, 100", queries: queries, goal: .atMost(2.5))
    }

    static func nearest(_ world: BenchWorld) -> BenchList {
        var random = BenchRandom(seed: 2)
        let city = world.cities[0]
        let points = (0..<16).compactMap { _ in
            Coordinate(
                latitude: city.latitude + 0.02 * random.normal(), longitude: city.longitude + 0.02 * random.normal())
        }
        return BenchList(
            name: "nearest 10", queries: points.map { BenchQuery(area: .near($0, radius: nil), limit: 10) })
    }

    static let feed = BenchList(name: "feed, newest 50", queries: [BenchQuery(limit: 50)])

    private static func target(_ query: BenchQuery) -> String {
        switch query.area {
        case .everywhere: "/v1/pins?limit=\(query.limit)"
        case .box(let box): "/v1/pins?bbox=\(box)&limit=\(query.limit)"
        case .near(let point, _): "/v1/pins?near=\(point)&limit=\(query.limit)"
        }
    }

    /// Lua for wrk that makes the calls in turn.
    var script: String {
        """
        local targets = {\(queries.map { "\"\(Self.target($0))\"" }.joined(separator: ", "))}
        local turn = 0
        function request()
            turn = turn % #targets + 1
            return wrk.format("GET", targets[turn])
        end
        """
    }

    /// - Throws: `CommandFailure` unless the server answers each call with what the loop finds.
    func check(_ server: BenchServer, _ arrays: PinArrays, _ viewer: Int32) throws {
        struct Page: Decodable {
            struct Item: Decodable { let id: String }
            let items: [Item]
        }
        for query in queries {
            let target = Self.target(query)
            let body = try server.get(target, headers: [authorization])
            let answered = try JSONDecoder().decode(Page.self, from: Data(body)).items.map(\.id)
            guard answered == arrays.answer(query, for: viewer).map({ String($0) }) else {
                throw CommandFailure("\(target) answers other pins than the loop over arrays finds")
            }
        }
    }

    /// CPU of the loop for one call, in milliseconds.
    func loopMilliseconds(_ arrays: PinArrays, _ viewer: Int32) -> Double {
        var found = 0
        let times = (0..<64).map { index in
            let begin = Clock.threadCPU()
            found += arrays.answer(queries[index % queries.count], for: viewer).count
            return (Clock.threadCPU() - begin) * 1000
        }
        return found > 0 ? median(times) : .nan
    }
}
