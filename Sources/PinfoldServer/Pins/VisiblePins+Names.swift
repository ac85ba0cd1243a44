import Geo
import SocialModel
import Storage

/// Search while typing among the names of visible pins.
extension VisiblePins {
    struct Named {
        let pin: Pin
        let match: OwnerPinNames.Match
    }

    /// Names that one search may look at, and that it may wait for: some milliseconds.
    private static var lookLimit: Int { 40_000 }
    /// With so many pins nobody needs corrections.
    private static var enough: Int { 5 }
    private static var readLimit: Int { 3_000 }

    /// The best pins of whose names each of the words begins a word, of those in memory and some more; where that are few,
    /// also those whose names begin so but for a typing error or two.
    ///
    /// - Parameters:
    ///   - folding: how names are folded, as the words were.
    ///   - points: what a pin counts by its match, its position, and whether it is the viewer's own.
    /// - Returns: at most `limit`, in no order, and whether all names were there to be looked at.
    func named(
        _ words: PlaceFolding.Words, _ folding: PlaceFolding, _ memory: PinNamesMemory, limit: Int,
        points: (OwnerPinNames.Match, Coordinate, _ isOwn: Bool) -> Int
    ) throws -> (pins: [Named], isWhole: Bool) {
        guard !words.isEmpty, let planner else { return ([], true) }
        let view = try view(of: nil)
        let sight = view.whole
        var known = try memory.names(of: sight.owners, at: view.end, planner.tail, in: read)
        let isWhole = try readNames(&known, sight, folding, memory, limit: Self.readLimit)

        var found: [(id: Int64, points: Int, match: OwnerPinNames.Match)] = []
        var budget = Self.lookLimit
        func search(_ names: OwnerPinNames, without changed: Set<Int64>, _ misspelling: PlaceNames.Misspelling?) {
            let isOwn = names.ownerId == viewer.rawValue
            func isOffered(_ index: Int) -> Bool {
                let pin = names.pins[index]
                return isForViewer(pin.audience, isOwn: isOwn, sight) && !changed.contains(pin.id)
            }
            func offer(_ index: Int, _ match: OwnerPinNames.Match) {
                let pin = names.pins[index]
                found.append((pin.id, points(match, pin.coordinate, isOwn), match))
            }
            if let misspelling {
                names.forEachCorrection(misspelling, budget: &budget, where: isOffered, offer)
            } else {
                names.forEachMatch(words, budget: &budget, where: isOffered, offer)
            }
        }
        let changed = known.changed.isEmpty ? [] : try readNames(ofPins: known.changed, sight, folding)
        func search(_ misspelling: PlaceNames.Misspelling?) {
            for case let names? in known.names { search(names, without: known.changed, misspelling) }
            for names in changed { search(names, without: [], misspelling) }
        }
        search(nil)
        if found.count < min(limit, Self.enough), let misspelling = PlaceNames.Misspelling(words.bytes) {
            let correct = found
            budget = Self.lookLimit
            search(misspelling)
            found.removeAll { pin in
                if case .misspelt = pin.match { return correct.contains { $0.id == pin.id } }
                return false
            }
        }
        found.sort { ($0.points, $0.id) > ($1.points, $1.id) }
        // Here each is decided again, by the statement that has the rule.
        let pins = try pins(found.prefix(limit).map(\.id))
        let named = found.prefix(limit).compactMap { found in
            pins[found.id].map { Named(pin: $0, match: found.match) }
        }
        return (named, isWhole)
    }

    /// Reads names that are not in memory, for the searches that follow.
    ///
    /// - Parameter limit: about how many of those that the viewer may see.
    /// - Returns: whether all are there.
    func readNames(_ folding: PlaceFolding, into memory: PinNamesMemory, limit: Int) throws -> Bool {
        guard let planner else { return true }
        let view = try view(of: nil)
        var known = try memory.names(of: view.whole.owners, at: view.end, planner.tail, in: read)
        return try readNames(&known, view.whole, folding, memory, limit: limit)
    }

    /// The rule for a name that is in memory.
    private func isForViewer(_ audience: Int64, isOwn: Bool, _ sight: Sight) -> Bool {
        isOwn || audience == 1 || sight.circleSet.contains(audience)
    }

    /// Reads the names of owners that are not known, the viewer's own first.
    ///
    /// - Parameter limit: of names that the viewer may see. Others do not count, however long they take: what is found would
    ///   tell how many there are.
    /// - Returns: whether none is missing any more.
    private func readNames(
        _ known: inout PinNamesMemory.Known, _ sight: Sight, _ folding: PlaceFolding, _ memory: PinNamesMemory,
        limit: Int
    ) throws -> Bool {
        let owners = sight.owners
        let missing = known.names.indices.filter { known.names[$0] == nil }
        var read: [OwnerPinNames] = []
        var rows = 0
        for chunk in chunks(of: missing, first: 10, next: 50) {
            if rows >= limit { break }
            var found = Dictionary(uniqueKeysWithValues: chunk.map { (owners[$0], [OwnerPinNames.Row]()) })
            try self.read.forEach(
                """
                SELECT ownerId, id, longitude, latitude, audience, name FROM pin INDEXED BY pinByOwner
                WHERE ownerId IN (\(list: padded(chunk.map { owners[$0] }))) ORDER BY ownerId, createdAt, id
                """, grant: grant
            ) { row in
                let name = Self.nameRow(row)
                found[row.int64(0)]?.append(name)
                rows += isForViewer(name.audience, isOwn: row.int64(0) == viewer.rawValue, sight) ? 1 : 0
                return true
            }
            for index in chunk {
                let names = OwnerPinNames(of: owners[index], found[owners[index]] ?? [], folding)
                known.names[index] = names
                read.append(names)
            }
        }
        if !read.isEmpty { memory.keep(read, known) }
        return read.count == missing.count
    }

    /// The names of some pins, as the snapshot has them.
    private func readNames(ofPins pins: Set<Int64>, _ sight: Sight, _ folding: PlaceFolding) throws -> [OwnerPinNames] {
        var found: [Int64: [OwnerPinNames.Row]] = [:]
        for chunk in chunks(of: Array(pins)) {
            try read.forEach(
                """
                SELECT ownerId, id, longitude, latitude, audience, name FROM pin
                WHERE pin.id IN (\(list: padded(chunk))) AND \(isVisible(sight))
                """, grant: grant
            ) { row in
                found[row.int64(0), default: []].append(Self.nameRow(row))
                return true
            }
        }
        return found.map { OwnerPinNames(of: $0.key, $0.value, folding) }
    }

    private static func nameRow(_ row: Row) -> OwnerPinNames.Row {
        OwnerPinNames.Row(
            id: row.int64(1),
            coordinate: Coordinate(
                latitudeE7: Int32(truncatingIfNeeded: row.int64(3)),
                longitudeE7: Int32(truncatingIfNeeded: row.int64(2))),
            audience: row.int64(4), name: row.text(5))
    }
}
