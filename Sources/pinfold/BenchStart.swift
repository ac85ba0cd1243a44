import Foundation

/// From the start of the process to the first 200 of `/ready`, with the gazetteer loaded before, and the memory it takes.
@Sendable func measureStart(_ bench: Bench) throws -> [Figure] {
    // Once without a clock, so that the folder is made and the gazetteer loaded.
    try BenchServer.pinfold(bench, data: bench.places).process.stop()
    var times: [Double] = []
    var idle: [Double] = []
    var busy: [Double] = []
    for _ in 0..<10 {
        let begin = Clock.monotonic()
        let server = try BenchServer.pinfold(bench, data: bench.places, patience: 30)
        times.append((Clock.monotonic() - begin) * 1000)
        usleep(300_000)
        idle.append(server.process.residentMegabytes ?? .nan)
        if busy.count < 3 {
            try ask(server)
            busy.append(server.process.residentMegabytes ?? .nan)
        }
        server.process.stop()
    }
    return [
        Figure(name: "start to ready", value: median(times), unit: "ms", goal: .below(150)),
        Figure(name: "resident, idle", value: median(idle), unit: "MB", goal: .below(100)),
        Figure(name: "resident, after 1000 requests", value: median(busy), unit: "MB", goal: .below(100)),
    ]
}

private func ask(_ server: BenchServer) throws {
    let client = BenchClient(port: server.port)
    for index in 0..<1000 {
        let latitude = 36 + Double(index % 300) / 10
        let longitude = -9 + Double(index * 7 % 390) / 10
        let target =
            switch index % 4 {
            case 0: "/ready"
            case 1: "/health"
            default: "/v1/places/reverse?lat=\(latitude)&lon=\(longitude)"
            }
        guard client?.get(target)?.status == 200 else { throw CommandFailure("no answer to \(target)") }
    }
}
