import Foundation
import Geo
import PinfoldServer
import SocialModel

/// Random lists, page by page, against brute force: boxes over the antimeridian and the poles, nearest, feeds, all
/// filters. Each page counts as one query.
@Sendable func checkMap(_ bench: Bench) throws -> [Figure] {
    let wanted = bench.samples ?? 100_000
    let world = BenchWorld(pins: bench.size, people: max(500, bench.size / 100))
    let folder = try DataFolder(bench.temporary("check"))
    try world.store(in: folder)
    let pool = try folder.openDatabase()
    defer { pool.close() }
    let pinfold = BenchPinfold(world, pool)
    try pinfold.survey()
    let arrays = PinArrays(world)
    var random = BenchRandom(seed: 7)
    var (queries, wrong, pins) = (0, 0, 0)
    while queries < wanted {
        let viewer = world.viewers[random.below(world.viewers.count)]
        var query = randomQuery(of: viewer, in: world, &random)
        let pages = random.unit() < 0.3 ? 1 + random.below(4) : 1
        try pool.read { read in
            var found: [Int64] = []
            var end: [UInt8]?
            for _ in 0..<pages {
                let page = try pinfold.page(query, for: viewer.person, after: end, in: read)
                queries += 1
                found += page.pins.map(\.id.rawValue)
                guard page.pins.count == query.limit else { break }
                end = page.end
            }
            let description = "viewer \(viewer.person): \(query), \(pages) pages"
            query.limit *= pages
            pins += found.count
            guard found != arrays.answer(query, for: viewer.person) else { return }
            wrong += 1
            if wrong <= 5 { bench.say("wrong answer: \(description)") }
        }
        if queries % 10_000 < 4, queries % 10_000 - pages < 0 { bench.say("\(queries) queries, \(wrong) wrong") }
    }
    let bytes = try pool.sizeOnDisk()
    try SearchWords.bringUpToDate(pool)
    let words = Double(try pool.sizeOnDisk() - bytes) / Double(world.pins.count)
    return [
        Figure(name: "words of a pin on the disk, for q=", value: words, unit: "B"),
        Figure(name: "wrong answers of \(queries)", value: Double(wrong), unit: "", goal: .atMost(0)),
        Figure(name: "pins in an answer", value: Double(pins) / Double(queries), unit: ""),
    ]
}

private func randomQuery(
    of viewer: BenchWorld.Viewer, in world: BenchWorld, _ random: inout BenchRandom
) -> BenchQuery {
    var query = BenchQuery()
    switch random.below(10) {
    case 0: break
    case 1..<4: query.area = .near(randomPoint(viewer, world, &random), radius: nil)
    case 4: query.area = .near(randomPoint(viewer, world, &random), radius: pow(10, 1 + 6 * random.unit()))
    case 5: query.area = .box(randomBox(&random))
    default:
        let point = randomPoint(viewer, world, &random)
        query.area = .box(MapList.around(point, pow(10, 4.3 * random.unit() - 1)))
    }
    query.bestFirst = random.unit() < 0.3
    if case .near = query.area { query.bestFirst = false }
    if random.unit() < 0.3 { query.category = Int8(random.below(7)) }
    if random.unit() < 0.3 { query.minRating = Int8(1 + random.below(5)) }
    if random.unit() < 0.2 { query.since = world.pins.createdAt[random.below(world.pins.count)] }
    if random.unit() < 0.1 {
        let friends = Array(world.friends(of: viewer.person))
        // Strangers among them change nothing.
        query.owners = Set(
            (0..<(1 + random.below(5))).map { index in
                index == 0
                    ? viewer.person
                    : index == 1 ? Int32(random.below(world.people)) : friends[random.below(friends.count)]
            })
    }
    query.limit = random.unit() < 0.1 ? 500 : 1 + random.below(100)
    return query
}

/// Near the viewer, near a pin, exactly at a pin, at the antimeridian or a pole, or anywhere.
private func randomPoint(
    _ viewer: BenchWorld.Viewer, _ world: BenchWorld, _ random: inout BenchRandom
) -> Coordinate {
    let pin = world.pins.coordinate(random.below(world.pins.count))
    let edge = (random.unit() < 0.5 ? -1.0 : 1.0)
    let place: (Double, Double)
    switch random.below(6) {
    case 0: return pin
    case 1: return MapList.near(viewer, 5, &random)
    case 2: return BenchWorld.point(pin.latitude, pin.longitude, plus: [random.normal(), random.normal()])
    case 3: place = (random.unit() * 180 - 90, edge * (180 - random.unit() * random.unit() * 0.1))
    case 4: place = (edge * (90 - random.unit() * random.unit() * 0.1), random.unit() * 360 - 180)
    default: place = (random.unit() * 180 - 90, random.unit() * 360 - 180)
    }
    return Coordinate(latitude: place.0, longitude: place.1) ?? pin
}

/// Of any size; half of them go over the antimeridian, some to a pole.
private func randomBox(_ random: inout BenchRandom) -> BoundingBox {
    let latitudes = [random.unit() * 180 - 90, random.unit() * 180 - 90].sorted()
    let (south, north) = (random.unit() < 0.2 ? -90 : latitudes[0], random.unit() < 0.2 ? 90 : latitudes[1])
    func longitude() -> Double { random.unit() < 0.1 ? 180 : random.unit() * 360 - 180 }
    return BoundingBox(west: longitude(), south: south, east: longitude(), north: north) ?? .world
}
