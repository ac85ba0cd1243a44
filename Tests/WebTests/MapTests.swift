import Foundation
import Testing
import WebDriver

@Suite struct MapTests {
    @Test func `search is driven by the keyboard, and its result shows its place and takes a pin`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try ana.drop("Sailors' inn", at: 44.9551, -93.1022)
            try window.open(app, as: ana)
            let box = try window.element("#search")
            try box.type("sailo")
            try window.waitForOption("Sailors' inn")
            try window.goDown(to: "Sailors' inn")
            try window.press(Keys.enter)
            try window.element(.heading, "Sailors' inn")
            #expect(try window.url.hasPrefix(app.origin + "/p/"))
            try window.press(Keys.escape)
            try window.wait(for: "address without the pin") { try window.url.contains("/p/") ? nil : true }

            // A place of the gazetteer.
            try box.fill("Reykjavik")
            try window.waitForOption("Reykjav")
            #expect(try box.attribute("aria-expanded") == "true")
            try window.checkAccessibility("search results")
            try window.goDown(to: "Reykjav")
            let active = try #require(try box.attribute("aria-activedescendant"))
            #expect(try window.element("#" + active).attribute("aria-selected") == "true")
            try window.press(Keys.enter)
            try window.click(.button, words("map.dropHere"))
            try window.checkAccessibility("form of a pin")
            try window.fill(words("map.form.name"), "Cold place")
            try window.click(.button, words("map.form.drop"))
            try window.waitForPin("Cold place")
            let pins = try ana.send("GET", "/v1/pins?q=cold")["items"]?.elements ?? []
            #expect(pins.count == 1)
            #expect(abs((pins.first?["latitude"]?.number ?? 0) - 64.1) < 0.2)
            #expect(pins.first?["address"]?.text?.contains("Reykjavík") == true, "the address was filled in")
        }
    }

    @Test func `a pin is edited, deleted, and brought back`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            let pin = try ana.drop("Attic", at: 44.9551, -93.1022, ["comment": "Dusty", "rating": 2])
            try window.open(app, as: ana, "/p/\(pin)")
            try window.element(.heading, "Attic")
            try window.checkAccessibility("details of a pin")
            try window.click(.button, words("map.act.edit"))
            try window.fill(words("map.form.name"), "Attic of wonders")
            try window.click("form .star:nth-child(5)")
            try window.click(.button, words("map.form.save"))
            try window.waitForPin("Attic of wonders")
            let changed = try ana.send("GET", "/v1/pins/\(pin)")
            #expect(changed["rating"] == 5 && changed["comment"] == "Dusty")

            // The styles of another tab do not change what a pin's sheet looks like.
            let look = """
                const sheet = getComputedStyle(document.querySelector(".sheet"));
                return [sheet.clipPath, sheet.marginLeft, sheet.fontSize].join();
                """
            try window.click(".pin-list a[href='/p/\(pin)']")
            try window.element(.button, words("map.act.delete"))
            let before = try window.run(look).text
            try window.goToTab("friends")
            try window.goToTab("map")
            try window.click(".pin-list a[href='/p/\(pin)']")
            try window.element(.button, words("map.act.delete"))
            #expect(try window.run(look).text == before)
            // A title of one line needs no scrollbar.
            let fits = "const h = document.querySelector('.sheet-head h2'); return h.scrollHeight <= h.clientHeight"
            #expect(try window.run(fits) == true)
            try window.click(.button, words("map.act.delete"))
            try window.waitForNoPin("Attic of wonders")
            #expect(throws: WebDriverError.self) { try ana.send("GET", "/v1/pins/\(pin)") }
            try window.click(.button, words("map.deleted.undo"), in: window.element("#toasts"))
            try window.waitForPin("Attic of wonders")
            try ana.send("GET", "/v1/pins/\(pin)")
        }
    }

    @Test func `filters and one friend's pins narrow the map and the list`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let (ana, ben) = (try app.signUp("ana"), try app.signUp("ben"))
            try ana.befriend(ben)
            try ana.drop("Ramen", at: 44.9551, -93.1022, ["category": "food", "rating": 5])
            try ana.drop("Park", at: 44.9552, -93.1024, ["category": "nature", "rating": 3])
            try ben.drop("Bench", at: 44.9553, -93.1020, ["category": "nature"])
            try window.open(app, as: ana, "/#map=14/44.9551/-93.1022")
            func waitFor(_ names: Set<String>) throws {
                try window.wait(for: "list of \(names.sorted())") { Set(try window.pinNames()) == names ? true : nil }
            }
            try waitFor(["Ramen", "Park", "Bench"])
            try window.click("button[aria-controls=filter-panel]")
            try window.checkAccessibility("filters")
            try window.click(.button, words("map.category.nature"))
            try waitFor(["Park", "Bench"])
            try window.run(
                """
                const select = document.getElementById("filter-rating");
                select.value = "3";
                select.dispatchEvent(new Event("change", {bubbles: true}));
                """)
            try waitFor(["Park"])
            try window.click(.button, words("map.filter.clear"))
            try waitFor(["Ramen", "Park", "Bench"])

            try window.goToTab("friends")
            try window.click(.button, words("friends.viewPins") + ": ben")
            try waitFor(["Bench"])
            try window.click(.button, words("map.banner.clear"))
            try waitFor(["Ramen", "Park", "Bench"])
        }
    }

    @Test func `an address leads to its place and its pin, and Back leads away`() async throws {
        try await withWindow(WindowOptions(expectedErrors: ["/v1/pins/"])) { app, window in
            let words = try Words("en")
            let (ana, cid) = (try app.signUp("ana"), try app.signUp("cid"))
            let pin = try ana.drop("Attic", at: 10, 20)
            let hidden = try cid.drop("Cellar", at: 10.001, 20.001)
            try window.open(app, as: ana, "/#map=9/10/20")
            try window.waitForPin("Attic")
            try window.click(".pin-list a")
            try window.element(.heading, "Attic")
            #expect(try window.url == app.origin + "/p/\(pin)")
            try window.back()
            try window.wait(for: "sheet to close") {
                try window.elements(.heading, "Attic").isEmpty ? true : nil
            }
            // What is not for the viewer is as if it were not there.
            for path in ["/p/\(hidden)", "/p/1"] {
                try window.open(app.origin + path)
                try window.waitFor(text: words("map.pinMissing"))
                #expect(try !window.shows("Cellar"))
            }
        }
    }

    @Test func `an address leads to its place whatever the map showed the last time`() async throws {
        try await withWindow { app, window in
            let ana = try app.signUp("ana")
            try ana.drop("Attic", at: 10, 20)
            try window.open(app, as: ana)
            try window.waitForMap()
            try window.waitForPin("Attic")
            for place in ["7/52.00000/21.00000", "3/-33.00000/151.00000"] {
                try window.open(app.origin + "/docs")
                try window.open(app.origin + "/#map=\(place)")
                try window.waitForMap()
                let shown = try window.wait(for: "the map to stand still") {
                    try window.run(
                        """
                        const map = document.querySelector(".map-canvas").map;
                        if (!map?.loaded() || map.isMoving()) return null;
                        return [map.getZoom(), map.getCenter().lat, map.getCenter().lng].map(Math.round).join();
                        """
                    ).text
                }
                #expect(shown == place.replacing(".00000", with: "").replacing("/", with: ","))
                #expect(try window.url == "\(app.origin)/#map=\(place)")
            }
        }
    }

    @Test func `the map shows where its viewer is, and how far the pins are`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try ana.drop("Attic", at: 44.9551, -93.1022)
            try window.open(app, as: ana, "/#map=13/44.9551/-93.1022")
            try window.waitForPin("Attic")
            try window.waitForMap()
            try window.refusePosition(origin: app.origin)
            try window.click(.button, words("map.locate.label"))
            try window.waitFor(text: words("map.locate.refused"))

            try window.setPosition(latitude: 44.9641, longitude: -93.1022, origin: app.origin)
            try window.click(.button, words("map.locate.label"))
            let shown = try window.wait(
                for: "the place on the map",
                script: """
                    const map = document.querySelector(".map-canvas").map;
                    if (map.isMoving() || !map.loaded()) return null;
                    const found = map.queryRenderedFeatures().find(({source}) => source === "here");
                    return found && [map.getCenter().lat, map.getCenter().lng, ...found.geometry.coordinates];
                    """
            ).elements.compactMap(\.number)
            try #require(shown.count == 4)
            #expect(abs(shown[0] - 44.9641) < 0.001 && abs(shown[1] + 93.1022) < 0.001, "the map is there")
            #expect(abs(shown[2] + 93.1022) < 0.001 && abs(shown[3] - 44.9641) < 0.001, "the point is there")
            try window.waitFor(text: "1.0 km")
            try window.checkAccessibility("map with the place of its viewer")
        }
    }

    @Test func `a sheet closes when its pin goes while all pins are still on their way`() async throws {
        try await withWindow(WindowOptions(expectedErrors: ["500"])) { app, window in
            let words = try Words("en")
            let (ana, ben) = (try app.signUp("ana"), try app.signUp("ben"))
            try ana.befriend(ben)
            let pin = try ben.drop("Bench", at: 44.9551, -93.1022)
            app.faults.add(500, "/v1/pins/changes")
            try window.open(app, as: ana, "/p/\(pin)")
            try window.element(.heading, "Bench")
            try ben.send("DELETE", "/v1/pins/\(pin)")
            app.faults.clear()
            try window.waitFor(text: words("map.pinGone"))
            try window.wait(for: "sheet to close") { try window.elements(.heading, "Bench").isEmpty ? true : nil }
            #expect(try window.keptPins() == [])
        }
    }

    @Test func `whoever is not signed in comes to the pin that was asked for by signing in`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            let pin = try ana.drop("Attic", at: 10, 20)
            try window.open(app.origin + "/p/\(pin)")
            try window.fill(words("profile.login"), "ana")
            try window.fill(words("profile.password"), ana.password)
            try window.press(Keys.enter)
            try window.element(.heading, "Attic")
        }
    }
}

extension Browser {
    /// Presses the arrow key until a result whose name begins with a text is the chosen one.
    fileprivate func goDown(to beginning: String) throws {
        try wait(for: "result \(beginning) to be chosen") {
            try press(Keys.down)
            let chosen = try run("return document.querySelector('#search-options [aria-selected=true] b')?.textContent")
            return chosen.text?.hasPrefix(beginning) == true ? true : nil
        }
    }

    /// Waits until the search box offers something whose name begins with a text.
    fileprivate func waitForOption(_ beginning: String) throws {
        try wait(
            for: "result \(beginning)",
            script: """
                return [...document.querySelectorAll("#search-options [role=option] b")]
                  .some(name => name.textContent.startsWith(arguments[0]));
                """, .string(beginning))
    }
}
