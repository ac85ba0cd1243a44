import Testing
import WebDriver

/// Two people in two windows: what one does, the other sees without a reload, and what one takes away is gone from all
/// that the other's browser keeps.
@Suite struct FriendshipTests {
    @Test func `two people sign up, befriend each other, share a pin, and part`() async throws {
        try await withTwoWindows { app, ana, ben in
            let words = try Words("en")
            try ana.signUp(app, "ana", words)
            try ben.signUp(app, "ben", words)

            try ana.goToTab("friends")
            try ana.fill(words("friends.findLabel"), "ben")
            try ana.click(.button, words("friends.add") + ": ben")
            try ben.goToTab("friends")
            try ben.click(.button, words("friends.accept") + ": ana")
            try ana.element(.button, words("friends.viewPins") + ": ben")
            try ana.saveScreenshot("friends")

            // The pin appears on a map that is open already, and in the list beside it.
            try ana.goToTab("map")
            try ana.showMap(44.9551, -93.1022)
            try ben.goToTab("map")
            try ben.showMap(44.9551, -93.1022)
            #expect(try !ana.hasPinInMiddleOfMap())
            try ben.dropPin("Ben's bench", words)
            try ana.waitForPin("Ben's bench")
            try ana.wait(for: "pin on the map") { try ana.hasPinInMiddleOfMap() ? true : nil }
            try ana.saveScreenshot("map")
            let kept = try ana.keptPins()
            #expect(kept.count == 1)

            // Unfriended, it vanishes: from the list, the map and all that the browser keeps.
            try ben.goToTab("friends")
            try ben.click(.button, words("friends.more") + ": ana")
            try ben.click(.button, words("friends.removeFriend") + ": ana")
            try ben.click(.button, words("friends.removeFriend"))
            try ana.waitForNoPin("Ben's bench")
            try ana.wait(for: "map without the pin") { try ana.hasPinInMiddleOfMap() ? nil : true }
            try ana.waitForNothingKept(of: kept)
        }
    }

    @Test func `pulling the friends down on a phone fetches them anew`() async throws {
        var options = WindowOptions()
        options.browser.width = 360
        options.browser.height = 720
        options.browser.isPhone = true
        try await withWindow(options) { app, window in
            let words = try Words("en")
            let (ana, ben) = (try app.signUp("ana"), try app.signUp("ben"))
            try window.open(app, as: ana, "/#friends")
            try window.waitFor(text: words("friends.none"))
            // Nothing is heard live: what is new is found by pulling alone.
            try window.run("window.dispatchEvent(new PageTransitionEvent('pagehide'))")
            try ana.befriend(ben)
            func pulls(_ distance: Double) throws {
                try window.swipe(fromX: 180, y: 300, byX: 0, y: distance)
            }
            try pulls(40)
            try window.wait(for: "the sign to go") { try window.elements(".pull-sign.shown").isEmpty ? true : nil }
            #expect(try window.elements(.button, words("friends.viewPins") + ": ben").isEmpty, "that was not enough")
            try pulls(250)
            try window.element(.button, words("friends.viewPins") + ": ben")
            try window.wait(for: "the sign to go") { try window.elements(".pull-sign.shown").isEmpty ? true : nil }
        }
    }

    @Test func `a block takes away all that the other had seen`() async throws {
        try await withTwoWindows { app, ana, ben in
            let words = try Words("en")
            let (a, b) = (try app.signUp("ana"), try app.signUp("ben"))
            try a.befriend(b)
            let pin = try b.drop("Ben's bench", at: 44.9551, -93.1022)
            try a.drop("Ana's attic", at: 44.9555, -93.1023)
            try ana.open(app, as: a, "/p/\(pin)")
            try ana.element(.heading, "Ben's bench")
            try ben.open(app, as: b)
            try ben.waitForPin("Ana's attic")
            let kept: Set = [pin]

            try ben.goToTab("friends")
            try ben.click(.button, words("friends.more") + ": ana")
            try ben.click(.button, words("friends.block") + ": ana")
            try ben.click(.button, words("friends.block"))
            try ben.element(.button, words("friends.unblock") + ": ana")
            try ben.press(Keys.escape)
            // The sheet that was open closes, and the address is that of no pin any more.
            try ana.wait(for: "sheet to close") {
                try ana.elements(.heading, "Ben's bench").isEmpty && !ana.url.contains("/p/") ? true : nil
            }
            try ana.waitForNoPin("Ben's bench")
            try ana.waitForNothingKept(of: kept)
            try ben.goToTab("map")
            try ben.waitForNoPin("Ana's attic")
        }
    }

