import Glibc
import Testing
@testable import HTTP
@Test func manualServe() async throws {
    guard let p = getenv("MANUAL") else { return }
    let t = try TestServer(
        { $0.port = UInt16(String(cString: p)) ?? 0 },
        routes: { r in
            r.post(
                "/v1/sessions",
                .immediate { req in
                    guard req.body.last == UInt8(ascii: "}") else { throw HTTPError.malformed("json") }
                    throw HTTPError.unauthorized("no")
                })
            r.get(
                "/slow",
                .deferred { _, c in
                    _ = startThread {
                        sleep(1); c(.success(.text("slow")))
                    }
                })
        })
    try await onThread { while access("/tmp/http-manual-stop", F_OK) != 0 { usleep(100_000) } }
    withExtendedLifetime(t) {}
}
