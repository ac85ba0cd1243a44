import SocialModel

/// What one live connection is told, up to a place in the log.
struct LiveBacklog {
    enum What {
        /// Visible, and new to the viewer or not.
        case pin(Pin, isNew: Bool)
        case removed(Identifier<Pin>)
        case entry(LogEntry)
    }

    struct Item {
        let what: What
        /// When it happened, milliseconds since 1970.
        let at: Int64
        /// Where to go on behind it.
        let cursor: LogCursor
    }

    let items: [Item]
    /// Where to go on behind all of them.
    let end: LogCursor
    /// Whether that is the end of the log.
    let isAll: Bool
}
