import Foundation
import Testing

@Suite struct StoppingTests {
    @Test(arguments: [SIGTERM, SIGINT]) func `a signal drains`(signal: Int32) throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder)
        let ana = try server.signUp("ana")

        // Two requests under way: one whose body is awaited, one that has begun to send it.
        let json = #"{"latitude": 44.9551, "longitude": -93.1022, "name": "drained"}"#
        let asking = try Connection(port: server.port)
        let whole = ana.request("POST", "/v1/pins", headers: ["Expect: 100-continue"], json: json)
        try asking.send(String(whole.dropLast(json.count)))
        #expect(String(decoding: try asking.receive(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
        let sending = try Connection(port: server.port)
        try sending.send(String(ana.request("POST", "/v1/pins", json: json).dropLast(10)))
        // A third, for nothing: a connection that has never asked must not hold the end up.
        let idle = try Connection(port: server.port)

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
