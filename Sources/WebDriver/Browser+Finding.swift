extension Browser {
    /// Waits for the one element that a CSS selector finds first and that is shown.
    @discardableResult
    package func element(_ selector: String, within limit: Duration = Browser.patience) throws -> Element {
        try wait(for: "\(selector) on the page", within: limit) { try elements(selector).first }
    }

    /// All shown elements that a CSS selector finds now.
    package func elements(_ selector: String) throws -> [Element] {
        try run(
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility(\(Self.visible)))",
            .string(selector)
        ).elements.compactMap { Element(self, $0) }
    }

    /// Waits for an element as a screen reader's user would name it: by its role and its accessible name.
    ///
    /// - Parameter scope: the element to look in; nil for the page.
    @discardableResult
    package func element(
        _ role: Role, _ name: String, in scope: Element? = nil, within limit: Duration = Browser.patience
    ) throws -> Element {
        try wait(for: "\(role.rawValue) “\(name)” on the page", within: limit) {
            try elements(role, name, in: scope).first
        }
    }

    /// All shown elements of a role, with a name, that are there now.
    package func elements(_ role: Role, _ name: String? = nil, in scope: Element? = nil) throws -> [Element] {
        try run(
            Self.finder, .string(role.selector), name.map { JSON.string($0) } ?? .null, scope?.json ?? .null
        ).elements.compactMap { Element(self, $0) }
    }

    /// Waits until it is there, in view and not covered, and clicks it.
    package func click(_ role: Role, _ name: String, in scope: Element? = nil) throws {
        try wait(for: "\(role.rawValue) “\(name)” to click") {
            try elements(role, name, in: scope).first?.click()
        }
    }

    package func click(_ selector: String) throws {
        try wait(for: "\(selector) to click") { try elements(selector).first?.click() }
    }

    /// Replaces the text of the field with that label.
    package func fill(_ label: String, _ text: String, in scope: Element? = nil) throws {
        try wait(for: "field “\(label)”") { try elements(.textbox, label, in: scope).first?.fill(text) }
    }

    /// Whether a text is shown anywhere on the page.
    package func shows(_ text: String) throws -> Bool {
        try run("return document.body.innerText.includes(arguments[0])", .string(text)) == true
    }

    package func waitFor(text: String, within limit: Duration = Browser.patience) throws {
        try wait(for: "text “\(text)” on the page", within: limit) { try shows(text) ? true : nil }
    }

    package func waitFor(noText text: String, within limit: Duration = Browser.patience) throws {
        try wait(for: "page without the text “\(text)”", within: limit) { try shows(text) ? nil : true }
    }

    /// What an element is to those who use the page (WAI-ARIA 1.2, 5.3).
    package enum Role: String, Sendable {
        case button, link, textbox, combobox, checkbox, radio, option, tab, heading, dialog, listitem, alert, status,
            menuitem, img, navigation, main, region

        /// What can have the role, by HTML (HTML-AAM) or by attribute.
        fileprivate var selector: String {
            let native: String? =
                switch self {
                case .button: "button,summary,input[type=submit],input[type=button]"
                case .link: "a[href]"
                case .textbox:
                    "textarea,input:not([type]),"
                        + ["text", "email", "password", "tel", "url", "search", "number", "datetime-local", "date"]
                        .map { "input[type=\($0)]" }.joined(separator: ",") + ",[role=searchbox],input[role=combobox]"
                case .combobox: "select"
                case .checkbox: "input[type=checkbox],[role=switch]"
                case .radio: "input[type=radio]"
                case .heading: "h1,h2,h3,h4,h5,h6"
                case .dialog: "dialog,[role=alertdialog]"
                case .listitem: "li"
                case .status: "output"
                case .img: "img"
                case .navigation: "nav"
                case .main: "main"
                case .option: "option"
                default: nil
                }
            return [native, "[role=\(rawValue)]"].compactMap(\.self).joined(separator: ",")
        }
    }

    private static let visible = "{opacityProperty: false, visibilityProperty: true, contentVisibilityAuto: true}"

    /// The accessible name in short (Accessible Name and Description Computation 1.2): labels, then `alt` and text, then
    /// the title.
    private static let finder = """
        const [selector, wanted, scope] = arguments;
        const tidy = text => text.replace(/\\s+/g, " ").trim();
        const content = node => {
          if (node.nodeType === Node.TEXT_NODE) return node.data;
          if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
          if (node.hasAttribute("aria-label")) return " " + node.getAttribute("aria-label") + " ";
          if (node.localName === "img") return node.alt;
          if (!node.checkVisibility()) return "";
          return " " + [...node.childNodes].map(content).join("") + " ";
        };
        const name = element => {
          const by = (element.getAttribute("aria-labelledby") ?? "").split(/\\s+/)
            .map(id => id && element.getRootNode().getElementById(id)).filter(Boolean);
          if (by.length) return tidy(by.map(content).join(" "));
          const label = element.getAttribute("aria-label");
          if (label?.trim()) return tidy(label);
          if (element.labels?.length) {
            return tidy([...element.labels].map(l => [...l.childNodes]
              .map(n => n === element || n.contains?.(element) && n.matches("select") ? "" : content(n)).join("")).join(" "));
          }
          return tidy(content(element)) || tidy(element.title ?? "");
        };
        return [...(scope ?? document).querySelectorAll(selector)].filter(element =>
          (!element.hasAttribute("role") || selector.includes(`[role=${element.getAttribute("role")}]`)) &&
          element.checkVisibility(\(visible)) && !element.closest("[inert]") &&
          (wanted === null || name(element) === wanted));
        """
}
