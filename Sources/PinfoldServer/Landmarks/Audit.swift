import HTTP
import SocialModel
import Storage

/// The log of what admins and curators did to datasets and accounts.
enum Audit {
    enum Action: String, Sendable {
        case datasetImport = "import"
        case importCancel = "import.cancel"
        case datasetChange = "dataset.change"
        case datasetDelete = "dataset.delete"
        case datasetRestore = "dataset.restore"
        case userRole = "user.role"
        case userSuspend = "user.suspend"
        case userUnsuspend = "user.unsuspend"
    }

    /// Adds a line, in the transaction of what it tells of.
    ///
    /// - Parameters:
    ///   - account: nil for whoever runs the server.
    ///   - subject: the name of the dataset or account.
    ///   - detail: a JSON object.
    static func log(
        _ action: Action, _ subject: String, detail: JSONWriter? = nil, by account: Identifier<User>?,
        in write: WriteTransaction
    ) throws {
        let detail = detail.map { String(decoding: $0.bytes, as: UTF8.self) }
        try write.run(
            """
            INSERT INTO audit (id, at, accountId, username, action, subject, detail)
            VALUES (\(write.newIdentifier()), \(write.now), \(account),
                (SELECT username FROM account WHERE id = \(account)), \(action.rawValue), \(subject), \(detail))
            """)
    }

    struct Entry: JSONWritable {
        let id: Int64
        let at: Timestamp
        let username: String?
        let action: String
        let subject: String
        let detail: String?

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.key("id")
                json.decimalString(id)
                json.key("at")
                json.time(at.milliseconds)
                json.key("username")
                json.optionalString(username)
                json.key("action")
                json.string(action)
                json.key("subject")
                json.string(subject)
                json.key("detail")
                if let detail { json.raw(Array(detail.utf8)) } else { json.null() }
            }
        }
    }

    /// Lines with ids up to `last`, newest first.
    static func entries(to last: Int64, limit: Int, in read: some Transaction) throws -> [Entry] {
        try read.rows(
            """
            SELECT id, at, username, action, subject, detail FROM audit
            WHERE id <= \(last) ORDER BY id DESC LIMIT \(limit)
            """
        ) {
            Entry(
                id: $0.int64(0), at: $0.timestamp(1), username: $0.optionalText(2), action: $0.text(3),
                subject: $0.text(4), detail: $0.optionalText(5))
        }
    }
}
