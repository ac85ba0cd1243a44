import Geo
import SocialModel
import Storage

@testable import PinfoldServer

/// Datasets with landmarks in many states, and what must be read of them, by brute force.
struct LandmarkWorld {
    /// What a landmark is in some states.
    struct Content {
        var number: Int64
        var states: Range<Int64>
        var coordinate: Coordinate
        var shape: Shape?
        var category: Landmark.Category
        var name: String
        var description: String?
        var updatedAt: Int64
    }

    /// Of edges in units of 1e-7 degree.
    enum Shape {
        case rectangles([(west: Int64, south: Int64, east: Int64, north: Int64)])
        case line(Coordinate, Coordinate)
    }

    struct Known {
        let id: Int64
        let dataset: Int64
        let key: String
        var contents: [Content]
    }

    struct Dataset {
        let id: Int64
        var name: String?
        var state: Int64
        let versions: Int64
    }

    var datasets: [Dataset] = []
    var landmarks: [Known] = []

    /// A landmark as it is now.
    struct Current {
        let id: Int64
        let dataset: Int64
        let content: Content

        var position: Int64 { HilbertCurve.position(of: content.coordinate) }
    }

    var current: [Current] {
        landmarks.flatMap { landmark -> [Current] in
            guard let dataset = datasets.first(where: { $0.id == landmark.dataset }), dataset.name != nil else {
                return []
            }
            return landmark.contents.filter { $0.states.contains(dataset.state) }.map {
                Current(id: landmark.id, dataset: landmark.dataset, content: $0)
            }
        }
    }

    static let words = ["Como", "State", "Capitol", "Zoo", "Lake", "Saint", "Museum", "Bridge", "東京タワー", "Élan", "of"]

    init(datasets count: Int, landmarks: Int, _ random: inout SplitMix64) {
        var number: Int64 = 1_000
        for index in 0..<count {
            let versions = Int64(random.int(1..<5))
            let dataset = Dataset(
                id: Int64(index + 1), name: "set-\(index)", state: Int64(random.int(0..<Int(versions) + 1)),
                versions: versions)
            datasets.append(dataset)
            for key in 0..<landmarks {
                var contents: [Content] = []
                var id: Int64?
                for state in 1...versions {
                    // Gone, as it was, or another.
                    if random.chance(25) { continue }
                    if let last = contents.last, last.states.upperBound == state, random.chance(60) {
                        contents[contents.count - 1].states = last.states.lowerBound..<(state + 1)
                        continue
                    }
                    number += Int64(random.int(1..<4))
                    id = id ?? number
                    contents.append(Self.content(number, state, contents.last, &random))
                }
                guard let id else { continue }
                self.landmarks.append(Known(id: id, dataset: dataset.id, key: "k\(key)", contents: contents))
            }
        }
    }

    private static func content(
        _ number: Int64, _ state: Int64, _ before: Content?, _ random: inout SplitMix64
    ) -> Content {
        let stays = before != nil && random.chance(70)
        let coordinate = stays ? before?.coordinate ?? coordinate(&random) : coordinate(&random)
        return Content(
            number: number, states: state..<(state + 1), coordinate: coordinate,
            shape: random.chance(30) ? shape(at: coordinate, &random) : nil,
            category: random.pick(Landmark.Category.allCases),
            name: (0..<random.int(1..<4)).map { _ in random.pick(words) }.joined(separator: " "),
            description: random.chance(40) ? random.pick(words) + "-" + random.pick(words) : nil,
            updatedAt: TestClock.start + state * 1000)
    }

    /// Anywhere, often near to one place, to the antimeridian, a pole or another one.
    static func coordinate(_ random: inout SplitMix64) -> Coordinate {
        func units(_ range: ClosedRange<Int32>) -> Int32 { Int32.random(in: range, using: &random) }
        switch random.int(0..<10) {
        case 0..<4:
            return Coordinate(
                latitudeE7: 449_000_000 + units(0...20) * 10_000, longitudeE7: -931_000_000 + units(0...20) * 10_000)
        case 4:
            let side: Int32 =
                random.chance(50) ? 1_799_999_999 - units(0...9) * 10_000 : -1_800_000_000 + units(0...9) * 10_000
            return Coordinate(latitudeE7: units(-5...5) * 10_000, longitudeE7: side)
        case 5:
            return Coordinate(
                latitudeE7: random.chance(50) ? 900_000_000 : -900_000_000 + units(0...5) * 10_000,
                longitudeE7: units(-1_800_000_000...1_799_999_999))
        default:
            return Coordinate(
                latitudeE7: units(-900_000_000...900_000_000), longitudeE7: units(-1_800_000_000...1_799_999_999))
        }
    }

