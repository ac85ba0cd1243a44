import Foundation
import Testing

@Suite(.ownThreads) struct StoppingTests {
    @Test(arguments: [SIGTERM, SIGINT]) func `a signal drains`(signal: Int32) throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder)
        let ana = try server.signUp("ana")

        // Two requests under way, of which the server has the head, as its asking for the body shows: one without any
        // of the body, one with most of it.
        let json = #"{"latitude": 44.9551, "longitude": -93.1022, "name": "drained"}"#
        let head = ana.request("POST", "/v1/pins", headers: ["Expect: 100-continue"], json: json).dropLast(json.count)
        let asking = try Connection(port: server.port)
        let sending = try Connection(port: server.port)
        for connection in [asking, sending] {
            try connection.send(String(head))
            #expect(String(decoding: try connection.receive(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
        }
        try sending.send(String(json.dropLast(10)))
        // And one that has had its answer, which must not hold the end up.
        let idle = try Connection(port: server.port)
        try idle.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        var health: [UInt8] = []
        while Answer(health) == nil {
            let more = try idle.receive()
            guard !more.isEmpty else { throw Failure("no answer") }
            health += more
        }

        server.process.send(signal)
        _ = try eventually("the server to take no more connections") {
            (try? Connection(port: server.port)) == nil ? true : nil
        }
        #expect(server.process.ending == nil)
        try asking.send(json)
        try sending.send(String(json.suffix(10)))
        let answers = [try asking.answer(), try sending.answer()]
        #expect(answers.map(\.status) == [201, 201])
        #expect(answers.allSatisfy { $0.header("Connection") == "close" })
        #expect(try idle.receive().isEmpty)
        #expect(try server.process.wait() == .exit(0), "\(server.process.error)")
        #expect(folder.isClosed)
        let log = try server.log
        #expect(log.first?.message == "listening")
        #expect(log.contains { $0.message == "stopping" })
        #expect(log.allSatisfy { $0.level == "info" })

        let second = try RunningServer(folder)
        let again = Client(port: second.port, token: ana.token)
        #expect(try again.pins().map(\.name) == ["drained", "drained"])
        try second.stop()
        #expect(folder.isClosed)
    }
}
