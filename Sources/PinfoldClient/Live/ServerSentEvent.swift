/// One event of an event stream.
struct ServerSentEvent: Hashable, Sendable {
    /// `message` unless the stream names another.
    var type: String
    var data: String
    /// The last `id` that the stream has given, with this event or before; empty if none.
    var id: String
}
