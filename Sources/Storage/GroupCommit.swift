import CSQLite

/// Runs writes on the writer's connection, those that wait together in one transaction.
final class GroupCommit {
    /// How a group went.
    struct Summary {
        var writes = 0
        var failures = 0
        /// The transaction was lost to one write, so each ran again alone.
        var wasRerun = false
    }

    private enum Outcome {
        case success(@Sendable () -> Void)
        case failure(any Error)
    }

    private let connection: Connection
    private let identifiers: IdentifierSource
    private let clock: () -> Int64

    init(connection: Connection, identifiers: IdentifierSource, clock: @escaping () -> Int64) {
        self.connection = connection
        self.identifiers = identifiers
        self.clock = clock
    }

    /// Runs and stores `writes`, and tells each owner in their order, after the COMMIT that holds it.
    func perform(_ writes: [PendingWrite]) -> Summary {
        var summary = Summary()
        if writes.count > 1, let outcomes = together(writes) {
            for (write, outcome) in zip(writes, outcomes) { tell(write, outcome, &summary) }
            return summary
        }
        summary.wasRerun = writes.count > 1
        for write in writes { tell(write, alone(write), &summary) }
        return summary
    }

    private func tell(_ write: PendingWrite, _ outcome: Outcome, _ summary: inout Summary) {
        switch outcome {
        case .success(let complete):
            summary.writes += 1
            complete()
        case .failure(let error):
            summary.failures += 1
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
    }

    private func rollBack() {
        // It fails only when there is nothing to roll back, or the next BEGIN will say so.
        if !connection.isIdle { try? connection.control("ROLLBACK") }
    }

    private func transaction() -> WriteTransaction {
        WriteTransaction(connection: connection, now: clock(), identifiers: identifiers)
    }
}
