import Foundation
import Storage
import Synchronization

/// Sends what is queued, on a thread of its own: no request ever waits for a mail server.
///
/// A message leaves the queue when the server has taken it. Killed in between, the sender sends it again after the next
/// start: a message may come twice, but none gets lost.
final class MailSender: Sendable {
    private struct State {
        var isStopping = false
        var isRunning = false
        /// Messages that are out, and whose rows could not be removed yet: a full disk must not send them each time.
        var sent: Set<Int64> = []
    }

    private let database: DatabasePool
    private let settings: MailSettings
    private let publicURL: String
    private let clock: @Sendable () -> Int64
    private let random: @Sendable (Int) -> [UInt8]
    private let log: Log
    private let state = Mutex(State())
    private let alarm = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// In seconds: news comes by `wake`.
    private static let longestSleep = 60.0
    private static let batch = 100

    init(
        _ database: DatabasePool, _ settings: MailSettings, publicURL: String,
        clock: @escaping @Sendable () -> Int64, random: @escaping @Sendable (Int) -> [UInt8], log: Log
    ) {
        self.database = database
        self.settings = settings
        self.publicURL = publicURL
        self.clock = clock
        self.random = random
        self.log = log
    }

    func start() {
        state.withLock { $0.isRunning = true }
        let thread = Thread { [self] in
            while !isStopping {
                var sleep = Self.longestSleep
                do {
                    while try sendDue() == Self.batch {}
                    let next = try database.read { try QueuedMail.nextDue(in: $0) }
                    if let next { sleep = min(sleep, max(0.05, Double(next - clock()) / 1000)) }
                } catch {
                    if !isStopping { log.error("the queue of mail failed", ["error": String(describing: error)]) }
                }
                _ = alarm.wait(timeout: .now() + sleep)
            }
            ended.signal()
        }
        thread.name = "mail"
        thread.start()
    }

    /// There is something to send: call it after COMMIT.
    func wake() { alarm.signal() }

    /// Breaks off what is under way and waits for the thread.
    func stop() {
        let wasRunning = state.withLock { state in
            state.isStopping = true
            defer { state.isRunning = false }
            return state.isRunning
        }
        guard wasRunning else { return }
        alarm.signal()
        ended.wait()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Tries all that is due once, and blocks until that is done.
    ///
    /// - Returns: how many messages there were.
    @discardableResult
    func sendDue() throws -> Int {
        let due = try database.read { try QueuedMail.due(at: clock(), limit: Self.batch, in: $0) }
        for mail in due where !isStopping { try send(mail) }
        return isStopping ? 0 : due.count
    }

    private func send(_ mail: QueuedMail) throws {
        let now = clock()
        var fields = ["kind": mail.kind.rawValue, "mail": String(mail.id)]
        do {
            if !state.withLock({ $0.sent.contains(mail.id) }), let message = try compose(mail, at: now) {
                try hand(over: message, of: mail)
                state.withLock { _ = $0.sent.insert(mail.id) }
                log.info("mail sent", fields)
            }
            try database.write { try mail.remove(in: $0) }
            state.withLock { _ = $0.sent.remove(mail.id) }
        } catch let failure as MailFailure {
            guard !isStopping else { return }
            fields["reason"] = failure.reason
            guard !failure.isFinal, now - mail.createdAt < QueuedMail.patience else {
                log.error("mail given up", fields)
                try database.write { try mail.remove(in: $0) }
                return
            }
            log.error("mail not sent yet", fields)
            try database.write { try mail.postpone(in: $0) }
        }
    }

    /// The message, or nil when there is nobody to send it to.
    private func compose(_ mail: QueuedMail, at now: Int64) throws -> MailMessage? {
        guard mail.kind == .passwordReset else {
            guard let recipient = MailAddress(mail.recipient), let username = mail.username else { return nil }
            let text: MailText =
                mail.kind == .emailChanged
                ? .emailChanged(of: username, at: publicURL, in: mail.language)
                : .passwordChanged(of: username, at: publicURL, in: mail.language)
            // The same at each try, so that a reader's program knows a message that comes twice.
            return message(text, to: recipient, mail, now, identifier: "\(mail.id).\(mail.createdAt)")
        }
        if try database.read({ try mail.isOutdated(in: $0) }) { return nil }
        let token = base64URL(random(32))
        let owner = try database.write { write in
            try PasswordReset.begin(forEmail: mail.recipient, token: token, in: write)
        }
        guard let owner, let recipient = MailAddress(owner.email) else { return nil }
        let text = MailText.passwordReset(
            of: owner.username, at: publicURL, link: PasswordReset.link(token, publicURL: publicURL), in: mail.language)
        return message(text, to: recipient, mail, now, identifier: "\(mail.id).\(base64URL(random(9)))")
    }

    private func message(
        _ text: MailText, to recipient: MailAddress, _ mail: QueuedMail, _ now: Int64, identifier: String
    ) -> MailMessage {
        MailMessage(
            sender: settings.sender, recipient: recipient, subject: text.subject, text: text.body,
            language: mail.language, date: now, identifier: identifier)
    }

    private func hand(over message: MailMessage, of mail: QueuedMail) throws {
        switch settings.way {
        case .outbox(let outbox): try outbox.write(message.bytes(for: .eightBit), name: String(mail.id))
        case .smtp(let server):
            try server.send(
                message.bytes(for: .sevenBit), from: message.sender, to: message.recipient,
                greeting: message.sender.greeting, isCancelled: { [self] in isStopping })
        }
    }
}
