/// The smallest answer, access log and all, against nginx serving a file of the same size.
@Sendable func measureHello(_ bench: Bench) throws -> [Figure] {
    let pinfold = try BenchServer.pinfold(bench, data: bench.places)
    let body = try pinfold.get("/health")
    let nginx = try BenchServer.nginx(bench, file: body, bufferedLog: true)
    let unbuffered = try BenchServer.nginx(bench, file: body, bufferedLog: false)
    let costs = try Load.compare(
        bench,
        [
            Load(server: pinfold, target: "/health"), Load(server: nginx, target: "/hello"),
            Load(server: unbuffered, target: "/hello"),
        ])
    return [
        Figure(
            name: "hello", value: costs[0], unit: "µs CPU", reference: "nginx, buffered log",
            referenceValue: costs[1], goal: .ratioAtMost(1.2)),
        Figure(
            name: "hello, log by line", value: costs[0], unit: "µs CPU", reference: "nginx, a write for each line",
            referenceValue: costs[2]),
    ]
}
