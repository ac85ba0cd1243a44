import Foundation
import Synchronization
import Testing
import WebDriver

/// What a test wants of its browsers.
struct WindowOptions {
    var browser = Browser.Options()
    /// Parts of console errors that the test provokes.
    var expectedErrors: [String] = []
}

/// Runs `body` with a fresh service and one browser, and clears up. Fails the test on errors in the console that it does
/// not expect, and on any request that was to leave the machine.
func withWindow(
    _ options: WindowOptions = WindowOptions(), _ body: @Sendable (ServedApp, Browser) throws -> Void
) async throws {
    try await withWindows(1, options) { app, windows in try body(app, windows[0]) }
}

/// As `withWindow`, with two browsers that share nothing.
func withTwoWindows(
    _ options: WindowOptions = WindowOptions(), _ body: @Sendable (ServedApp, Browser, Browser) throws -> Void
) async throws {
    try await withWindows(2, options) { app, windows in try body(app, windows[0], windows[1]) }
}

private func withWindows(
    _ count: Int, _ options: WindowOptions, _ body: @Sendable (ServedApp, [Browser]) throws -> Void
) async throws {
    try await withTaskExecutorPreference(OwnThread.shared) {
        let app = try ServedApp()
        let trap = try OutboundTrap()
        var browserOptions = options.browser
        browserOptions.proxyPort = trap.port
        var windows: [Browser] = []
        defer { for window in windows { window.close() } }
        for _ in 0..<count { windows.append(try Browser(Driver.running.get(), browserOptions)) }
        do {
            try body(app, windows)
        } catch {
            for (index, window) in windows.enumerated() {
                Issue.record("window \(index + 1) at the failure: \(window.state)")
                try? window.saveScreenshot("failed-\(Test.current?.name ?? "test")-\(index + 1)")
            }
            try? reportConsoles(of: windows, options)
            throw error
        }
        try reportConsoles(of: windows, options)
        #expect(trap.asked.isEmpty, "a request was to leave the machine")
    }
}

private func reportConsoles(of windows: [Browser], _ options: WindowOptions) throws {
    for (index, window) in windows.enumerated() {
        for entry in try window.console() where entry.level == "SEVERE" {
            let isExpected = options.expectedErrors.contains { entry.text.contains($0) }
            #expect(isExpected, "window \(index + 1) has in its console: \(entry.text)")
        }
    }
}

/// One chromedriver for all tests of the process.
private enum Driver {
    static let running = Result { try ChromeDriver() }
}

extension Browser {
    /// Saves the page as it looks to `.build/screenshots`.
    func saveScreenshot(_ name: String) throws {
        try FileManager.default.createDirectory(at: Checkout.screenshots, withIntermediateDirectories: true)
        let file = name.map { $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "-" }.joined()
        try screenshot().write(to: Checkout.screenshots.appending(path: file + ".png"))
    }

    /// What a failed test tells of the page.
    fileprivate var state: String {
        let text = try? run("return location.href + '\\n' + document.body.innerText.slice(0, 1500)").text
        return text ?? "no page"
    }
}

/// A thread that runs tasks one after the other: the tests here wait for browsers, which would take the threads that all
/// other tests share, and more browsers at a time would get in each other's way.
private final class OwnThread: TaskExecutor {
    static let shared = OwnThread()
    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    /// It runs as long as the process.
    private init() {
        let thread = Thread { [self] in
            while true {
                count.wait()
                let job = jobs.withLock { $0.removeFirst() }
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }
}