    /// The older pins of a new friend are asked for while the live connection goes on: what it has taken away meanwhile
    /// must not come back with an answer that was on its way.
    @Test(arguments: [true, false])
    func `an answer that comes late brings back no pin that was withdrawn`(endsFriendship: Bool) async throws {
        try await withWindow { app, window in
            let (ana, ben) = (try app.signUp("ana"), try app.signUp("ben"))
            let pin = try ben.drop("Ben's bench", at: 44.9551, -93.1022)
            try ana.drop("Ana's attic", at: 44.9555, -93.1023)
            try window.open(app, as: ana)
            try window.waitForPin("Ana's attic")
            try window.run(
                """
                const real = window.fetch;
                window.fetch = async (...call) => {
                  const response = await real(...call);
                  if (String(call[0]).startsWith("/v1/pins/changes")) {
                    await new Promise((release) => { window.release = release; });
                  }
                  return response;
                };
                """)
            try ana.befriend(ben)
            try window.wait(for: "the answer on its way", script: "return Boolean(window.release)")
            if endsFriendship {
                try ben.send("DELETE", "/v1/friends/\(ana.id)")
            } else {
                try ben.send("DELETE", "/v1/pins/\(pin)")
            }
            // What is told behind that says that the window has heard of it.
            try ana.drop("First mark", at: 44.9556, -93.1024)
            try window.waitForPin("First mark")
            try window.run("window.release()")
            try ana.drop("Second mark", at: 44.9557, -93.1025)
            try window.waitForPin("Second mark")
            #expect(try !window.keptPins().contains(pin))
            #expect(try !window.shows("Ben's bench"))
        }
    }

    @Test func `a newcomer who follows an invite link signs up and is a friend`() async throws {
        try await withTwoWindows { app, ana, ben in
            let words = try Words("en")
            let host = try app.signUp("ana")
            try host.drop("Ana's attic", at: 44.9551, -93.1022)
            try ana.open(app, as: host, "/#friends")
            try ana.click(.button, words("friends.inviteNew"))
            try ana.click(.button, words("friends.inviteMake"))
            let link = try #require(try ana.element("#invite-link").property("value").text)
            #expect(link.hasPrefix(app.origin + "/#invite="))
            try ana.press(Keys.escape)

            try ben.open(link)
            // The code is a secret: it does not stay in the address bar.
            try ben.wait(for: "address without the code") { try ben.url.contains("invite") ? nil : true }
            try ben.waitFor(text: "@ana")
            try ben.checkAccessibility("sign-up by invite")
            try ben.fillSignUp("ben", words)
            try ben.element(.button, words("friends.viewPins") + ": ana")
            try ana.element(.button, words("friends.viewPins") + ": ben")
            try ben.click(.button, words("friends.viewPins") + ": ana")
            try ben.waitForPin("Ana's attic")
            try ben.element(.button, words("map.banner.clear"))
        }
    }

    @Test func `a request can be rejected and cancelled, and the other's list says so`() async throws {
        try await withTwoWindows { app, ana, ben in
            let words = try Words("en")
            try ana.open(app, as: app.signUp("ana"), "/#friends")
            try ben.open(app, as: app.signUp("ben"), "/#map")
            for answer in ["friends.reject", "friends.cancelRequest"] {
                try ana.fill(words("friends.findLabel"), "")
                try ana.fill(words("friends.findLabel"), "ben")
                try ana.click(.button, words("friends.add") + ": ben")
                // Whoever looks at the map has a number at the tab.
                try ben.wait(for: "badge") { try ben.elements("#tabs a[data-tab=friends] .badge").first }
                if answer == "friends.reject" {
                    try ben.goToTab("friends")
                    try ben.click(.button, words(answer) + ": ana")
                    try ana.wait(for: "request to be gone") {
                        try ana.elements(.button, words("friends.cancelRequest") + ": ben").isEmpty ? true : nil
                    }
                    try ben.goToTab("map")
                } else {
                    try ana.click(.button, words(answer) + ": ben")
                }
                try ben.wait(for: "no badge") {
                    try ben.elements("#tabs a[data-tab=friends] .badge").isEmpty ? true : nil
                }
            }
        }
    }
}

extension Browser {
    /// Signs up by the form, from the first page to the map.
    func signUp(_ app: ServedApp, _ username: String, _ words: Words) throws {
        try open(app.origin + "/")
        try click(.button, words("profile.signUp"))
        try fillSignUp(username, words)
        try element("#tabs a[aria-current=page]")
    }

    func fillSignUp(_ username: String, _ words: Words) throws {
        try fill(words("profile.username"), username)
        try fill(words("profile.email"), "\(username)@example.org")
        try fill(words("profile.password"), Person.password(of: username))
        try click("form button[type=submit]")
    }

    /// Waits until neither the database nor the caches have anything of some pins.
    func waitForNothingKept(of pins: Set<String>) throws {
        try wait(for: "database without the pins") { try keptPins().isDisjoint(with: pins) ? true : nil }
        let paths = try cachedPaths()
        if let path = paths.first(where: { $0.hasPrefix("/v1/") }) {
            throw WebDriverError("a cache keeps \(path), which is for one account's eyes")
        }
    }
}
