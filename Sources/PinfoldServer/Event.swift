import SocialModel
import Storage

/// One row of the event log: that something changed and for whom, never what it changed to. Rows of pins, of
/// the members of circles and of sessions are written by the schema's own triggers.
enum Event {
    case accountCreated(Identifier<User>)
    case accountRemoved(Identifier<User>)
    case profileChanged(Identifier<User>)
    case privacyChanged(Identifier<User>)
    case friendAdded(Identifier<User>, Identifier<User>)
    case friendRemoved(Identifier<User>, Identifier<User>)
    case blockAdded(Identifier<User>, Identifier<User>)
    case blockRemoved(Identifier<User>, Identifier<User>)
    case request(FriendRequest.Status, Identifier<FriendRequest>, from: Identifier<User>, to: Identifier<User>)
}

extension WriteTransaction {
    /// Adds the rows of `event`, in the transaction of the change that it tells of.
    func log(_ event: Event) throws {
        switch event {
        case .accountCreated(let account): try logRow("accountCreated", account)
        case .accountRemoved(let account): try logRow("accountRemoved", account)
        case .profileChanged(let account): try logRow("profile", account)
        case .privacyChanged(let account): try logRow("privacy", account)
        case .friendAdded(let a, let b): try logPair("friendAdded", a, b)
        case .friendRemoved(let a, let b): try logPair("friendRemoved", a, b)
        // A block is told to the blocker's own devices only.
        case .blockAdded(let blocker, let blocked): try logRow("blockAdded", blocker, blocked.rawValue)
        case .blockRemoved(let blocker, let blocked): try logRow("blockRemoved", blocker, blocked.rawValue)
        case .request(let status, let request, let from, let to):
            let kind =
                switch status {
                case .pending: "requestCreated"
                case .accepted: "requestAccepted"
                case .rejected: "requestRejected"
                case .cancelled: "requestCancelled"
                }
            try logRow(kind, from, request.rawValue)
            try logRow(kind, to, request.rawValue)
        }
    }

    /// The same event in the topics of both ends.
    private func logPair(_ kind: String, _ a: Identifier<User>, _ b: Identifier<User>) throws {
        try logRow(kind, a, b.rawValue)
        try logRow(kind, b, a.rawValue)
    }

    private func logRow(_ kind: String, _ account: Identifier<User>, _ subject: Int64? = nil) throws {
        try run(
            "INSERT INTO event (at, kind, accountId, subjectId) VALUES (\(now), \(kind), \(account), \(subject))")
    }
}
