import Foundation
import Testing
import WebDriver

@Suite struct LookTests {
    /// A world in which each page has something to show.
    private func world(_ app: ServedApp) throws -> Person {
        let (ana, ben, cid) = (try app.signUp("ana"), try app.signUp("ben"), try app.signUp("cid"))
        try ana.befriend(ben)
        try cid.send("POST", "/v1/friend-requests", ["to": .string(ana.id)])
        try ana.drop("Ramen", at: 44.9551, -93.1022, ["category": "food", "rating": 5, "comment": "Broth"])
        try ben.drop("Park", at: 44.9560, -93.1040, ["category": "nature", "rating": 3])
        try app.appoint(ana, "admin")
        return ana
    }

    private static let pages = [
        "map", "friends", "profile", "profile/you", "profile/account", "profile/sessions", "profile/privacy",
        "profile/pins", "profile/tokens", "profile/look", "profile/about", "profile/delete", "admin/import",
        "admin/imports", "admin/datasets", "admin/users", "admin/audit",
    ]

    @Test(arguments: [(320, "light"), (320, "dark"), (1440, "light"), (1440, "dark")])
    func `every page is accessible and fits, on phones and desktops, by day and by night`(
        width: Int, scheme: String
    ) async throws {
        var options = WindowOptions()
        options.browser.width = width
        options.browser.height = width < 720 ? 640 : 900
        options.browser.isPhone = width < 720
        try await withWindow(options) { app, window in
            let ana = try world(app)
            try window.setMedia(["prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"])
            try window.open(app.origin + "/")
            try window.element("form button[type=submit]")
            try window.checkAccessibility("door \(width) \(scheme)")
            try window.open(app, as: ana)
            try window.waitForPin("Ramen")
            for page in Self.pages {
                try window.run("location.hash = arguments[0]", .string(page))
                try window.wait(
                    for: "page \(page)",
                    script: """
                        const [tab, section] = arguments[0].split("/");
                        const panel = document.getElementById(`panel-${tab}`);
                        const shown = panel && !panel.hidden && !panel.querySelector("[aria-busy=true]:not(.pin-list)");
                        const isHere = !section || tab === "profile" ? true
                          : panel.querySelector(`a[href="/#${arguments[0]}"][aria-current]`);
                        return shown && isHere && panel.querySelector("h1") &&
                          (!section || panel.querySelector(".profile-section h2, .admin-page h2"));
                        """, .string(page))
                if page == "map" { try window.waitForMap() }
                try window.checkAccessibility("\(page) \(width) \(scheme)")
                if !page.contains("/") { try window.saveScreenshot("\(page)-\(width)-\(scheme)") }
            }
            try window.run("location.hash = 'map'")
            try window.click(.button, words(window, "map.drop"))
            try window.element("form [name=name]")
            try window.checkAccessibility("form of a pin \(width) \(scheme)")
            try window.saveScreenshot("pin-form-\(width)-\(scheme)")
        }
    }

    private func words(_ window: Browser, _ key: String) throws -> String { try Words("en")(key) }

    @Test(arguments: ["map", "friends", "profile/you"]) func `a page can be walked through by keyboard`(
        page: String
    ) async throws {
        try await withWindow { app, window in
            let ana = try world(app)
            try window.open(app, as: ana, "/#\(page)")
            if page == "map" { try window.waitForPin("Ramen") }
            let stops = try window.checkTabOrder(page)
            #expect(stops.first == (try Words("en")("shell.skip")), "the first stop leads to the content")
            #expect(stops.count > 6)
        }
    }

