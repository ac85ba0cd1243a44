import Testing
import WebDriver

@Suite struct SessionTests {
    @Test func `signing out leaves nothing of the account in the browser`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try ana.drop("Ana's attic", at: 44.9551, -93.1022)
            try window.open(app, as: ana)
            try window.waitForPin("Ana's attic")
            try window.wait(for: "pin in the database") { try window.keptPins().isEmpty ? nil : true }
            #expect(try window.cookies().count == 2)
            let cookies = try window.run("return document.cookie + JSON.stringify({...localStorage})").text ?? ""
            #expect(!cookies.contains("pinfold_"), "no script can read a token")

            try window.goToTab("profile")
            try window.click(.button, words("profile.signOut"))
            try window.element(.textbox, words("profile.login"))
            try window.waitForEmptyDatabase()
            try window.wait(for: "no cookie") { try window.cookies().isEmpty ? true : nil }
            let kept = try window.cachedPaths().filter {
                !$0.hasPrefix("/app/") && !["/", "/manifest.webmanifest"].contains($0)
            }
            #expect(kept == [], "caches keep the shell alone")
            // Back does not bring it again.
            try window.back()
            try window.element(.textbox, words("profile.login"))
            #expect(try !window.shows("Ana's attic"))
        }
    }

    @Test func `a session that is ended elsewhere ends here, and leaves nothing`() async throws {
        var options = WindowOptions()
        options.expectedErrors = ["401"]
        try await withWindow(options) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try ana.drop("Ana's attic", at: 44.9551, -93.1022)
            try window.open(app, as: ana)
            try window.waitForPin("Ana's attic")
            try ana.send("DELETE", "/v1/sessions")
            try window.element(.textbox, words("profile.login"))
            try window.waitForEmptyDatabase()
            #expect(try !window.shows("Ana's attic"))
        }
    }

    @Test func `a wrong password is told at the form, and the name typed stays`() async throws {
        var options = WindowOptions()
        options.expectedErrors = ["401"]
        try await withWindow(options) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try window.open(app.origin + "/")
            try window.fill(words("profile.login"), "ana")
            try window.fill(words("profile.password"), "wrong horse")
            try window.press(Keys.enter)
            try window.waitFor(text: words("profile.wrongLogin"))
            try window.checkAccessibility("sign-in refused")
            #expect(try window.element(.textbox, words("profile.login")).property("value") == "ana")
            try window.fill(words("profile.password"), ana.password)
            try window.press(Keys.enter)
            try window.element("#tabs a[aria-current=page]")
        }
    }

    @Test func `signing out in one window of a browser signs out the other`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            try window.open(app, as: app.signUp("ana"))
            try window.waitForMap()
            let first = try window.command("GET", "/window")
            let second = try window.command("POST", "/window/new", ["type": "tab"])
            try window.command("POST", "/window", ["handle": second["handle"] ?? .null])
            try window.open(app.origin + "/#profile")
            try window.click(.button, words("profile.signOut"))
            try window.element(.textbox, words("profile.login"))
            try window.command("POST", "/window", ["handle": first])
            try window.element(.textbox, words("profile.login"))
        }
    }
}

extension Browser {
    fileprivate func waitForEmptyDatabase() throws {
        var kept: [JSON] = []
        do {
            try wait(for: "empty database") {
                kept = try keptValues()
                return kept.isEmpty ? true : nil
            }
        } catch {
            throw WebDriverError("\(error): \(kept)")
        }
    }

    /// The names of all cookies that the browser has.
    func cookies() throws -> Set<String> {
        Set(try devTools("Storage.getCookies")["cookies"]?.elements.compactMap { $0["name"]?.text } ?? [])
    }
}