    /// One that has the point.
    private static func shape(at point: Coordinate, _ random: inout SplitMix64) -> Shape {
        func rectangle(_ latitude: Int64, _ longitude: Int64) -> (west: Int64, south: Int64, east: Int64, north: Int64)
        {
            let reach = random.pick([5_000, 50_000, 20_000_000, 300_000_000] as [Int64])
            func side(_ value: Int64, _ most: Int64) -> (Int64, Int64) {
                (
                    max(-most, value - Int64.random(in: 1...reach, using: &random)),
                    min(most, value + Int64.random(in: 1...reach, using: &random))
                )
            }
            let (west, east) = side(longitude, 1_800_000_000)
            let (south, north) = side(latitude, 900_000_000)
            return (west, south, east, north)
        }
        if random.chance(40) {
            let end = Coordinate(
                latitudeE7: Int32(
                    max(
                        -900_000_000,
                        min(900_000_000, Int64(point.latitudeE7) + Int64.random(in: -90_000...90_000, using: &random)))),
                longitudeE7: Int32(
                    max(
                        -1_800_000_000,
                        min(
                            1_799_999_999, Int64(point.longitudeE7) + Int64.random(in: -90_000...90_000, using: &random)
                        ))))
            return .line(point, end)
        }
        var all = [rectangle(Int64(point.latitudeE7), Int64(point.longitudeE7))]
        if random.chance(30) {
            let other = coordinate(&random)
            all.append(rectangle(Int64(other.latitudeE7), Int64(other.longitudeE7)))
        }
        return .rectangles(all)
    }

    // MARK: Writing

    func store(in database: DatabasePool) async throws {
        try await database.write { write in
            for dataset in datasets {
                try write.run(
                    """
                    INSERT INTO dataset (id, name, title, licence, attribution, version, state, createdAt, updatedAt)
                    VALUES (\(dataset.id), \(dataset.name), 'Set', 'CC0', \("© \(dataset.id)"), \(dataset.versions),
                        \(dataset.state), \(write.now), \(write.now))
                    """)
                for version in 1...dataset.versions {
                    try store(version, of: dataset, in: write)
                }
            }
            for landmark in landmarks {
                for content in landmark.contents { try store(content, of: landmark, in: write) }
            }
        }
    }

    private func store(_ version: Int64, of dataset: Dataset, in write: WriteTransaction) throws {
        // The version that is current shares the state, whatever its number.
        let state = version == dataset.versions ? max(dataset.state, 1) : version
        let held = landmarks.filter { $0.dataset == dataset.id }.flatMap(\.contents).filter {
            $0.states.contains(version == dataset.versions ? dataset.state : version)
        }
        let longitudes = held.map(\.coordinate.longitudeE7)
        let latitudes = held.map(\.coordinate.latitudeE7)
        try write.run(
            """
            INSERT INTO datasetVersion (datasetId, number, state, count, west, south, east, north, inserted, updated,
                unchanged, removed, rejected, createdAt)
            VALUES (\(dataset.id), \(version), \(state), \(held.count), \(longitudes.min().map(Int64.init)),
                \(latitudes.min().map(Int64.init)), \(longitudes.max().map(Int64.init)),
                \(latitudes.max().map(Int64.init)), 0, 0, 0, 0, 0, \(write.now))
            """)
    }

