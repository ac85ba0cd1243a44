import Foundation
import SocialModel
import Storage

/// Throws away what has had its time: pins past restoring, kept answers, expired tokens and the sessions that they ended,
/// and the beginning of the log.
enum Housekeeping {
    /// In seconds.
    static let interval: TimeInterval = 60
    /// Every how many rounds it is looked anew where pins are.
    static let roundsPerSurvey = 10

    static func run(in write: WriteTransaction) throws {
        try PinChange.purgeDeleted(in: write)
        try write.run("DELETE FROM idempotentAnswer WHERE createdAt <= \(write.now - IdempotencyKey.lifetime)")
        try write.run("DELETE FROM token WHERE expiresAt <= \(write.now)")
        try write.run("DELETE FROM session WHERE id NOT IN (SELECT sessionId FROM token)")
        try APIToken.forgetExpired(in: write)
        try compactLog(in: write)
    }

    /// For how long cursors stay good: 30 days, in milliseconds.
    static let logLifetime: Int64 = 30 * 86_400_000
    /// Entries that go in one round, so that nobody waits for long.
    private static let roundEntries: Int64 = 20_000

    /// The log loses entries from its beginning only, and never the last one.
    private static func compactLog(in write: WriteTransaction) throws {
        let ends = try write.row("SELECT (SELECT min(sequence) FROM event), (SELECT max(sequence) FROM event)") {
            ($0.int64(0), $0.int64(1))
        }
        guard let (first, last) = ends, last > first else { return }
        let end = min(first + roundEntries, last)
        // The times go up as the places do, but for steps of the clock.
        let young = try write.row(
            """
            SELECT sequence FROM event WHERE sequence < \(end) AND at > \(write.now - logLifetime)
            ORDER BY sequence LIMIT 1
            """
        ) { $0.int64(0) }
        try write.run("DELETE FROM event WHERE sequence < \(young ?? end)")
    }
}
