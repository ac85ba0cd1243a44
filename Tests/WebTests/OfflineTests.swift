import HTTP
import Testing
import WebDriver

/// A server that fails, or is not there: said plainly, never a blank page, never lost text.
@Suite struct OfflineTests {
    /// What a browser writes to its console when the server does not answer.
    private static let away = [
        "ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_RESET",
        "ERR_EMPTY_RESPONSE", "ERR_FAILED", "ERR_SOCKET_NOT_CONNECTED", "WebSocket connection",
    ]

    @Test func `offline the last pins are there, marked as such, and what is typed is sent later`() async throws {
        try await withWindow(WindowOptions(expectedErrors: Self.away)) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            let pin = try ana.drop("Attic", at: 44.9551, -93.1022)
            try window.open(app, as: ana, "/#map=14/44.9551/-93.1022")
            try window.waitForPin("Attic")
            try window.waitForMap()
            try window.wait(for: "service worker", script: "return Boolean(navigator.serviceWorker.controller)")
            try window.wait(for: "shell in the cache") {
                try window.cachedPaths().contains { $0.hasSuffix("/languages/pl.json") } ? true : nil
            }

            // Text is being typed when the connection breaks.
            let (x, y) = try window.middleOfMap
            try window.click(x: x + 50, y: y, .right)
            try window.fill(words("map.form.name"), "Typed offline")
            try window.setOffline(true)
            app.goAway()
            try window.element("#status")
            try window.saveScreenshot("offline")
            #expect(try window.element(.textbox, words("map.form.name")).property("value") == "Typed offline")
            try window.click(.button, words("map.form.drop"))
            try window.waitFor(text: words("map.outbox.tag"))

            // The shell opens without the server, with the last pins and with what waits.
            try window.reload()
            try window.waitForPin("Attic")
            try window.element("#status")
            try window.waitFor(text: "Typed offline")
            try window.checkAccessibility("offline")
            try window.open(app.origin + "/p/\(pin)")
            try window.element(.heading, "Attic")

            try app.comeBack()
            try window.setOffline(false)
            try window.wait(for: "status to go") { try window.elements("#status").isEmpty ? true : nil }
            try window.wait(for: "pin at the server") {
                try (ana.send("GET", "/v1/pins?q=offline")["items"]?.elements.count ?? 0) == 1 ? true : nil
            }
            try window.waitFor(noText: words("map.outbox.tag"))
        }
    }

    @Test(arguments: [500, 429]) func `a form that the server fails to take keeps what was typed, and says why`(
        status: Int
    ) async throws {
        try await withWindow(WindowOptions(expectedErrors: ["\(status)"])) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try window.open(app, as: ana, "/#map=14/44.9551/-93.1022")
            try window.waitForMap()
            let (x, y) = try window.middleOfMap
            try window.click(x: x, y: y, .right)
            app.faults.add(
                status, "/v1/pins", method: "POST", headers: status == 429 ? [Header("Retry-After", "60")] : [])
            try window.fill(words("map.form.name"), "Stubborn")
            try window.fill(words("map.form.comment") + " " + words("shell.form.optional"), "A long story")
            try window.click(.button, words("map.form.drop"))
            try window.waitFor(
                text: status == 429
                    ? words("shell.problem.wait", ["count": "60"], form: "other")
                    : words("shell.problem.server", ["status": "500"]))
            #expect(try window.element(.textbox, words("map.form.name")).property("value") == "Stubborn")

            // Not even a reload loses it.
            try window.reload()
            try window.waitForMap()
            try window.click(x: x, y: y, .right)
            #expect(try window.element(.textbox, words("map.form.name")).property("value") == "Stubborn")
            app.faults.clear()
            try window.click(.button, words("map.form.drop"))
            try window.waitForPin("Stubborn")
            #expect(try ana.send("GET", "/v1/pins")["items"]?.elements.first?["comment"] == "A long story")
        }
    }

    @Test func `an answer 429 that says when is waited for, and nobody notices`() async throws {
        try await withWindow(WindowOptions(expectedErrors: ["429"])) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try window.open(app, as: ana, "/#map=14/44.9551/-93.1022")
            try window.waitForMap()
            app.faults.add(429, "/v1/pins", method: "POST", headers: [Header("Retry-After", "1")], times: 1)
            try window.dropPin("Patient", words)
            #expect(try ana.send("GET", "/v1/pins")["items"]?.elements.count == 1)
        }
    }

    @Test(arguments: [500, 503]) func `a server that fails at the start is told, not left blank`(
        status: Int
    ) async throws {
        try await withWindow(WindowOptions(expectedErrors: ["\(status)"])) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try window.open(app, as: ana)
            try window.waitForMap()
            for path in ["/v1/pins/changes", "/v1/friends", "/v1/friend-requests", "/style.json"] {
                app.faults.add(status, path)
            }
            try window.reload()
            try window.goToTab("friends")
            try window.waitFor(text: words("shell.problem.server", ["status": "\(status)"]))
            try window.checkAccessibility("friends at a failing server")
            app.faults.clear()
            try window.click(.button, words("friends.again"))
            try window.waitFor(text: words("friends.none"))
        }
    }

    @Test func `a session that runs out while somebody types asks to sign in, and keeps the text`() async throws {
        try await withWindow(WindowOptions(expectedErrors: ["401"])) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try window.open(app, as: ana, "/#profile/you")
            try window.fill(words("profile.bio") + " " + words("shell.form.optional"), "Half a sentence")
            app.faults.add(401, "/v1/me", method: "PATCH")
            app.faults.add(401, "/v1/sessions/refresh", method: "POST")
            try window.click(.button, words("profile.save"))
            try window.element(.textbox, words("profile.login"))
            app.faults.clear()
            try window.fill(words("profile.login"), "ana")
            try window.fill(words("profile.password"), ana.password)
            try window.press(Keys.enter)
            try window.element("#tabs a[aria-current=page]")
            try window.open(app.origin + "/#profile/you")
            let field = try window.element(.textbox, words("profile.bio") + " " + words("shell.form.optional"))
            #expect(try field.property("value") == "Half a sentence")
        }
    }
}
