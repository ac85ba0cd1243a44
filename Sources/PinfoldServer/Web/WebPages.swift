/// The pages that the server holds, as part of its one binary.
package enum WebPages {
    /// The API's description, readable, at `/docs`.
    package static let docs = WebPage(
        title: "API · Pinfold",
        head: """
            <meta name="description" content="The HTTP API of this server.">
            \(icon)
            """,
        style: PageBase.style + "\n\n" + DocsPage.style,
        body: DocsPage.markup,
        script: [PageBase.script, DocsPage.schemaScript, DocsPage.callsScript, DocsPage.startScript]
            .joined(separator: "\n\n"))

    /// The mark: a fold, open at the top, with a pin in it.
    private static let icon = [
        "<link rel=\"icon\" href=\"data:image/svg+xml,",
        "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='%2314573f'%3E",
        "%3Crect width='32' height='32' rx='8'/%3E",
        "%3Cpath d='M19.4 6.5a10 10 0 1 1-6.8 0' fill='none' stroke='%23fff' ",
        "stroke-width='3' stroke-linecap='round'/%3E",
        "%3Ccircle cx='16' cy='16' r='3.8' fill='%23fff'/%3E%3C/svg%3E\">",
    ].joined()
}