    @Test func `the language changes without a reload, and stays`() async throws {
        try await withWindow { app, window in
            let ana = try world(app)
            try window.open(app, as: ana, "/#profile/look")
            try window.run("window.isSamePage = true")
            for language in ["es", "pl", "en", "pl"] {
                let select = try window.element("#panel-profile select")
                try window.run(
                    """
                    arguments[0].value = arguments[1];
                    arguments[0].dispatchEvent(new Event("change", {bubbles: true}));
                    """, select.json, .string(language))
                let words = try Words(language)
                try window.waitFor(text: words("map.title"))
                try window.waitFor(text: words("profile.lookText"))
                #expect(try window.run("return document.documentElement.lang") == .string(language))
                #expect(try window.run("return window.isSamePage") == true)
                try window.checkAccessibility("profile in \(language)")
            }
            let polish = try Words("pl")
            try window.goToTab("map")
            try window.wait(for: "search box in Polish") {
                try window.elements(.textbox, polish("map.search.label")).first
            }
            try window.waitFor(text: polish("map.list.inView", ["count": "2"], form: "few"))
            try window.reload()
            try window.waitFor(text: polish("map.title"))
            try window.goToTab("profile")
            try window.click(.button, polish("profile.signOut"))
            try window.waitFor(text: polish("profile.pitch"))
        }
    }

    @Test func `with reduced motion nothing is animated`() async throws {
        try await withWindow { app, window in
            let ana = try world(app)
            try window.setMedia(["prefers-reduced-motion": "reduce"])
            try window.open(app, as: ana)
            try window.waitForPin("Ramen")
            try window.click(".pin-list a")
            try window.element(.button, Words("en")("map.act.link"))
            let running = try window.run(
                "return document.getAnimations().map(a => a.animationName ?? a.transitionProperty)")
            #expect(running.elements.isEmpty, "\(running)")
        }
    }

    @Test(arguments: [320, 1280]) func `nothing shifts after the first paint`(width: Int) async throws {
        var options = WindowOptions()
        options.browser.width = width
        options.browser.isPhone = width < 720
        try await withWindow(options) { app, window in
            let ana = try world(app)
            try window.devTools("Page.enable")
            try window.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    window.shifts = [];
                    window.violations = [];
                    new PerformanceObserver(list => {
                      for (const entry of list.getEntries()) {
                        if (!entry.hadRecentInput) window.shifts.push({value: entry.value,
                          nodes: entry.sources.map(({node}) => node?.outerHTML?.slice(0, 120) ?? String(node?.nodeName))});
                      }
                    }).observe({type: "layout-shift", buffered: true});
                    document.addEventListener("securitypolicyviolation", event =>
                      window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
                    """
                ])
            try window.open(app, as: ana)
            try window.waitForPin("Ramen")
            try window.waitForMap()
            for path in ["friends", "profile"] {
                try window.goToTab(path)
                try window.wait(
                    for: "settled page",
                    script: "return !document.querySelector(`#panel-${arguments[0]} [aria-busy=true]`)", .string(path))
            }
            let shifts = try window.run("return window.shifts").elements
            #expect(shifts.isEmpty, "\(shifts)")
            #expect(try window.run("return window.violations").elements.isEmpty)
        }
    }

    @Test func `the first map costs at most 150 KB without MapLibre and tiles, all of it compressed`() async throws {
        try await withWindow { app, window in
            let ana = try world(app)
            try window.signIn(app, ana)
            let before = app.exchanges.count
            try window.open(app.origin + "/")
            try window.waitForPin("Ramen")
            try window.waitForMap()
            let bytes = try window.run(
                """
                const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
                return entries.filter(({name}) => !/\\/maplibre\\/|\\/tiles/.test(new URL(name).pathname))
                  .reduce((sum, {transferSize}) => sum + transferSize, 0);
                """
            ).number
            #expect(try #require(bytes) <= 150_000)
            #expect(try #require(bytes) > 20_000)
            // The service worker takes from the browser's cache what the page has.
            try window.wait(for: "whole shell in the cache") {
                try window.cachedPaths().contains { $0.hasSuffix("/languages/pl.json") } ? true : nil
            }
            let paths = app.exchanges.dropFirst(before).map(\.path).filter { $0.hasPrefix("/app/") }
            #expect(Set(paths).count == paths.count, "a file was sent twice")
            let uncompressed = try window.run(
                """
                return performance.getEntriesByType("resource").filter(entry => /\\.(js|css|json)$/.test(entry.name) &&
                  entry.decodedBodySize > 2000 && entry.encodedBodySize >= entry.decodedBodySize).map(({name}) => name);
                """)
            #expect(uncompressed.elements.isEmpty, "\(uncompressed)")
        }
    }
}
