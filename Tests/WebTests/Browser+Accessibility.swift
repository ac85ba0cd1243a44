import Foundation
import Testing
import WebDriver

extension Browser {
    /// Checks the page as it is shown now: names of all controls by the browser's own accessibility tree, then labels,
    /// identifiers, headings, landmarks, contrast, and sizes of what can be clicked.
    ///
    /// - Parameter target: the least width and height of what can be clicked, in CSS pixels.
    func checkAccessibility(
        _ page: String, target: Int = 24, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        // What is still being faded in has no contrast yet; what was just put in begins to be with the next frame.
        try wait(
            for: "end of what moves",
            script: """
                return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>
                  done(document.getAnimations().every(each => each.effect.getTiming().iterations === Infinity)))));
                """)
        let script = try Script.named("accessibility")
        var faults = try run(script, ["target": .number(Double(target))]).elements.compactMap(\.text)
        faults += try namelessControls()
        for fault in faults { Issue.record("\(page): \(fault)", sourceLocation: sourceLocation) }
    }

    /// Roles that are of no use without a name (WAI-ARIA 1.2, 5.2.8.4).
    private static let named = Set(
        """
        button link textbox searchbox combobox checkbox radio switch tab menuitem option slider spinbutton listbox img
        dialog alertdialog heading region meter progressbar
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private func namelessControls() throws -> [String] {
        try devTools("Accessibility.enable")
        defer { _ = try? devTools("Accessibility.disable") }
        var faults: [String] = []
        for node in try devTools("Accessibility.getFullAXTree")["nodes"]?.elements ?? [] {
            guard node["ignored"] == false, let role = node["role"]?["value"]?.text, Self.named.contains(role),
                (node["name"]?["value"]?.text ?? "").trimmingCharacters(in: .whitespaces).isEmpty
            else { continue }
            let markup = try node["backendDOMNodeId"].map {
                try devTools("DOM.getOuterHTML", ["backendNodeId": $0])["outerHTML"]?.text ?? ""
            }
            faults.append("a \(role) without a name (WCAG 4.1.2): \((markup ?? "").prefix(160))")
        }
        return faults
    }

    /// Walks through the page by Tab, and checks that each stop is in view, can be seen to have the focus, and that the
    /// walk comes to an end.
    ///
    /// - Returns: what the stops are, by their names for people.
    @discardableResult
    func checkTabOrder(
        _ page: String, stops limit: Int = 150, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let script = try Script.named("focus")
        try run(script, "start")
        var stops: [String] = []
        while stops.count < limit {
            try press(Keys.tab)
            let stop = try run(script, "stop")
            guard let name = stop["name"]?.text else { return stops }
            stops.append(name)
            for fault in stop["faults"]?.elements ?? [] {
                Issue.record("\(page): \(fault.text ?? ""): \(name)", sourceLocation: sourceLocation)
            }
        }
        Issue.record("\(page): Tab comes to no end within \(limit) stops", sourceLocation: sourceLocation)
        return stops
    }
}

/// Scripts that run in the page.
enum Script {
    /// The body of a function.
    static func named(_ name: String) throws -> String {
        let file = Bundle.module.bundleURL.appending(path: "Scripts/\(name).js")
        return try String(contentsOf: file, encoding: .utf8)
    }
}
