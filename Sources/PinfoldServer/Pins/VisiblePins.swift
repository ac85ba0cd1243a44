import Geo
import HTTP
import SocialModel
import Storage

/// The one place where pins are read: those that one viewer may see, in one snapshot.
///
/// A viewer sees their own pins, and of each friend those for friends and those for a circle that the viewer is in. No
/// answer of the service shows a pin that was not read here: a reader connection refuses every statement that reads the
/// pin tables without the grant in here (`Schema.guardedTables`). On the writer, `PinChange` moves and logs the owner's
/// rows.
struct VisiblePins<Snapshot: Transaction> {
    let viewer: Identifier<User>
    let read: Snapshot
    let grant = Grant(Schema.guardedTables)
    let planner: PinPlanner?

    /// - Parameter planner: what makes lists fast; without it each call reads the viewer's friends anew.
    init(of viewer: Viewer, in read: Snapshot, _ planner: PinPlanner? = nil) {
        self.init(of: viewer.id, in: read, planner)
    }

    init(of viewer: Identifier<User>, in read: Snapshot, _ planner: PinPlanner? = nil) {
        self.viewer = viewer
        self.read = read
        self.planner = planner
    }

    // MARK: The rule

    /// Whom the viewer sees, as this snapshot has it.
    func sight() throws -> Sight { try view(of: nil).whole }

    /// Whom a list is about, as this snapshot has it, and what is in memory of their pins.
    struct View {
        let whole: Sight
        /// The part of it that the list is about.
        let sight: Sight
        let known: RememberedPins?
        /// Where the event log ends.
        let end: Int64
    }

    func view(of owners: Set<Identifier<User>>?) throws -> View {
        let (version, end) = try Sight.state(of: viewer, in: read)
        func make() throws -> Sight { try Sight(of: viewer, version: version, in: read, grant) }
        guard let planner else {
            let whole = try make()
            return View(whole: whole, sight: owners.map { Sight(whole, of: $0) } ?? whole, known: nil, end: end)
        }
        let whole = try planner.sight(of: viewer, version: version, make)
        let sight = owners.map { Sight(whole, of: $0) } ?? whole
        try planner.memory.follow(to: end, in: read)
        return View(whole: whole, sight: sight, known: planner.memory.pins(of: sight, at: end), end: end)
    }

    /// The rule for a row of `pin`; every statement here that answers with pins of others has it.
    func isVisible(_ sight: Sight) -> SQL {
        "(memberOf(pin.ownerId, \(sight.ownerSet)) AND \(isForViewer(sight)))"
    }

    /// The part of the rule that is left where a statement names owners of the sight.
    func isForViewer(_ sight: Sight) -> SQL {
        "(pin.audience = 1 OR pin.ownerId = \(viewer) OR memberOf(pin.audience, \(sight.circleSet)))"
    }

    // MARK: Single pins

    /// The pin with this id; nil if there is none or the viewer may not see it.
    func pin(_ id: Identifier<Pin>) throws -> Pin? {
        try read.row(
            "SELECT \(literal: pinsWithOwners) WHERE pin.id = \(id) AND \(isVisible(try sight()))", grant: grant, pin)
    }

