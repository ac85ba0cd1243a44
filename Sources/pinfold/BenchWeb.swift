import Foundation
import PinfoldServer
import Storage
import WebDriver

/// The web client in a real browser: until the first map can be used, how smoothly it moves with thousands of pins beside
/// an empty MapLibre map, and how soon a friend's pin is on it. The browser draws without a graphics card.
@Sendable func measureWeb(_ bench: Bench) throws -> [Figure] {
    let world = BenchWebWorld()
    let folder = try DataFolder(bench.temporary("web"))
    // The gazetteer is loaded once for all benchmarks.
    try DataFolder(bench.places).loadGazetteer(nil)
    try FileManager.default.linkItem(atPath: DataFolder(bench.places).places, toPath: folder.places)
    let pool = try folder.openDatabase()
    try world.store(in: pool)
    pool.close()
    do {
        let web = BenchWeb(
            bench: bench, world: world, server: try .pinfold(bench, data: folder.path), driver: try ChromeDriver())
        defer { web.server.process.stop() }
        try world.drop(at: web.server)
        bench.say("first maps")
        var figures = try web.firstMaps()
        bench.say("moving maps")
        figures += try web.frames()
        bench.say("\(BenchWeb.livePins) pins of a friend")
        figures += try web.live()
        return figures
    } catch let error as WebDriverError {
        throw CommandFailure(error.description)
    }
}

/// The measurements, on one server.
struct BenchWeb {
    let bench: Bench
    let world: BenchWebWorld
    let server: BenchServer
    let driver: ChromeDriver

    static let livePins = 40
    private static let loads = 7
    private static let drags = 5

    // MARK: Until the first map can be used

    func firstMaps() throws -> [Figure] {
        var times: [Double] = []
        var sizes: [Double] = []
        for _ in 0..<Self.loads {
            let browser = try Browser(driver)
            defer { browser.close() }
            try signIn(browser, world.newcomer)
            try watch(browser)
            try browser.open(server.url + "/")
            let ready = try browser.wait(for: "first map", script: "return window.bench?.ready")
            times.append(ready.number ?? .infinity)
            sizes.append(try browser.run(Self.transferred).number ?? .infinity)
        }
        return [
            Figure(
                name: "first map can be used, cold, median of \(Self.loads)", value: median(times), unit: "ms",
                goal: .atMost(1500)),
            Figure(
                name: "transferred by the page until then, without MapLibre and tiles", value: median(sizes) / 1000,
                unit: "KB", goal: .atMost(150)),
        ]
    }

    /// Notes when tabs, search box, list and a drawn map are there and the page is free to answer: a frame has passed.
    private func watch(_ browser: Browser) throws {
        try browser.devTools("Page.enable")
        try browser.devTools(
            "Page.addScriptToEvaluateOnNewDocument",
            [
                "source": """
                window.bench = {map: null, ready: null, seen: {}};
                const look = () => {
                  bench.map ??= document.querySelector(".map-canvas")?.map ?? null;
                  const isReady = bench.map?.loaded() && document.querySelector("#tabs a") &&
                    document.querySelector("#search") && document.querySelector(".pin-list .pin-name");
                  if (isReady) requestAnimationFrame(() => { bench.ready = performance.now(); });
                  else requestAnimationFrame(look);
                };
                requestAnimationFrame(look);
                """
            ])
    }

    private static let transferred = """
        const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
        return entries.filter(({name}) => !/\\/maplibre\\/|\\/tiles/.test(new URL(name).pathname))
          .reduce((sum, {transferSize}) => sum + transferSize, 0);
        """

    // MARK: Frames a second while the map is dragged

    func frames() throws -> [Figure] {
        let browser = try Browser(driver)
        defer { browser.close() }
        try signIn(browser, world.traveller)
        try watch(browser)
        let place = "\(BenchWebWorld.middle.0)/\(BenchWebWorld.middle.1)"
        var full: [Double] = []
        var empty: [Double] = []
        for round in 0..<2 {
            // In turns, so that a disturbance meets both.
            try browser.open("\(server.url)/?\(round)#map=11/\(place)")
            _ = try browser.wait(for: "map of pins", within: .seconds(60), script: "return window.bench?.ready")
            let drawn = try browser.wait(
                for: "drawn pins",
                script: """
                    return bench.map.queryRenderedFeatures().filter(({source}) => source === "pins").length;
                    """)
            bench.say("\(Int(drawn.number ?? 0)) pins and clusters are drawn")
            for _ in 0..<Self.drags { full.append(try drag(browser, ".map-canvas canvas")) }
            try showEmptyMap(browser)
            for _ in 0..<Self.drags { empty.append(try drag(browser, "#empty canvas")) }
        }
        return [
            Figure(
                name: "map with \(world.travellerPins) visible pins, dragged", value: median(full), unit: "frames/s",
                reference: "an empty MapLibre map", referenceValue: median(empty), goal: .atLeast(30))
        ]
    }

