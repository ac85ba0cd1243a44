/// The page at `/docs`: `/openapi.json`, readable.
enum DocsPage {
    static let markup = #"""
        <a class="skip" href="#main">Skip to the content</a>
        <noscript><p class="notice">This page needs JavaScript. What it shows is the OpenAPI document at
          <a href="/openapi.json">/openapi.json</a>.</p></noscript>
        <header class="bar">
          <a class="brand" href="/" aria-label="Pinfold, to the pins">
            <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M20.2 4.7a12 12 0 1 1-8.4 0" fill="none"
              stroke="currentColor" stroke-width="3" stroke-linecap="round"/><circle cx="16" cy="16" r="4.5"
              fill="currentColor"/></svg>
            <span class="brand-name">Pinfold</span>
          </a>
          <span class="what">API</span>
          <form class="find" id="find" method="post" role="search">
            <label class="unseen" for="find-text">Search the API</label>
            <input id="find-text" type="search" placeholder="Search calls and fields" autocomplete="off"
              spellcheck="false"
              aria-keyshortcuts="/">
          </form>
          <a class="raw" href="/openapi.json">openapi.json</a>
        </header>
        <div class="frame">
          <nav class="index" id="index" aria-label="Calls"></nav>
          <main id="main" tabindex="-1">
            <p class="status" id="status" role="status">Loading the API description</p>
            <div id="intro"></div>
            <div id="groups"></div>
          </main>
        </div>
        """#
}
