@testable import PinfoldServer

/// Somebody's device: it does what the contract tells clients to do, and checks each event against the model.
final class LiveDevice {
    let viewer: Int64
    private let token: String
    private let service: LiveService
    private let http: HTTPSocket
    private(set) var pins: [Int64: String] = [:]
    private var cursor: String?
    private var socket: LiveSocket?
    /// Where in the log the last event was; the next one is further.
    private var last: (position: Int64, id: Int64) = (0, 0)
    /// The way that the last event was on, and the pins that it has told of.
    private var way: (start: Int64, told: Set<Int64>) = (-1, [])
    private(set) var events = 0
    private(set) var closes = 0

    var isConnected: Bool { socket != nil }

    init(viewer: Int64, token: String, service: LiveService, http: HTTPSocket) {
        self.viewer = viewer
        self.token = token
        self.service = service
        self.http = http
    }

    /// Comes back where it was; a new one asks for everything first.
    func connect(_ model: LiveModel, asksFirst: Bool) throws {
        if cursor == nil || asksFirst {
            cursor = try follow(since: cursor, limit: 3, model)
            guard case .at(let place)? = try cursor.map({ try service.app.logCursors.open($0, field: "") }) else {
                throw LiveFailure("the last page's cursor is within a way")
            }
            if last < (place, 0) { last = (place, 0) }
        }
        let socket = try service.connect(token: token, after: cursor)
        guard socket.status == 101 else { throw LiveFailure("connecting: \(socket.status) \(socket.refusal)") }
        self.socket = socket
    }

    /// Whatever was not read is lost with the connection.
    func cut() {
        socket?.cut()
        socket = nil
    }

    /// Deals with what has come, at most `limit` messages.
    func read(_ limit: Int, _ model: LiveModel) throws {
        var count = 0
        while count < limit, let message = try socket?.next(wait: 0) {
            try take(message, model)
            count += 1
        }
    }

    /// Deals with what comes until a pin of that id has.
    func read(untilPin id: Int64, _ model: LiveModel) throws {
        while pins[id] == nil {
            guard let socket else {
                try connect(model, asksFirst: false)
                continue
            }
            guard let message = try socket.next() else {
                throw LiveFailure("pin \(id) never came to \(viewer), log at \(model.end), last event at \(last)")
            }
            try take(message, model)
        }
    }

    /// Whether the server ends its connection because the session has ended.
    func expectSessionEnd(_ model: LiveModel) throws {
        guard let socket else { return }
        let code = try socket.closeCode()
        // 4408: it had not read for too long.
        guard code == 4401 || code == 4408 else { throw LiveFailure("closed with \(code), not as a session's end") }
    }

    private func take(_ message: LiveSocket.Message, _ model: LiveModel) throws {
        switch message {
        case .text(let event): try take(event, model)
        case .close(let code, let reason):
            guard code == 4408 else { throw LiveFailure("closed with \(code) \(reason)") }
            fallthrough
        case .end:
            closes += 1
            socket = nil
        }
    }

    private func take(_ event: JSON, _ model: LiveModel) throws {
        func fail(_ what: String) -> LiveFailure {
            LiveFailure("viewer \(viewer), log at \(model.end), \(what): \(event)")
        }
        guard let type = event["type"]?.text else { throw fail("no type") }
        guard type != "presence" else { return }
        guard let text = event["cursor"]?.text,
            case .between(let start, let target, let position, let id) = try service.app.logCursors.open(
                text, field: "")
        else { throw fail("no cursor of an event") }
        events += 1
        guard (position, id) > last else { throw fail("behind \(last)") }
        guard start < position, position <= target, target <= model.end else { throw fail("not on its way") }
        last = (position, id)
        if way.start != start { way = (start, []) }
        switch type {
        case "pin.created", "pin.updated":
            let pin = try identifier(event["pin"]?["id"])
            guard way.told.insert(pin).inserted else { throw fail("told twice") }
            guard let version = event["pin"]?["name"]?.text,
                model.couldSee(pin, viewer, version: version, from: position, to: model.end)
            else { throw fail("this was not visible then") }
            pins[pin] = version
        case "pin.removed":
            let pin = try identifier(event["id"])
            guard way.told.insert(pin).inserted else { throw fail("told twice") }
            guard model.couldSee(pin, viewer, from: start, to: model.end) else { throw fail("it never was visible") }
            pins[pin] = nil
        case "friend.removed":
            let friend = try identifier(event["user"]?["id"])
            pins = pins.filter { pin in model.owner(of: pin.key) != friend }
        case "friend.added": _ = try follow(since: cursor, limit: 500, model)
        case "friendRequest.created", "friendRequest.accepted", "profile.updated": break
        default: throw fail("unexpected")
        }
        cursor = text
    }

    private func identifier(_ json: JSON?) throws -> Int64 {
        guard let id = json?.text.flatMap({ Int64($0) }) else { throw LiveFailure("no id") }
        return id
    }

    /// - Returns: the cursor of the last page.
    private func follow(since first: String?, limit: Int, _ model: LiveModel) throws -> String? {
        var cursor = first
        while true {
            let from = try cursor.map { try service.app.logCursors.open($0, field: "").start } ?? 0
            let query = "?limit=\(limit)" + (cursor.map { "&since=\($0)" } ?? "")
            let page = try http.send("GET", "/v1/pins/changes\(query)", token: token, expect: 200)
            for pin in page["changed"]?.elements ?? [] {
                let id = try identifier(pin["id"])
                guard let version = pin["name"]?.text, model.visible(to: viewer)[id] == version else {
                    throw LiveFailure("changes tell \(viewer) what is not visible: \(pin)")
                }
                pins[id] = version
            }
            for removed in page["removed"]?.elements ?? [] {
                let id = try identifier(removed)
                guard model.couldSee(id, viewer, from: from, to: model.end) else {
                    throw LiveFailure("changes tell \(viewer) of \(id), which never was visible")
                }
                pins[id] = nil
            }
            cursor = page["cursor"]?.text
            if page["more"] == false { return cursor }
        }
    }
}
