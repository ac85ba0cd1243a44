/// Measures a client's messages against a rate (the generic cell rate algorithm): a window's worth may come at once, and
/// afterwards no more than time makes room for.
struct FloodGauge {
    struct Rate {
        let messages: Int
        let window: Duration
    }

    /// When the messages so far would end if they came evenly, in nanoseconds of the monotonic clock.
    private var end: Int64 = 0

    /// Counts a message, or a part of one; false if it is too much.
    mutating func charge(_ messages: Double, at now: Int64, _ rate: Rate) -> Bool {
        let window = rate.window.nanoseconds
        end = max(end, now) + Int64(Double(window) * messages / Double(max(1, rate.messages)))
        return end <= now + window
    }
}
