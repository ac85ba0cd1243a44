import Foundation
import Geo
import SocialModel

/// A world of pins made from a seed: the same numbers always give the same people, friendships and pins.
///
/// A person for 25 pins, a few of them with most of the pins and most of the friends; 2,000 dense cities with hot spots,
/// the first with 3 % of all pins, three at the antimeridian, two near the poles; 0.2 % of the pins scattered over the
/// globe. Friends are mostly of one's own city: 85 directed friendships a person. Of the viewers twelve each have exactly
/// 10, 100, 500 and 5,000 friends, four of the twelve in the first city.
struct BenchWorld: Sendable {
    struct City: Sendable {
        var latitude: Double
        var longitude: Double
        /// How far it spreads, 0.4 to 1.4.
        let size: Double
        /// Kilometres east and north of the centre.
        let spots: [SIMD2<Double>]
    }

    /// One who asks, somewhere in the home city.
    struct Viewer: Sendable {
        let person: Int32
        let friends: Int
        let latitude: Double
        let longitude: Double
    }

    /// Oldest first, column by column: rows of their own would take twice the memory.
    struct Pins: Sendable {
        fileprivate(set) var ids: [Int64] = []
        /// Indices of people.
        fileprivate(set) var owners: [Int32] = []
        fileprivate(set) var longitudes: [Int32] = []
        fileprivate(set) var latitudes: [Int32] = []
        /// Milliseconds.
        fileprivate(set) var createdAt: [Int64] = []
        /// 0 for none.
        fileprivate(set) var ratings: [Int8] = []
        fileprivate(set) var categories: [Int8] = []
        fileprivate(set) var isForFriends: [Bool] = []

        var count: Int { ids.count }
    }

    static let seed: UInt64 = 20_260_131
    /// Goes up whenever another world comes of the same seed.
    static let version = 3
    static let friendClasses = [10, 100, 500, 5_000]

    let people: Int
    private(set) var cities: [City] = []
    /// By person; `friends[friendStarts[p]..<friendStarts[p + 1]]` are those of p, ascending.
    private(set) var friends: [Int32] = []
    private(set) var friendStarts: [Int] = []
    private(set) var viewers: [Viewer] = []
    private(set) var pins = Pins()
    private var homes: [Int32] = []

    /// - Parameter people: one for 25 pins if not given.
    init(pins count: Int, people: Int? = nil) {
        self.people = people ?? max(2_000, count / 25)
        var random = BenchRandom(seed: Self.seed)
        let cityOf = foundCities(&random)
        homes = (0..<self.people).map { _ in Int32(cityOf.pick(&random)) }
        chooseViewers(cityOf, &random)
        befriend(&random)
        dropPins(count, cityOf, &random)
    }

    /// What tells this world from others.
    var description: String { "seed \(Self.seed) version \(Self.version) pins \(pins.count) people \(people)" }

    /// The id of the account of a person: minted as the service does it.
    func account(_ person: Int32) -> Int64 { (1_400_000_000_000 + Int64(person) * 997_331) << 20 }

    func friends(of person: Int32) -> ArraySlice<Int32> {
        friends[friendStarts[Int(person)]..<friendStarts[Int(person) + 1]]
    }

    /// A point so many kilometres from another, on a sphere.
    static func point(
        _ latitude: Double, _ longitude: Double, plus kilometres: SIMD2<Double>
    ) -> Coordinate {
        let angle = (kilometres * kilometres).sum().squareRoot() / 6371
        let bearing = atan2(kilometres.x, kilometres.y)
        let start = latitude * .pi / 180
        let sine = sin(start) * cos(angle) + cos(start) * sin(angle) * cos(bearing)
        let turn = atan2(sin(bearing) * sin(angle) * cos(start), cos(angle) - sin(start) * sine)
        let east = (longitude + turn * 180 / .pi + 540).truncatingRemainder(dividingBy: 360) - 180
        return Coordinate(
            latitude: asin(min(max(sine, -1), 1)) * 180 / .pi, longitude: min(max(east, -180), 180))
            ?? Coordinate(latitudeE7: 0, longitudeE7: 0)
    }

    // MARK: Cities

    private static let cityCount = 2_000
    private static let antimeridianCity = 40
    private static let polarCity = 1_990

