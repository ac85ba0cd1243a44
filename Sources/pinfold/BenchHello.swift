/// The smallest answer, access log and all, against nginx serving a file of the same size.
@Sendable func measureHello(_ bench: Bench) throws -> [Figure] {
    let pinfold = try BenchServer.pinfold(bench, data: bench.places)
    let body = try pinfold.get("/health")
    let nginx = try BenchServer.nginx(bench, file: body)
    let costs = try Load.compare(
        bench, [Load(server: pinfold, target: "/health"), Load(server: nginx, target: "/hello")], rounds: 7)
    return [
        Figure(
            name: "hello", value: costs[0], unit: "µs CPU", reference: "nginx", referenceValue: costs[1],
            goal: .ratioAtMost(1.2))
    ]
}
