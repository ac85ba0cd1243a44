import Foundation
import HTTP
import Synchronization

/// The structured log: one JSON object a line, on standard error or where the starter says.
///
/// Lines are gathered and written by a thread of its own, so that a request never waits for a terminal or a disk; what
/// is gathered is written at least every `interval` and when the log is closed. No line holds a token, a password, a
/// query or a body.
package final class Log: Sendable {
    private struct State {
        var lines: [UInt8] = []
        /// An empty buffer with room, which `lines` changes place with: growing anew ten times a second would cost a
        /// busy server more than the lines themselves.
        var spare: [UInt8] = []
        var lost = 0
        var isClosed = false
    }

    private static let interval: TimeInterval = 0.1
    /// When the reader of the log is that far behind, lines are counted instead of kept.
    private static let capacity = 4 << 20

    private let descriptor: Int32
    private let clock: @Sendable () -> Int64
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    /// - Parameter descriptor: where lines go; nil keeps silent.
    package init(descriptor: Int32?, clock: @escaping @Sendable () -> Int64) {
        self.descriptor = descriptor ?? -1
        self.clock = clock
        guard descriptor != nil else { return }
        let thread = Thread { [self] in
            while flush() { Thread.sleep(forTimeInterval: Self.interval) }
            done.signal()
        }
        thread.name = "log"
        thread.start()
    }

    package func info(_ message: String, _ fields: [String: String] = [:]) {
        write("info", message, fields)
    }

    package func error(_ message: String, request: String? = nil, _ fields: [String: String] = [:]) {
        var fields = fields
        fields["request"] = request
        write("error", message, fields)
    }

    /// The access log's line of one request.
    package func access(_ exchange: Exchange) {
        guard descriptor >= 0 else { return }
        var json = JSONWriter(capacity: 320)
        json.object { json in
            json.key("time")
            json.time(clock())
            json.key("level")
            json.string("info")
            json.key("request")
            json.string(exchange.requestID)
            json.key("method")
            json.string(exchange.method)
            json.key("path")
            json.string(LoggedPath.of(exchange.path))
            json.key("status")
            json.integer(Int64(exchange.status))
            json.key("bytes")
            json.integer(Int64(exchange.bytes))
            json.key("ms")
            json.thousandths((exchange.nanoseconds + 500) / 1000)
            json.key("address")
            json.string(exchange.address.description)
            if let agent = exchange.userAgent {
                json.key("agent")
                json.string(agent.utf8.count <= 200 ? agent : String(agent.unicodeScalars.prefix(200)))
            }
        }
        append(json.bytes)
    }

    /// Writes what is gathered; nothing is written afterwards.
    package func close() {
        guard descriptor >= 0, state.withLock({ !$0.isClosed }) else { return }
        state.withLock { $0.isClosed = true }
        done.wait()
    }

    private func write(_ level: String, _ message: String, _ fields: [String: String]) {
        guard descriptor >= 0 else { return }
        var json = JSONWriter()
        json.object { json in
            json.key("time")
            json.time(clock())
            json.key("level")
            json.string(level)
            json.key("message")
            json.string(message)
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                json.key(escaping: name)
                json.string(value)
            }
        }
        append(json.bytes)
    }

    private func append(_ line: [UInt8]) {
        state.withLock { state in
            guard state.lines.count < Self.capacity else {
                state.lost += 1
                return
            }
            state.lines.append(contentsOf: line)
            state.lines.append(UInt8(ascii: "\n"))
        }
    }

    /// - Returns: whether there is more to come.
    private func flush() -> Bool {
        var (lines, lost, isClosed) = state.withLock { state in
            defer { state.lost = 0 }
            swap(&state.lines, &state.spare)
            let taken = state.spare
            state.spare = []
            return (taken, state.lost, state.isClosed)
        }
        writeAll(lines)
        lines.removeAll(keepingCapacity: !lines.isEmpty)
        state.withLock { $0.spare = lines }
        if lost > 0 { error("log lines lost", ["count": String(lost)]) }
        return !isClosed
    }

    private func writeAll(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            var offset = 0
            while offset < buffer.count {
                let written = Foundation.write(descriptor, start + offset, buffer.count - offset)
                if written > 0 { offset += written } else if errno != EINTR { return }
            }
        }
    }
}
