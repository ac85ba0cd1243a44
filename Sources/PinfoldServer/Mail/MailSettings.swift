/// Who mail is from, and how it leaves.
package struct MailSettings: Sendable {
    /// The way out.
    package enum Way: Sendable {
        case smtp(SMTPServer)
        /// Files in a folder, for whoever runs the server to see to.
        case outbox(Outbox)
    }

    package let sender: MailAddress
    package let way: Way

    package init(sender: MailAddress, way: Way) {
        self.sender = sender
        self.way = way
    }

    /// Files in `folder`.
    ///
    /// - Parameter sender: nil for one that nobody answers to.
    package init(sender: MailAddress? = nil, outbox folder: String) {
        self.init(sender: sender ?? Self.nobody, way: .outbox(Outbox(folder: folder)))
    }

    private static let nobody = MailAddress("pinfold@localhost")!  // it has the form of one
}

/// A message that did not get out.
struct MailFailure: Error, Sendable {
    /// What went wrong, without an address or anything that a server answered: it goes to the log.
    let reason: String
    /// There is no use in trying again.
    let isFinal: Bool
}