    private mutating func foundCities(_ random: inout BenchRandom) -> BenchChoice {
        for _ in 0..<Self.cityCount {
            let size = 0.4 + random.unit()
            let latitude = random.unit() < 0.75 ? 33 + 14 * random.normal() : -20 + 12 * random.normal()
            cities.append(
                City(
                    latitude: min(max(latitude, -52), 68), longitude: 360 * random.unit() - 180, size: size,
                    spots: (0..<40).map { _ in SIMD2(random.normal(), random.normal()) * 5 * size }))
        }
        let fixed: [Int: (Double, Double)] = [
            0: (35.68, 139.7), Self.antimeridianCity: (-17.2, 179.98), 300: (-16.5, -179.97), 700: (65, 179.9),
            Self.polarCity: (89.97, 30), Self.polarCity + 1: (-89.96, -100),
        ]
        for (index, place) in fixed { (cities[index].latitude, cities[index].longitude) = place }
        let rest = (1..<Self.cityCount).map { pow(Double($0) + 5, -0.8) }
        let sum = rest.reduce(0, +)
        return BenchChoice([0.03] + rest.map { 0.97 * $0 / sum })
    }

    private func point(in index: Int, _ random: inout BenchRandom) -> Coordinate {
        let city = cities[index]
        while true {
            var offset: SIMD2<Double>
            if random.unit() < 0.6 {
                // The first spots are the most popular.
                offset = city.spots[Int(40 * random.unit() * random.unit())]
                offset += SIMD2(random.normal(), random.normal()) * 0.4
            } else {
                offset = SIMD2(random.normal(), random.normal()) * 7 * city.size
            }
            // The first city is dense: all within 15 km.
            if index == 0, abs(offset.x) > 15 || abs(offset.y) > 15 { continue }
            return Self.point(city.latitude, city.longitude, plus: offset)
        }
    }

    // MARK: People

    private mutating func chooseViewers(_ cityOf: BenchChoice, _ random: inout BenchRandom) {
        var taken: Set<Int32> = []
        for count in Self.friendClasses where count <= people / 2 {
            for number in 0..<12 {
                var person = Int32(random.below(people))
                while !taken.insert(person).inserted { person = Int32(random.below(people)) }
                let city =
                    switch number {
                    case 0..<4: 0
                    case 4: Self.antimeridianCity
                    case 5: Self.polarCity
                    case 6: 1 + random.below(5)
                    default: 1 + cityOf.pick(&random) % (Self.cityCount - 1)
                    }
                homes[Int(person)] = Int32(city)
                let spot = cities[city].spots[random.below(8)]
                let place = Self.point(cities[city].latitude, cities[city].longitude, plus: spot)
                viewers.append(
                    Viewer(person: person, friends: count, latitude: place.latitude, longitude: place.longitude))
            }
        }
    }

    /// Each knows as many as the power law says: half of them by choice, half by being chosen in proportion to it.
    private mutating func befriend(_ random: inout BenchRandom) {
        var chosen = (0..<people).map { _ in
            let wanted = random.unit() < 0.18 ? 1 + random.unit() * 34 : 38.9 * random.powerLaw()
            // Those that are chosen twice are friends once, so some more are chosen.
            return Int((0.54 * min(wanted, 5_000, Double(people) / 4) + random.unit()))
        }
        for viewer in viewers { chosen[Int(viewer.person)] = 0 }
        var residents = [[Int32]](repeating: [], count: cities.count)
        for person in 0..<people { residents[Int(homes[person])].append(Int32(person)) }
        // Each person as often as they choose, city by city.
        var tickets: [Int32] = []
        tickets.reserveCapacity(chosen.reduce(0, +))
        var firstTicket = [0]
        for city in residents {
            for person in city { tickets.append(contentsOf: repeatElement(person, count: chosen[Int(person)])) }
            firstTicket.append(tickets.count)
        }
        var pairs: [UInt64] = []
        pairs.reserveCapacity(tickets.count + 70_000)
        for person in 0..<Int32(people) {
            let city = Int(homes[Int(person)])
            let (first, end) = (firstTicket[city], firstTicket[city + 1])
            // A village has not enough people for one who knows many.
            let near = min(0.7, 0.15 * Double(residents[city].count) / Double(max(chosen[Int(person)], 1)))
            for _ in 0..<chosen[Int(person)] {
                let other =
                    random.unit() < near && end > first
                    ? tickets[first + random.below(end - first)] : tickets[random.below(tickets.count)]
                if other != person { pairs.append(Self.pair(person, other)) }
            }
        }
        for viewer in viewers { pairs += friends(for: viewer, residents, &random) }
        keep(pairs)
    }

    private static func pair(_ a: Int32, _ b: Int32) -> UInt64 { UInt64(min(a, b)) << 32 | UInt64(max(a, b)) }

