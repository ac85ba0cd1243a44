import Foundation

/// A Chromium with a profile of its own and one window, without a screen. Each call waits on the calling thread until
/// the browser has answered: call it where blocking is allowed.
package final class Browser: Sendable {
    package struct Options: Sendable {
        /// CSS pixels of the page.
        package var width = 1280
        package var height = 800
        /// What the browser asks servers for, and pages see.
        package var language = "en-US"
        /// Everything that does not go to this machine is sent to a proxy on this port.
        package var proxyPort: UInt16?
        /// Draws as a phone does, with touch.
        package var isPhone = false

        package init() {}
    }

    let driver: ChromeDriver
    let session: String
    private let profile: String

    /// - Throws: `WebDriverError`.
    package init(_ driver: ChromeDriver, _ options: Options = Options()) throws {
        self.driver = driver
        profile = "\(driver.folder)/\(UUID().uuidString)"
        let answer = try driver.command(
            "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "browserName": "chrome",
                        "pageLoadStrategy": "normal",
                        "unhandledPromptBehavior": "ignore",
                        "goog:loggingPrefs": ["browser": "ALL"],
                        "goog:chromeOptions": [
                            "args": .array(Self.arguments(options, profile: profile)),
                            "prefs": [
                                "intl.accept_languages": .string(options.language),
                                // Passwords typed in a test go nowhere else, not even as digests.
                                "credentials_enable_service": false,
                                "profile.password_manager_leak_detection": false,
                            ],
                        ],
                    ]
                ]
            ])
        guard let session = answer["sessionId"]?.text else { throw WebDriverError("there is no session") }
        self.session = session
        do {
            try resize(width: options.width, height: options.height, isPhone: options.isPhone)
        } catch {
            close()
            throw error
        }
    }

    private static func arguments(_ options: Options, profile: String) -> [JSON] {
        var arguments = [
            "--headless", "--user-data-dir=\(profile)", "--lang=\(options.language)",
            "--window-size=\(max(500, options.width)),\(options.height + 150)",
            // WebGL without a graphics card.
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
            // Containers have a small /dev/shm.
            "--disable-dev-shm-usage",
            // A window that nobody looks at goes on drawing and running its timers.
            "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
            "--disable-renderer-backgrounding",
            // What a browser asks its maker for.
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
            "--disable-features=OptimizationHints,MediaRouter,Translate,NetworkTimeServiceQuerying",
        ]
        if let port = options.proxyPort {
            arguments += ["--proxy-server=127.0.0.1:\(port)", "--proxy-bypass-list=127.0.0.1"]
        }
        // Chromium's sandbox refuses to work for root.
        if getuid() == 0 { arguments.append("--no-sandbox") }
        return arguments.map { .string($0) }
    }

    /// Ends the browser and removes its profile. After the last call.
    package func close() {
        _ = try? driver.command("DELETE", "/session/\(session)")
        try? FileManager.default.removeItem(atPath: profile)
    }

    // MARK: Commands

    /// A command of this browser's session; `path` starts with `/`.
    @discardableResult
    package func command(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
        try driver.command(method, "/session/\(session)\(path)", body)
    }

    /// A command of the Chrome DevTools Protocol.
    @discardableResult
    package func devTools(_ name: String, _ parameters: JSON = [:]) throws -> JSON {
        try command("POST", "/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
    }

    /// Runs the body of a function in the page and gives what it returns; a promise is waited for. `arguments` are its
    /// `arguments`.
    @discardableResult
    package func run(_ script: String, _ arguments: JSON...) throws -> JSON {
        try command("POST", "/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    // MARK: Pages

    /// Opens a page and waits for its `load` event.
    package func open(_ url: String) throws {
        try command("POST", "/url", ["url": .string(url)])
    }

    package func reload() throws { try command("POST", "/refresh") }
    package func back() throws { try command("POST", "/back") }

    package var url: String {
        get throws { try command("GET", "/url").text ?? "" }
    }

    package var title: String {
        get throws { try command("GET", "/title").text ?? "" }
    }

    /// The page as it looks, in PNG.
    package func screenshot() throws -> Data {
        guard let data = Data(base64Encoded: try command("GET", "/screenshot").text ?? "") else {
            throw WebDriverError("the screenshot cannot be read")
        }
        return data
    }

    /// What the page has written to the console since this was last asked, and what the browser has to say of it.
    package func console() throws -> [ConsoleEntry] {
        try command("POST", "/se/log", ["type": "browser"]).elements.map {
            ConsoleEntry(level: $0["level"]?.text ?? "", text: $0["message"]?.text ?? "")
        }
    }

    /// How long a page is waited for: as long as a machine may take that does much else.
    package static var patience: Duration { .seconds(60) }

    /// Waits until `condition` is neither nil nor thrown as an error that may pass: it is asked again and again.
    ///
    /// - Throws: `WebDriverError` that says what was waited for, and how it last failed.
    @discardableResult
    package func wait<T>(
        for what: @autoclosure () -> String, within limit: Duration = Browser.patience, _ condition: () throws -> T?
    ) throws -> T {
        let end = ContinuousClock.now + limit
        var last: WebDriverError?
        while true {
            do {
                if let value = try condition() { return value }
                last = nil
            } catch let error as WebDriverError where error.isPassing {
                last = error
            }
            guard ContinuousClock.now < end else {
                throw WebDriverError(
                    "there was no \(what()) within \(limit)" + (last.map { ": \($0.description)" } ?? ""))
            }
            usleep(20_000)
        }
    }

    /// Waits until a script's answer is neither false, 0, "" nor null, and gives it.
    @discardableResult
    package func wait(
        for what: @autoclosure () -> String, within limit: Duration = Browser.patience, script: String,
        _ arguments: JSON...
    ) throws -> JSON {
        try wait(for: what(), within: limit) {
            let answer = try command("POST", "/execute/sync", ["script": .string(script), "args": .array(arguments)])
            return answer.isTruthy ? answer : nil
        }
    }
}

/// One line of a browser's console.
package struct ConsoleEntry: Sendable, CustomStringConvertible {
    /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
    package let level: String
    package let text: String

    package var description: String { "\(level) \(text)" }
}
