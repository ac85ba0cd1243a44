import CSQLite

/// Runs writes on the writer's connection, those that wait together in one transaction.
final class GroupCommit {
    private enum Outcome {
        case success(@Sendable () -> Void)
        case failure(any Error)
    }

    private let connection: Connection
    private let identifiers: IdentifierSource
    private let clock: () -> Int64
    private let counts: WriteCounts

    init(
        connection: Connection, identifiers: IdentifierSource, clock: @escaping () -> Int64, counts: WriteCounts
    ) {
        self.connection = connection
        self.identifiers = identifiers
        self.clock = clock
        self.counts = counts
    }

    /// Runs and stores `writes`, and tells each owner in their order, after the COMMIT that holds it.
    func perform(_ writes: [PendingWrite]) {
        counts.update {
            $0.groups += 1
            $0.largestGroup = max($0.largestGroup, writes.count)
        }
        if writes.count > 1 {
            if let outcomes = together(writes) {
                for (write, outcome) in zip(writes, outcomes) { tell(write, outcome) }
                return
            }
            counts.update { $0.rerunGroups += 1 }
        }
        for write in writes { tell(write, alone(write)) }
    }

    private func tell(_ write: PendingWrite, _ outcome: Outcome) {
        switch outcome {
        case .success(let complete):
            counts.update { $0.writes += 1 }
            complete()
        case .failure(let error):
            counts.update { $0.failures += 1 }
            write.fail(error)
        }
    }

    /// One transaction for all, a savepoint for each.
    ///
    /// - Returns: nil when the transaction was lost (a full disk, `RAISE(ROLLBACK)`, a COMMIT that was refused), and with
    ///   it the writes that had gone well: each has to run again alone, to find out whose fault it was.
    private func together(_ writes: [PendingWrite]) -> [Outcome]? {
        do {
            try connection.control("BEGIN IMMEDIATE")
        } catch {
            // Nobody's fault; alone they would only wait for the same lock one after the other.
            return writes.map { _ in .failure(error) }
        }
        do {
            var outcomes: [Outcome] = []
            outcomes.reserveCapacity(writes.count)
            for write in writes {
                try connection.control("SAVEPOINT one")
                do {
                    outcomes.append(.success(try write.run(transaction())))
                    if connection.isIdle { return nil }
                } catch {
                    if connection.isIdle { return nil }
                    try connection.control("ROLLBACK TO one")
                    outcomes.append(.failure(error))
                }
                try connection.control("RELEASE one")
            }
            try commit()
            return outcomes
        } catch {
            rollBack()
            return nil
        }
    }

    private func alone(_ write: PendingWrite) -> Outcome {
        do {
            try connection.control("BEGIN IMMEDIATE")
            let complete = try write.run(transaction())
            if connection.isIdle {
                throw DatabaseError(
                    code: SQLITE_ABORT, message: "the write went on after an error that ended its transaction", sql: "")
            }
            try commit()
            return .success(complete)
        } catch {
            rollBack()
            return .failure(error)
        }
    }

    private func commit() throws {
        try identifiers.store(on: connection)
        try connection.control("COMMIT")
        identifiers.didCommit()
        counts.didCommit()
    }

    private func rollBack() {
        // It fails only when there is nothing to roll back, or the next BEGIN will say so.
        if !connection.isIdle { try? connection.control("ROLLBACK") }
    }

    private func transaction() -> WriteTransaction {
        WriteTransaction(connection: connection, now: clock(), identifiers: identifiers)
    }
}
