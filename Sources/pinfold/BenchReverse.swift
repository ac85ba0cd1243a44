/// Names for positions all over Europe and the United States.
@Sendable func measureReverse(_ bench: Bench) throws -> [Figure] {
    let pinfold = try BenchServer.pinfold(bench, data: bench.places)
    _ = try pinfold.get("/v1/places/reverse?lat=44.9551&lon=-93.1022")
    let costs = try Load.compare(
        bench,
        [
            Load(server: pinfold, target: "/v1/places/reverse?lat=0&lon=0", script: randomPoints),
            Load(server: pinfold, target: "/health"),
        ])
    return [
        Figure(
            name: "reverse", value: costs[0], unit: "µs CPU", reference: "hello", referenceValue: costs[1],
            goal: .atMost(35))
    ]
}

private let randomPoints = """
    local threads = 0
    function setup(thread)
        threads = threads + 1
        thread:set("seed", threads)
    end
    function init(args)
        math.randomseed(seed)
    end
    function request()
        local lat, lon
        if math.random() < 0.5 then
            lat, lon = 36 + 30 * math.random(), -9 + 39 * math.random()
        else
            lat, lon = 26 + 23 * math.random(), -124 + 57 * math.random()
        end
        return wrk.format("GET", string.format("/v1/places/reverse?lat=%.6f&lon=%.6f", lat, lon))
    end
    """