    /// Those of the pins with these ids that the viewer may see, by id.
    func pins(_ ids: [Int64]) throws -> [Int64: Pin] {
        let pins = try pins(ids, try view(of: nil))
        return Dictionary(pins.map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// In no order.
    private func pins(_ ids: [Int64], _ view: View) throws -> [Pin] {
        var pins: [Pin] = []
        pins.reserveCapacity(ids.count)
        for chunk in chunks(of: ids) {
            try read.forEach(
                """
                SELECT \(literal: pinColumns), '' FROM pin
                WHERE pin.id IN (\(list: padded(chunk))) AND \(isVisible(view.whole))
                """, grant: grant
            ) { row in
                pins.append(pin(row))
                return true
            }
        }
        try name(&pins, view)
        return pins
    }

    /// Gives each pin the name of its owner.
    private func name(_ pins: inout [Pin], _ view: View) throws {
        var unknown: Set<Int64> = []
        for index in pins.indices {
            let owner = pins[index].ownerId.rawValue
            let known = view.sight.index(of: owner).flatMap { view.known?[$0] }
            if let known { pins[index].ownerUsername = known.username } else { unknown.insert(owner) }
        }
        guard !unknown.isEmpty else { return }
        let names = try usernames(unknown)
        for index in pins.indices {
            if let name = names[pins[index].ownerId.rawValue] { pins[index].ownerUsername = name }
        }
    }

    func usernames(_ accounts: Set<Int64>) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        try read.forEach("SELECT id, username FROM account WHERE id IN (\(list: padded(Array(accounts))))") { row in
            names[row.int64(0)] = row.text(1)
            return true
        }
        return names
    }

    /// The viewer's own pin with this id.
    func own(_ id: Identifier<Pin>) throws -> Pin? {
        try read.row(
            "SELECT \(literal: pinsWithOwners) WHERE pin.id = \(id) AND pin.ownerId = \(viewer)", grant: grant, pin)
    }

    /// The viewer's own pin that an import knows by `externalId`.
    func own(externalId: String) throws -> Pin? {
        try read.row(
            "SELECT \(literal: pinsWithOwners) WHERE pin.ownerId = \(viewer) AND pin.externalId = \(externalId)",
            grant: grant, pin)
    }

    /// How many pins the viewer has.
    func countOwn() throws -> Int {
        try read.row("SELECT count(*) FROM pin WHERE ownerId = \(viewer)", grant: grant) { $0.int(0) } ?? 0
    }

    /// Hands out each of the viewer's own pins, oldest first, with what an import knows it by; one chunk of them is in
    /// memory at a time.
    func forEachOwn(_ body: (_ pin: Pin, _ externalId: String?) throws -> Void) throws {
        var chunk: [Int64] = []
        func handOut() throws {
            var pins: [Int64: Pin] = Dictionary(minimumCapacity: chunk.count)
            var externalIds: [Int64: String] = [:]
            let ids = padded(chunk)
            try read.forEach(
                "SELECT \(literal: pinsWithOwners) WHERE pin.id IN (\(list: ids)) AND pin.ownerId = \(viewer)",
                grant: grant
            ) { row in
                pins[row.int64(0)] = pin(row)
                return true
            }
            try read.forEach(
                "SELECT id, externalId FROM pin WHERE id IN (\(list: ids)) AND externalId IS NOT NULL", grant: grant
            ) { row in
                externalIds[row.int64(0)] = row.text(1)
                return true
            }
            for id in chunk { if let pin = pins[id] { try body(pin, externalIds[id]) } }
            chunk.removeAll(keepingCapacity: true)
        }
        try read.forEach(
            "SELECT id FROM pin INDEXED BY pinByOwner WHERE ownerId = \(viewer) ORDER BY createdAt, id", grant: grant
        ) { row in
            chunk.append(row.int64(0))
            if chunk.count == ownerChunk { try handOut() }
            return true
        }
        try handOut()
    }

    // MARK: Lists

    /// Up to `limit` pins of the query in its order, behind `after`; with the rank of each.
    ///
    /// - Parameter way: how to read; nil for the one that is estimated to be fastest. All give the same answer.
    func list(
        _ query: PinQuery, after: PinRank?, limit: Int, by way: PinWay? = nil
    ) throws -> [(pin: Pin, rank: PinRank)] {
        let view = try broughtIn(view(of: query.owners), for: query)
        let way = way ?? PinWay(for: query, view.owners, limit, after, planner)
        let ranks = try ranks(query, view, after, limit, way)
        var pins = try pins(ranks.map(\.id), view)
        if case .near(let point, _) = query.area {
            for index in pins.indices { pins[index].distance = Geodesic.distance(point, pins[index].coordinate) }
        }
        // A pin is large: each is copied once.
        var places: [Int64: Int] = Dictionary(minimumCapacity: pins.count)
        for index in pins.indices { places[pins[index].id.rawValue] = index }
        return ranks.compactMap { ranked in places[ranked.id].map { (pins[$0], ranked.rank) } }
    }

    /// Hands what draws and counts each visible pin of `query` to `body`, in no order.
    ///
    /// - Parameter way: by owner or by place; nil for the one that is estimated to be faster.
    func forEachEntry(_ query: PinQuery, by way: PinWay? = nil, _ body: (PinEntry) throws -> Void) throws {
        let view = try broughtIn(view(of: query.owners), for: query)
        let way = way ?? PinWay(forAllOf: query, view.owners, planner)
        if case .place(let ranges, _) = way {
            for range in ranges {
                try forEachRow(inPlaces: range, query, view.sight) { entry in
                    if try accepts(entry, query, query.words) { try body(entry) }
                }
            }
            return
        }
        let owners = placed(view, query)
        try forEachEntry(inMemory: owners.inMemory, query, view.sight, body)
        for chunk in chunks(of: owners.inIndex) {
            try forEachRow(ofOwners: chunk, query, view.sight, in: query.boundingBox) { entry in
                if query.radius == nil { return try body(entry) }
                if try accepts(entry, query, nil) { try body(entry) }
            }
        }
    }

    /// From `pinColumns` and the owner's name.
    private func pin(_ row: Row) -> Pin {
        let owner: Identifier<User> = row.identifier(1)
        let address = row.optionalText(12)
        let createdAt = row.timestamp(2)
        return Pin(
            id: row.identifier(0), ownerId: owner, ownerUsername: row.text(13),
            coordinate: Coordinate(latitudeE7: Int32(row.int64(4)), longitudeE7: Int32(row.int64(3))),
            name: row.text(10), address: address,
            addressSource: address == nil ? nil : row.bool(9) ? .owner : .gazetteer,
            comment: row.optionalText(11), rating: row.optionalInt64(5).map(Int.init),
            category: Pin.Category(code: row.int64(6)),
            audience: owner == viewer ? Pin.Audience(code: row.int64(7)) : nil, createdAt: createdAt,
            updatedAt: row.optionalInt64(8).map(Timestamp.init(milliseconds:)) ?? createdAt)
    }
}

/// In the order of the table, so that a row is gone through once.
private let pinColumns: StaticString = """
    pin.id, pin.ownerId, pin.createdAt, pin.longitude, pin.latitude, pin.rating, pin.category, pin.audience,
    pin.updatedAt, pin.addressByOwner, pin.name, pin.comment, pin.address
    """

private let pinsWithOwners: StaticString = """
    pin.id, pin.ownerId, pin.createdAt, pin.longitude, pin.latitude, pin.rating, pin.category, pin.audience,
    pin.updatedAt, pin.addressByOwner, pin.name, pin.comment, pin.address, account.username
    FROM pin JOIN account ON account.id = pin.ownerId
    """
