import SocialModel
import Storage

extension LandmarkImport {
    /// Undoes what the imports have written that have ended without their state becoming the dataset's: failed, cancelled,
    /// or without any change. No import may begin ahead of this; an earlier version may be restored. A dataset that has
    /// never had anything goes with it.
    ///
    /// - Returns: false if `goesOn` has ended it; what is left is undone by the next call.
    /// - Throws: `DatabaseError`, after which the same holds.
    static func undoLeftovers(in database: DatabasePool, while goesOn: () -> Bool = { true }) throws -> Bool {
        let ended = try database.read { try ImportJob.havingLeftovers(in: $0) }
        for (job, dataset, state) in ended {
            if let dataset {
                guard try undo(state, of: dataset.rawValue, in: database, while: goesOn) else { return false }
            }
            try database.write { write in
                try ImportJob.forgetState(of: job, in: write)
                if let dataset { try write.run("DELETE FROM dataset WHERE id = \(dataset) AND version = 0") }
            }
        }
        return true
    }

    /// Undoes what was written under a state that a dataset neither has nor had, a few milliseconds of the writer at a time.
    ///
    /// - Returns, Throws: as `undoLeftovers`.
    static func undo(
        _ state: Int64, of dataset: Int64, in database: DatabasePool, while goesOn: () -> Bool = { true }
    ) throws -> Bool {
        let rows: SQL = "datasetId = \(dataset) AND fromState = \(state)"
        // Of the first state there is nothing before it that it could have closed.
        if state > 1 {
            let places: SQL = "datasetId = \(dataset) AND (fromState = \(state) OR untilState = \(state))"
            guard try removePlaces(where: places, reopening: state, in: database, while: goesOn) else { return false }
        } else if try isLarge(dataset, in: database) {
            guard try removePlaces(where: rows, in: database, while: goesOn) else { return false }
        }
        return try removeRows(where: rows, in: database, while: goesOn)
    }

    /// Removes a dataset that is shown nowhere any more, a few milliseconds of the writer at a time.
    ///
    /// - Returns, Throws: as `undoLeftovers`.
    @discardableResult
    static func erase(_ dataset: Int64, in database: DatabasePool, while goesOn: () -> Bool = { true }) throws -> Bool {
        let rows: SQL = "datasetId = \(dataset)"
        if try isLarge(dataset, in: database) {
            guard try removePlaces(where: rows, in: database, while: goesOn) else { return false }
        }
        guard try removeRows(where: rows, in: database, while: goesOn) else { return false }
        try database.write { write in try write.run("DELETE FROM dataset WHERE id = \(dataset) AND name IS NULL") }
        return true
    }

    /// Whether it is worth the while to look through the places of all datasets for those of this one. The places of few
    /// rows go one by one with their rows, by a trigger.
    private static func isLarge(_ dataset: Int64, in database: DatabasePool) throws -> Bool {
        try database.read { read in
            try read.exists(
                """
                SELECT 1 FROM landmark INDEXED BY landmarkByKey WHERE datasetId = \(dataset) LIMIT 1 OFFSET 20000
                """)
        }
    }

    /// Removes entries of `landmarkPlace` in their order, in which neighbours share their pages.
    ///
    /// - Parameter closed: the state as of which rows were closed that are open again after this; they keep their places.
    private static func removePlaces(
        where condition: SQL, reopening closed: Int64? = nil, in database: DatabasePool, while goesOn: () -> Bool
    ) throws -> Bool {
        var (place, number): (Int64, Int64) = (-1, 0)
        while true {
            let entries = try database.read { read in
                try read.rows(
                    """
                    SELECT place, number, untilState FROM landmarkPlace
                    WHERE (place, number) > (\(place), \(number)) AND \(condition)
                    ORDER BY place, number LIMIT 100000
                    """
                ) { (place: $0.int64(0), number: $0.int64(1), isClosed: $0.int64(2) == closed) }
            }
            guard let last = entries.last else { return true }
            (place, number) = (last.place, last.number)
            let isRemoved = try inParts(entries.filter { !$0.isClosed }, in: database, while: goesOn) {
                write, entries in
                try write.prepare("DELETE FROM landmarkPlace WHERE place = ? AND number = ?") { delete in
                    for entry in entries { try delete.run([.integer(entry.place), .integer(entry.number)]) }
                }
            }
            guard isRemoved else { return false }
            guard let closed else { continue }
            let numbers = entries.filter(\.isClosed).map(\.number).sorted()
            let isReopened = try inParts(numbers, in: database, while: goesOn) { write, numbers in
                try write.prepare("UPDATE landmark SET untilState = ? WHERE number = ? AND untilState = ?") { update in
                    for number in numbers {
                        try update.run([.integer(.max), .integer(number), .integer(closed)])
                    }
                }
            }
            guard isReopened else { return false }
        }
    }

    /// Removes rows of `landmark` in the order of their numbers, in which neighbours share their pages.
    private static func removeRows(
        where condition: SQL, in database: DatabasePool, while goesOn: () -> Bool
    ) throws -> Bool {
        while true {
            // The index has all that is asked for.
            let numbers = try database.read { read in
                try read.rows(
                    "SELECT number FROM landmark INDEXED BY landmarkByKey WHERE \(condition) LIMIT 1000000"
                ) { $0.int64(0) }
            }
            if numbers.isEmpty { return true }
            let isRemoved = try inParts(numbers.sorted(), in: database, while: goesOn) { write, numbers in
                try write.prepare("DELETE FROM landmark WHERE number = ?") { delete in
                    for number in numbers { try delete.run([.integer(number)]) }
                }
            }
            guard isRemoved else { return false }
        }
    }

    /// Hands items to `body` on the writer, so many at once as take some 20 ms, which others have to wait for.
    ///
    /// - Returns: false if `goesOn` has ended it.
    private static func inParts<Item: Sendable>(
        _ items: [Item], in database: DatabasePool, while goesOn: () -> Bool,
        _ body: @escaping @Sendable (WriteTransaction, ArraySlice<Item>) throws -> Void
    ) throws -> Bool {
        var (start, size) = (0, 500)
        while start < items.count {
            guard goesOn() else { return false }
            let part = items[start..<min(start + size, items.count)]
            let seconds = try database.write { write in
                try ContinuousClock().measure { try body(write, part) } / .seconds(1)
            }
            start = part.endIndex
            let wanted = Double(part.count) * 0.02 / max(seconds, 0.0005)
            size = Int(min(5_000, max(20, min(wanted, Double(part.count) * 2))))
        }
        return true
    }
}