    /// Exactly as many as the viewer has, none of them a viewer.
    private func friends(
        for viewer: Viewer, _ residents: [[Int32]], _ random: inout BenchRandom
    ) -> [UInt64] {
        let viewers = Set(viewers.map(\.person))
        let neighbours = residents[Int(homes[Int(viewer.person)])]
        var friends: Set<Int32> = []
        var tries = 0
        while friends.count < viewer.friends {
            tries += 1
            let isNear = Double(friends.count) < 0.7 * Double(viewer.friends) && tries < 4 * viewer.friends
            let other =
                isNear && !neighbours.isEmpty
                ? neighbours[random.below(neighbours.count)] : Int32(random.below(people))
            if !viewers.contains(other) { friends.insert(other) }
        }
        return friends.sorted().map { Self.pair(viewer.person, $0) }
    }

    /// Both directions of each pair, once. In the order of the pairs each one's friends come ascending.
    private mutating func keep(_ pairs: [UInt64]) {
        let pairs = pairs.sorted()
        var counts = [Int](repeating: 0, count: people + 1)
        var last: UInt64?
        for pair in pairs where pair != last {
            last = pair
            counts[Int(pair >> 32)] += 1
            counts[Int(pair & 0xFFFF_FFFF)] += 1
        }
        var next: [Int] = []
        var sum = 0
        for count in counts {
            next.append(sum)
            sum += count
        }
        friendStarts = next
        friends = [Int32](repeating: 0, count: sum)
        last = nil
        for pair in pairs where pair != last {
            last = pair
            let (a, b) = (Int(pair >> 32), Int(pair & 0xFFFF_FFFF))
            friends[next[a]] = Int32(b)
            friends[next[b]] = Int32(a)
            next[a] += 1
            next[b] += 1
        }
    }

    // MARK: Pins

    private mutating func dropPins(_ count: Int, _ cityOf: BenchChoice, _ random: inout BenchRandom) {
        // Who is active has nothing to do with who is popular or with the order of accounts.
        let activity = BenchChoice((0..<people).map { _ in min(random.powerLaw(), 300) })
        let first: Int64 = 1_450_000_000_000
        let step = 310_000_000_000 / Double(count)
        var made = Pins()
        made.reserve(count)
        for index in 0..<count {
            let owner = activity.pick(&random)
            let place = random.unit()
            let coordinate: Coordinate
            if place < 0.998 {
                let city = place < 0.8 ? Int(homes[owner]) : cityOf.pick(&random)
                coordinate = point(in: city, &random)
            } else {
                let latitude = asin(2 * random.unit() - 1) * 180 / .pi
                coordinate =
                    Coordinate(latitude: latitude, longitude: 360 * random.unit() - 180)
                    ?? Coordinate(latitudeE7: 0, longitudeE7: 0)
            }
            let createdAt = first + Int64(step * (Double(index) + random.unit()))
            made.ids.append(max(createdAt << 20, (made.ids.last ?? 0) + 1))
            made.owners.append(Int32(owner))
            made.longitudes.append(coordinate.longitudeE7)
            made.latitudes.append(coordinate.latitudeE7)
            made.createdAt.append(createdAt)
            let stars = random.unit()
            made.ratings.append(
                stars < 0.08 ? 0 : stars < 0.12 ? 1 : stars < 0.18 ? 2 : stars < 0.34 ? 3 : stars < 0.67 ? 4 : 5)
            made.categories.append(Int8(7 * random.unit() * random.unit()))
            made.isForFriends.append(random.unit() < 0.9)
        }
        pins = made
    }
}

extension BenchWorld.Pins {
    fileprivate mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        owners.reserveCapacity(count)
        longitudes.reserveCapacity(count)
        latitudes.reserveCapacity(count)
        createdAt.reserveCapacity(count)
        ratings.reserveCapacity(count)
        categories.reserveCapacity(count)
        isForFriends.reserveCapacity(count)
    }

    func coordinate(_ index: Int) -> Coordinate {
        Coordinate(latitudeE7: latitudes[index], longitudeE7: longitudes[index])
    }

    /// A name of 8 to 28 characters, and for 70 % a comment of up to 200.
    func texts(_ index: Int) -> (name: String, comment: String?) {
        var random = BenchRandom(seed: UInt64(bitPattern: ids[index]))
        let name = "Pin " + String(random.next() >> 48, radix: 16) + " "
        let start = random.below(80)
        let length = max(8 - name.utf8.count, random.below(29 - name.utf8.count))
        let words = Self.words
        let title = name + String(decoding: words[start..<(start + length)], as: UTF8.self)
        guard random.unit() >= 0.3 else { return (title, nil) }
        let begin = random.below(20)
        let size = 1 + Int(200 * random.unit() * random.unit())
        return (title, String(decoding: words[begin..<(begin + size)], as: UTF8.self))
    }

    private static let words = Array(
        """
        the best little noodle place near the station, take the table by the window and ask for the dish of the day; \
        quiet before noon on weekdays, no cards, and from the roof there is a view over the old harbour as far as the \
        lighthouse when the air is clear
        """.utf8)
}
