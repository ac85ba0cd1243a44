import Testing
import WebDriver

@Suite struct DocsTests {
    @Test(arguments: ["light", "dark"], [320, 1440]) func `the API's description is readable, and accessible`(
        scheme: String, width: Int
    ) async throws {
        var options = WindowOptions()
        options.browser.width = width
        options.browser.isPhone = width < 720
        try await withWindow(options) { app, window in
            try window.setMedia(["prefers-color-scheme": scheme])
            try window.open(app.origin + "/docs")
            try window.element(.heading, "Accounts")
            try window.checkAccessibility("/docs")
            try window.saveScreenshot("docs-\(scheme)-\(width)")
        }
    }

    @Test func `the API's description can be walked through by keyboard`() async throws {
        try await withWindow { app, window in
            try window.open(app.origin + "/docs")
            try window.element(.heading, "Accounts")
            let stops = try window.checkTabOrder("/docs", stops: 1_000)
            #expect(stops.count > 20)
        }
    }
}
