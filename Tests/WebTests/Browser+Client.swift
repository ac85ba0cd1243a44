import Foundation
import WebDriver

/// What people do in the web client, by the words that they read there.
extension Browser {
    /// Opens the client signed in, as it is after `person` has signed in by its form.
    func open(_ app: ServedApp, as person: Person, _ path: String = "/") throws {
        try signIn(app, person)
        try open(app.origin + path)
        try waitForStart()
    }

    /// Waits until the client has started and somebody is signed in.
    func waitForStart() throws {
        try element("#tabs a[aria-current=page]")
        try wait(for: "end of the start", script: "return !document.getElementById('start')")
    }

    /// Gets the cookies of a session, by a page that is not the client's.
    func signIn(_ app: ServedApp, _ person: Person) throws {
        try open(app.origin + "/docs")
        let status = try run(
            """
            const [login, password] = arguments;
            return fetch("/v1/sessions", {method: "POST", headers: {"Content-Type": "application/json"},
              body: JSON.stringify({login, password, cookie: true})}).then(response => response.status);
            """, .string(person.username), .string(person.password))
        try run("localStorage.setItem('pinfold.session', 'test')")
        guard status == 201 else { throw WebDriverError("signing \(person.username) in was answered with \(status)") }
    }

    /// Follows a link of the bar of tabs.
    func goToTab(_ name: String) throws {
        try click("#tabs a[data-tab=\(name)]")
        try wait(for: "tab \(name)") { try elements("#tabs a[data-tab=\(name)][aria-current=page]").first }
    }

    /// Waits until the map has drawn all that it has.
    func waitForMap() throws {
        try element(".map-canvas canvas")
        try element(".map-controls button")
        // It answers from then on; the canvas is there before.
        _ = try wait(for: "map that answers", script: "return document.querySelector('.map-canvas')?.map ? true : null")
    }

    /// The middle of the map in the window.
    var middleOfMap: (x: Double, y: Double) {
        get throws {
            let frame = try element(".map-canvas canvas").frame
            return (frame.x + frame.width / 2, frame.y + frame.height / 2)
        }
    }

    /// Whether something that can be pressed is drawn in the middle of the map.
    func hasPinInMiddleOfMap() throws -> Bool {
        let (x, y) = try middleOfMap
        try hover(x: x + 40, y: y + 60)
        try hover(x: x, y: y)
        return try run("return document.querySelector('.map-canvas canvas').style.cursor === 'pointer'") == true
    }

    /// Waits until the list beside the map has a pin.
    func waitForPin(_ name: String) throws {
        try wait(for: "pin “\(name)” in the list") { try pinNames().contains(name) ? true : nil }
    }

    func waitForNoPin(_ name: String) throws {
        try wait(for: "list without the pin “\(name)”") { try pinNames().contains(name) ? nil : true }
    }

    /// The names in the list beside the map, in its order.
    func pinNames() throws -> [String] {
        try run("return [...document.querySelectorAll('.pin-list .pin-name')].map(name => name.textContent)")
            .elements.compactMap(\.text)
    }

    /// Moves the map so that a place is in its middle, by the address.
    func showMap(_ latitude: Double, _ longitude: Double, zoom: Int = 14) throws {
        try run("location.hash = arguments[0]", "map=\(zoom)/\(latitude)/\(longitude)")
        try waitForMap()
        let place = String(format: "#map=%d/%.5f/%.5f", zoom, latitude, longitude)
        try wait(for: "address that ends in \(place)") { try url.contains(place) ? true : nil }
    }

    /// Presses the right button in the middle of the map and fills in the form of a pin that this opens.
    func dropPin(_ name: String, _ words: Words) throws {
        let (x, y) = try middleOfMap
        try click(x: x, y: y, .right)
        try fill(words("map.form.name"), name)
        try click(.button, words("map.form.drop"))
        try waitForPin(name)
    }

    // MARK: What the browser keeps

    /// The ids of the pins that the client keeps in this browser.
    func keptPins() throws -> Set<String> {
        Set(try run(Self.keptScript, "pins").elements.compactMap { $0["id"]?.text })
    }

    /// All that the client keeps in its database in this browser.
    func keptValues() throws -> [JSON] {
        try ["pins", "facts", "outbox"].flatMap { try run(Self.keptScript, .string($0)).elements }
    }

    private static let keptScript = """
        return new Promise(async (resolve, reject) => {
          const known = await indexedDB.databases();
          if (!known.some(({name}) => name === "pinfold")) return resolve([]);
          const request = indexedDB.open("pinfold");
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            const database = request.result;
            const done = value => { database.close(); resolve(value); };
            if (!database.objectStoreNames.contains(arguments[0])) return done([]);
            const all = database.transaction(arguments[0]).objectStore(arguments[0]).getAll();
            all.onsuccess = () => done(all.result);
            all.onerror = () => reject(all.error);
          };
        });
        """

    /// The paths of all answers that service workers keep in this browser.
    func cachedPaths() throws -> [String] {
        try run(
            """
            return caches.keys().then(async names => {
              const caches_ = await Promise.all(names.map(name => caches.open(name)));
              const requests = await Promise.all(caches_.map(cache => cache.keys()));
              return requests.flat().map(({url}) => new URL(url).pathname);
            });
            """
        ).elements.compactMap(\.text)
    }
}