    /// Drags the map about for a second.
    ///
    /// - Returns: frames a second.
    private func drag(_ browser: Browser, _ map: String) throws -> Double {
        let frame = try browser.element(map).frame
        try browser.run(
            """
            window.ticks = [];
            const tick = time => { ticks.push(time); window.ticking = requestAnimationFrame(tick); };
            window.ticking = requestAnimationFrame(tick);
            """)
        let (x, y) = (frame.x + frame.width * 0.65, frame.y + frame.height * 0.6)
        try browser.drag(fromX: x, y: y, byX: -250, y: -120, milliseconds: 500)
        try browser.drag(fromX: x - 250, y: y - 120, byX: 250, y: 120, milliseconds: 500)
        let ticks = try browser.run("cancelAnimationFrame(window.ticking); return window.ticks").elements
        guard let first = ticks.first?.number, let last = ticks.last?.number, last > first else { return 0 }
        return Double(ticks.count - 1) / (last - first) * 1000
    }

    /// The same library with nothing to draw, in the same window and of the same size.
    private func showEmptyMap(_ browser: Browser) throws {
        _ = try browser.run(
            """
            const frame = document.querySelector(".map-canvas").getBoundingClientRect();
            const place = document.createElement("div");
            place.id = "empty";
            place.style.cssText = `position: fixed; z-index: 1000; left: ${frame.x}px; top: ${frame.y}px; ` +
              `width: ${frame.width}px; height: ${frame.height}px`;
            bench.map.remove();
            document.body.append(place);
            const map = new maplibregl.Map({container: place, center: [0, 0], zoom: 11, attributionControl: false,
              style: {version: 8, sources: {}, layers: [{id: "ground", type: "background",
                paint: {"background-color": "#dde"}}]}});
            return new Promise(resolve => map.once("load", () => resolve(true)));
            """)
    }

    // MARK: A friend's pin on the open map

    /// From the answer to the friend's save, heard by this process, to the frame after the map has drawn the pin and the
    /// list has it. Both have the same clock.
    func live() throws -> [Figure] {
        let browser = try Browser(driver)
        defer { browser.close() }
        try signIn(browser, world.newcomer)
        try watch(browser)
        try browser.open("\(server.url)/#map=15/\(BenchWebWorld.middle.0)/\(BenchWebWorld.middle.1)")
        // So near there may be no pin yet.
        _ = try browser.wait(for: "map", script: "return window.bench?.map?.loaded() ? true : null")
        try browser.run(
            """
            bench.map.on("render", () => {
              for (const {properties} of bench.map.queryRenderedFeatures()) {
                if (properties.id && !bench.seen[properties.id] &&
                  document.querySelector(`.pin-list a[href="/p/${properties.id}"]`)) {
                  bench.seen[properties.id] = Date.now();
                }
              }
            });
            """)
        let client = try Poster(server, token: world.token(world.friend))
        var delays: [Double] = []
        for index in 0..<Self.livePins {
            let (id, answered) = try client.drop(
                BenchWebWorld.middle.0 + Double(index % 7 - 3) / 2000,
                BenchWebWorld.middle.1 + Double(index / 7 - 3) / 2000)
            let seen = try browser.wait(for: "pin on the map", script: "return bench.seen[arguments[0]]", .string(id))
            delays.append((seen.number ?? .infinity) - answered)
        }
        let sorted = delays.sorted()
        return [
            Figure(
                name: "a friend's pin is on the map and in the list, median", value: median(delays), unit: "ms",
                goal: .atMost(300)),
            Figure(
                name: "the same, the 19th of 20", value: sorted[sorted.count * 19 / 20], unit: "ms",
                goal: .atMost(300)),
        ]
    }

    /// Drops pins as a friend does, elsewhere.
    private struct Poster {
        let client: BenchClient
        let token: String

        init(_ server: BenchServer, token: String) throws {
            guard let client = BenchClient(port: server.port) else { throw CommandFailure("the server is gone") }
            self.client = client
            self.token = token
        }

        /// - Returns: the pin's id, and when the answer was heard, in milliseconds since 1970.
        func drop(_ latitude: Double, _ longitude: Double) throws -> (String, Double) {
            let answer = client.post(
                "/v1/pins", headers: ["Authorization: Bearer \(token)"],
                "{\"latitude\": \(latitude), \"longitude\": \(longitude), \"name\": \"Live\"}")
            let answered = Date().timeIntervalSince1970 * 1000
            guard let answer, answer.status == 201,
                let id = try JSONDecoder().decode(JSON.self, from: Data(answer.body))["id"]?.text
            else {
                throw CommandFailure(
                    "a pin is refused: \(answer.map { String(decoding: $0.body, as: UTF8.self) } ?? "")")
            }
            return (id, answered)
        }
    }

    private func signIn(_ browser: Browser, _ account: Int64) throws {
        try browser.open(server.url + "/docs")
        try browser.devTools(
            "Network.setCookie",
            [
                "name": "pinfold_access", "value": .string(world.token(account)), "url": .string(server.url),
                "httpOnly": true, "sameSite": "Strict",
            ])
        try browser.run("localStorage.setItem('pinfold.session', 'bench')")
    }
}
