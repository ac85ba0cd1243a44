import Testing
import WebDriver

/// What people write is shown as they wrote it, and nothing of it acts.
@Suite struct HostileTextTests {
    private static let names = [
        "<img src=x onerror=\"window.isOwned=true\"><script>window.isOwned=true</script>",
        "مقهى السلام 🕌", "\u{202E}gnp.evil", "👩‍👩‍👧‍👦 家族", "{name} & {count} &lt;b&gt;", "Ünï\u{0301}\u{0302}\u{0303}cödé",
        String(repeating: "W", count: 200),
    ]

    /// What turns the text after it is not shown.
    private static func shown(_ name: String) -> String { name.replacing("\u{202E}", with: "") }

    @Test(arguments: [320, 1280]) func `names with markup, from right to left and without spaces do no harm`(
        width: Int
    ) async throws {
        var options = WindowOptions()
        options.browser.width = width
        options.browser.height = 720
        options.browser.isPhone = width < 720
        try await withWindow(options) { app, window in
            let words = try Words("en")
            let (ana, ben) = (try app.signUp("ana"), try app.signUp("ben"))
            try ben.befriend(ana)
            var ids: [String: String] = [:]
            for (index, name) in Self.names.enumerated() {
                ids[name] = try ben.drop(
                    name, at: 44.9551 + Double(index) / 10_000, -93.1022,
                    ["comment": .string(name), "address": .string(name)])
            }
            try ben.send(
                "PATCH", "/v1/me",
                ["displayName": .string(Self.names[0].prefix(100).description), "bio": .string(Self.names[1])])
            try window.open(app, as: ana, "/#map=14/44.9551/-93.1022")
            try window.wait(for: "all pins in the list") {
                try Set(window.pinNames()) == Set(Self.names.map(Self.shown)) ? true : nil
            }
            try window.checkAccessibility("hostile names in the list \(width)")
            for name in Self.names {
                try window.open(app.origin + "/p/\(ids[name] ?? "")")
                try window.wait(for: "sheet of \(name)") {
                    try window.run("return document.querySelector('dialog h2')?.textContent").text == Self.shown(name)
                        ? true : nil
                }
                try window.checkAccessibility("sheet of a hostile name \(width)")
            }
            try window.goToTab("friends")
            try window.waitFor(text: "@ben")
            try window.element(.button, words("friends.viewPins") + ": " + Self.names[0].prefix(100).description)
            try window.checkAccessibility("hostile names among friends \(width)")
            try window.saveScreenshot("hostile-\(width)")
            #expect(try window.run("return window.isOwned ?? null") == .null)
        }
    }

    @Test func `a comment of 10,000 characters is folded, and can be read and edited`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            let comment = String(repeating: "All work and no play. ", count: 454) + "The end."
            #expect(comment.count <= 10_000)
            let pin = try ana.drop("Hotel", at: 44.9551, -93.1022, ["comment": .string(comment)])
            try window.open(app, as: ana, "/p/\(pin)")
            try window.click(.button, words("map.showAll"))
            try window.waitFor(text: "The end.")
            try window.click(.button, words("map.act.edit"))
            let field = try window.element("textarea")
            #expect(try field.property("value") == .string(comment))
            try field.type("!")
            try window.click(.button, words("map.form.save"))
            try window.wait(for: "longer comment") {
                try ana.send("GET", "/v1/pins/\(pin)")["comment"] == .string(comment + "!") ? true : nil
            }
        }
    }

    @Test func `a clock that is a year behind or ahead shows no nonsense`() async throws {
        try await withWindow { app, window in
            let ana = try app.signUp("ana")
            let pin = try ana.drop("Attic", at: 44.9551, -93.1022)
            try window.devTools("Page.enable")
            for years in [-1, 1] {
                try window.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    [
                        "source": """
                        { const now = Date.now, RealDate = Date;
                          Date.now = () => now() + \(years) * 365 * 86400e3; }
                        """
                    ])
                try window.open(app, as: ana, "/p/\(pin)")
                try window.element(.heading, "Attic")
                #expect(try !window.shows("NaN") && !window.shows("undefined") && !window.shows("Invalid"))
                #expect(try !window.shows("in 1 year"))
            }
        }
    }
}
