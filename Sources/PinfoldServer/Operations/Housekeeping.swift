import Foundation
import Storage

/// Throws away what has had its time: pins past restoring, kept answers, expired tokens and the sessions that they ended.
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
    }
}
