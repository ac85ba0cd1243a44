import Foundation
import Testing

@Suite(.ownThreads) struct OperationTests {
    @Test func `metrics are OpenMetrics and count what was asked`() throws {
        let server = try RunningServer(DataFolder())
        let ana = try server.signUp("ana")
        for name in ["one", "two", "three"] { _ = try ana.dropPin(name) }
        _ = try ana.send("GET", "/v1/pins?near=44.9,-93.1")
        _ = try ana.send("GET", "/v1/pins/12345")
        _ = try server.stranger.send("GET", "/v1/me")
        _ = try server.stranger.send("BREW", "/nowhere/\(UUID().uuidString)")
        let expected = [
            #"{method="POST",route="/v1/pins",status="201"}"#: 3.0,
            #"{method="GET",route="/v1/pins",status="200"}"#: 1,
            #"{method="GET",route="/v1/pins/:pinId",status="404"}"#: 1,
            #"{method="GET",route="/v1/me",status="401"}"#: 1,
            #"{method="POST",route="/v1/users",status="201"}"#: 1,
        ]
        // A request is counted when its answer has been sent.
        let metrics = try eventually("the requests to be counted") {
            let answer = try server.stranger.send("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(
                answer.header("Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8")
            let metrics = try OpenMetrics(answer.text)
            return expected.allSatisfy { metrics.samples["pinfold_http_requests_total" + $0.key] == $0.value }
                ? metrics : nil
        }
        #expect(metrics.samples["pinfold_database_writes_total"].map { $0 >= 4 } == true)
        #expect(
            metrics.samples[#"pinfold_http_request_duration_seconds_count{route="/v1/pins"}"#] == 4)
        #expect(metrics.samples["process_resident_memory_bytes"].map { $0 > 1e6 } == true)
        try server.stop()
    }

    @Test func `health and readiness`() throws {
        let server = try RunningServer(DataFolder())
        for path in ["/health", "/ready"] {
            #expect(try server.stranger.send("GET", path).status == 200)
        }
        try server.stop()
    }

    @Test func `the log has a line for each request and no secret`() throws {
        let server = try RunningServer(DataFolder())
        let stranger = server.stranger
        var answers: [Answer] = []
        func send(_ client: Client, _ method: String, _ target: String, _ json: String? = nil) throws -> Answer {
            let answer = try client.send(method, target, json: json)
            answers.append(answer)
            return answer
        }
        let up = try send(
            stranger, "POST", "/v1/users",
            """
            {"username": "ana", "email": "ana.secret@example.org", "password": "first secret",
            "phone": "+1-651-555-0199"}
            """
        ).decoded(SignedIn.self)
        let signedIn = try send(
            stranger, "POST", "/v1/sessions", #"{"login": "ana.secret@example.org", "password": "first secret"}"#
        ).decoded(SignedIn.self)
        _ = try send(stranger, "POST", "/v1/sessions", #"{"login": "mistyped-secret", "password": "wrong secret"}"#)
        let renewed = try send(
            stranger, "POST", "/v1/sessions/refresh", #"{"refreshToken": "\#(signedIn.refreshToken)"}"#
        ).decoded(SignedIn.self)
        let ana = Client(port: server.port, token: renewed.accessToken)
        _ = try send(
            ana, "POST", "/v1/pins",
            #"{"latitude": 44.9551, "longitude": -93.1022, "name": "secret name", "comment": "secret comment"}"#)
        _ = try send(ana, "POST", "/v1/pins", #"{"latitude": 444.9551, "name": "secret fault"}"#)
        _ = try send(ana, "GET", "/v1/pins?q=secretquery&near=44.9551,-93.1022")
        _ = try send(ana, "GET", "/v1/pins?nosuchparameter=secretvalue")
        _ = try send(stranger, "GET", "/v1/me?access_token=\(renewed.accessToken)")
        _ = try send(stranger, "GET", "/nowhere?secretquery")
        _ = try send(stranger, "POST", "/v1/password-resets/secret-token", #"{"password": "third secret"}"#)
        _ = try send(stranger, "GET", "/v1/password-resets/secret-token/")
        _ = try send(stranger, "POST", "/v1/password-resets", #"{"email": "ana.secret@example.org"}"#)
        _ = try send(
            ana, "PUT", "/v1/me/password", #"{"current": "first secret", "new": "second secret"}"#)
        // Refused before there is a request to speak of.
        let broken = try Connection(port: server.port)
        try broken.send("GET /?secretquery HTTP/1.1\r\nHost: a\r\nBad Header secret: 1\r\n\r\n")
        answers.append(try broken.answer())
        #expect(answers.map(\.status) == [201, 201, 401, 200, 201, 400, 200, 400, 401, 404, 404, 404, 202, 204, 400])
        try server.stop()

        let lines = try server.log.filter { $0.method != nil }
        let logged = Dictionary(grouping: lines) { $0.request ?? "" }
        for answer in answers {
            let id = try #require(answer.header("X-Request-Id"))
            #expect(logged[id]?.map(\.status) == [answer.status], "request \(id)")
        }
        #expect(lines.count == answers.count)
        #expect(Set(lines.compactMap(\.request)).count == lines.count)
        #expect(lines.contains { $0.path == "/v1/pins" })

        let log = server.process.error + server.process.output
        let secrets =
            ["secret", "651-555", "44.9551", "nosuchparameter"]
            + [up, signedIn, renewed].flatMap { [$0.accessToken, $0.refreshToken] }
        for secret in secrets { #expect(!log.contains(secret), "\(secret) is in the log") }
    }
}

/// An exposition, checked against OpenMetrics 1.0.
private struct OpenMetrics {
    /// By name and labels, as written.
    var samples: [String: Double] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n# EOF\n") else { throw Failure("the metrics do not end in # EOF") }
        var types: [String: String] = [:]
        var family = ""
        var last: (series: String, bound: Double, count: Double)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2) {
            if let match = line.wholeMatch(of: /# (TYPE|UNIT|HELP) ([a-z_:][a-z0-9_:]*) (.+)/) {
                let name = String(match.2)
                switch match.1 {
                case "TYPE":
                    guard types[name] == nil else { throw Failure("\(name) is interleaved or typed twice") }
                    guard ["counter", "gauge", "histogram"].contains(match.3) else { throw Failure("\(line)") }
                    types[name] = String(match.3)
                    family = name
                case "UNIT": guard name.hasSuffix("_\(match.3)") else { throw Failure("\(line): no such suffix") }
                default: break
                }
                guard name == family else { throw Failure("\(line) stands in \(family)") }
                continue
            }
            let sample = /([a-z_:][a-z0-9_:]*)(\{(?:[a-z_]+="(?:[^"\\]|\\.)*"(?:,(?=[a-z]))?)+\})? (\S+)/
            guard let match = line.wholeMatch(of: sample), let value = Double(String(match.3)), value.isFinite else {
                throw Failure("no sample: \(line)")
            }
            let suffix = String(match.1.dropFirst(family.count))
            let suffixes = ["counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]]
            guard match.1.hasPrefix(family), let type = types[family], suffixes[type]?.contains(suffix) == true else {
                throw Failure("\(line) has no TYPE line, or one of another kind than its name: \(family)")
            }
            let series = "\(match.1)\(match.2 ?? "")"
            guard samples.updateValue(value, forKey: series) == nil else { throw Failure("\(series) stands twice") }
            guard type == "gauge" || value >= 0 else { throw Failure("\(line) is negative") }
            if suffix == "_bucket" {
                guard let le = series.firstMatch(of: /,?le="([^"]+)"/),
                    let bound = Double(le.1.replacing("+Inf", with: "inf"))
                else { throw Failure("\(line) has no bound") }
                let name = series.replacing(le.0, with: "")
                if let last, last.series == name, last.bound >= bound || last.count > value {
                    throw Failure("\(line): buckets do not grow")
                }
                last = (name, bound, value)
            } else if suffix == "_count" {
                guard let last, last.bound == .infinity, last.count == value else {
                    throw Failure("\(line) is not what its +Inf bucket counts")
                }
            }
        }
    }
}
