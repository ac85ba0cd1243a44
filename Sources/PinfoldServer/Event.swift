import SocialModel
import Storage

/// One row of the event log: that something changed and for whom, never what it changed to.
enum Event {
    case accountCreated(Identifier<User>)
    case accountRemoved(Identifier<User>)
    case profileChanged(Identifier<User>)
    /// Whom a pin reached before and reaches now; nil is a pin that does not exist.
    case pin(Identifier<Pin>, owner: Identifier<User>, before: Pin.Audience?, after: Pin.Audience?)
    /// Somebody came into a circle, or went; told in the member's topic.
    case circleJoined(Identifier<Circle>, member: Identifier<User>)
    case circleLeft(Identifier<Circle>, member: Identifier<User>)
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
        case .pin(let pin, let owner, let before, let after):
            try logRow("pin", owner, pin.rawValue, before: before, after: after)
        case .circleJoined(let circle, let member): try logRow("circleJoined", member, circle.rawValue)
        case .circleLeft(let circle, let member): try logRow("circleLeft", member, circle.rawValue)
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

    private func logRow(
        _ kind: String, _ account: Identifier<User>, _ subject: Int64? = nil, before: Pin.Audience? = nil,
        after: Pin.Audience? = nil
    ) throws {
        try run(
            """
            INSERT INTO event (at, kind, accountId, subjectId, audienceBefore, audienceAfter)
            VALUES (\(now), \(kind), \(account), \(subject), \(before?.code), \(after?.code))
            """)
    }
}
