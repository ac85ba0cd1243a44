import Foundation

/// An element of a page. It is of no use any more once the page has thrown it away.
package struct Element: Sendable {
    package let browser: Browser
    /// The standard's reference (W3C WebDriver 2, 12.1).
    let reference: String

    /// What stands for an element in the arguments and answers of scripts.
    static let key = "element-6066-11e4-a52e-4f735466cecf"

    package init?(_ browser: Browser, _ json: JSON) {
        guard let reference = json[Self.key]?.text else { return nil }
        self.browser = browser
        self.reference = reference
    }

    package var json: JSON { [Self.key: .string(reference)] }

    @discardableResult
    private func command(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
        try browser.command(method, "/element/\(reference)\(path)", body)
    }

    /// Clicks in its middle, as a person would: what covers it gets the click, which is an error here.
    package func click() throws { try command("POST", "/click") }

    /// Types at its end, key by key; `Keys` has those without a character.
    package func type(_ text: String) throws { try command("POST", "/value", ["text": .string(text)]) }

    package func clear() throws { try command("POST", "/clear") }

    /// Replaces its text by typing.
    package func fill(_ text: String) throws {
        try clear()
        try type(text)
    }

    /// As it is shown.
    package var text: String {
        get throws { try command("GET", "/text").text ?? "" }
    }

    package var isDisplayed: Bool {
        get throws { try command("GET", "/displayed") == true }
    }

    package func attribute(_ name: String) throws -> String? {
        try browser.run("return arguments[0].getAttribute(arguments[1])", json, .string(name)).text
    }

    package func property(_ name: String) throws -> JSON {
        try command("GET", "/property/\(name)")
    }

    /// Where it is in the window, in CSS pixels.
    package var frame: (x: Double, y: Double, width: Double, height: Double) {
        get throws {
            let frame = try browser.run(
                "const r = arguments[0].getBoundingClientRect(); return [r.x, r.y, r.width, r.height]", json
            ).elements.compactMap(\.number)
            guard frame.count == 4 else { throw WebDriverError("the element has no place") }
            return (frame[0], frame[1], frame[2], frame[3])
        }
    }
}
