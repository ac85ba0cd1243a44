/// Why a browser did not do what it was told, in words for whoever reads a failed test.
package struct WebDriverError: Error, CustomStringConvertible {
    /// The error's code of the WebDriver standard, such as `no such element`; of errors found here, nil.
    package let code: String?
    package let description: String

    package init(code: String? = nil, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The page was in motion: an element was replaced, is covered or not yet shown. Trying again may help.
    package var isPassing: Bool {
        switch code {
        case "stale element reference", "no such element", "element click intercepted", "element not interactable",
            "detached shadow root", "invalid element state", "move target out of bounds":
            true
        // The page is just being replaced.
        case "javascript error", "unknown error":
            ["uniqueContextId not found", "context was destroyed", "Cannot find context", "aborted by navigation"]
                .contains { description.contains($0) }
        default: false
        }
    }
}