    private func store(_ content: Content, of landmark: Known, in write: WriteTransaction) throws {
        let isLast = content.states.upperBound > (datasets.first { $0.id == landmark.dataset }?.versions ?? 0)
        try write.run(
            """
            INSERT INTO landmark (number, landmarkId, datasetId, fromState, untilState, digest, key, longitude, latitude,
                category, name, description, updatedAt)
            VALUES (\(content.number), \(landmark.id), \(landmark.dataset), \(content.states.lowerBound),
                \(isLast ? Int64.max : content.states.upperBound), 0, \(landmark.key),
                \(Int64(content.coordinate.longitudeE7)), \(Int64(content.coordinate.latitudeE7)),
                \(content.category.code), \(content.name), \(content.description), \(content.updatedAt))
            """)
        try write.run(
            """
            INSERT INTO landmarkPlace (place, number, datasetId, fromState, untilState, category)
            SELECT hilbert(longitude, latitude), number, datasetId, fromState, untilState, category
            FROM landmark WHERE number = \(content.number)
            """)
        guard let shape = content.shape else { return }
        try write.run(
            "INSERT INTO landmarkShape (number, geom) VALUES (\(content.number), GeomFromText(\(Self.text(shape)), 4326))"
        )
    }

    static func text(_ shape: Shape) -> String {
        func degrees(_ units: Int64) -> Double { Double(units) / 1e7 }
        switch shape {
        case .line(let start, let end):
            return "LINESTRING(\(start.longitude) \(start.latitude), \(end.longitude) \(end.latitude))"
        case .rectangles(let all):
            let parts = all.map { box in
                let (w, s, e, n) = (degrees(box.west), degrees(box.south), degrees(box.east), degrees(box.north))
                return "((\(w) \(s), \(e) \(s), \(e) \(n), \(w) \(n), \(w) \(s)))"
            }
            return "MULTIPOLYGON(\(parts.joined(separator: ", ")))"
        }
    }

    // MARK: What must be read

    /// The ids of a box, in the order of lists.
    func ids(in box: BoundingBox?, where accepts: (Current) -> Bool = { _ in true }) -> [String] {
        current.filter { accepts($0) && (box.map { $0.meets } ?? { _ in true })($0.content) }
            .sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map { "\($0.id)" }
    }

    func ids(near point: Coordinate, radius: Double?, where accepts: (Current) -> Bool = { _ in true }) -> [String] {
        current.filter(accepts).map { (Geodesic.distance(point, $0.content.coordinate), $0.id) }
            .filter { $0.0 <= radius ?? .infinity }.sorted { $0 < $1 }.map { "\($0.1)" }
    }
}

extension BoundingBox {
    /// Whether it has a point of a landmark.
    fileprivate func meets(_ content: LandmarkWorld.Content) -> Bool {
        if contains(content.coordinate) { return true }
        guard let shape = content.shape else { return false }
        return sides.contains { side in
            switch shape {
            case .rectangles(let all):
                all.contains {
                    $0.west <= side.east && $0.east >= side.west && $0.south <= Int64(north) && $0.north >= Int64(south)
                }
            case .line(let start, let end): crosses(start, end, side)
            }
        }
    }

    /// The antimeridian is one line, whichever way it is written.
    private var sides: [(west: Int64, east: Int64)] {
        let half: Int64 = 1_800_000_000
        if crossesAntimeridian { return [(Int64(west), half), (-half, Int64(east))] }
        var sides = [(west: Int64(west), east: Int64(east))]
        if east == half { sides.append((-half, -half)) }
        if west == -half { sides.append((half, half)) }
        return sides
    }

    /// By clipping the line (Liang, Barsky, 1984).
    private func crosses(_ start: Coordinate, _ end: Coordinate, _ side: (west: Int64, east: Int64)) -> Bool {
        let (x, y) = (Double(start.longitudeE7), Double(start.latitudeE7))
        let (dx, dy) = (Double(end.longitudeE7) - x, Double(end.latitudeE7) - y)
        var (low, high) = (0.0, 1.0)
        for (p, q) in [
            (-dx, x - Double(side.west)), (dx, Double(side.east) - x), (-dy, y - Double(south)),
            (dy, Double(north) - y),
        ] {
            if p == 0 {
                if q < 0 { return false }
            } else if p < 0 {
                low = max(low, q / p)
            } else {
                high = min(high, q / p)
            }
        }
        return low <= high
    }
}
