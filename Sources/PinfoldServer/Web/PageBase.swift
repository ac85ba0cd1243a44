/// What pages start from: colors, type and controls, and the one way to make elements.
enum PageBase {
    static let style = #"""
        :root {
          color-scheme: light dark;
          --paper: #f1f4f2; --card: #ffffff; --well: #e8edea; --ink: #16201b; --muted: #56635d; --line: #d5ddd8;
          --edge: #7d8b84; --spruce: #14573f; --focus: #0b62d6; --fault: #b3261e; --star: #b06f00; --unlit: #c9d2cd;
          --on-ink: #ffffff; --shadow: 0 1px 2px #16201b14, 0 8px 24px #16201b0f;
          --food: #c94d15; --nightlife: #6d41c2; --nature: #23803a; --shopping: #bf2b78; --culture: #1c68bb;
          --education: #8a6600; --other: #58666f;
          --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
          --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #0e1311; --card: #161d1a; --well: #1f2824; --ink: #e8eeeb; --muted: #9aa8a1; --line: #2b3631;
            --edge: #6d7b74; --spruce: #7fd3ae; --focus: #7db4ff; --fault: #ff9d94; --star: #f2b53c; --unlit: #3c4842;
            --on-ink: #10160f; --shadow: 0 1px 2px #0006, 0 8px 24px #0005;
            --food: #ff8d54; --nightlife: #b69bff; --nature: #66cf80; --shopping: #ff80bb; --culture: #72b5ff;
            --education: #e2bd4b; --other: #a5b3bb;
          }
        }
        *, *::before, *::after { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { scrollbar-gutter: stable; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans);
          overflow-wrap: anywhere; min-height: 100vh; min-height: 100dvh;
        }
        h1, h2, h3, p, ol, ul, dl, dd, figure, fieldset { margin: 0; padding: 0; border: 0; }
        h1, h2, h3 { line-height: 1.2; letter-spacing: -.012em; text-wrap: balance; }
        ol, ul { list-style: none; }
        button, input, select, textarea { font: inherit; color: inherit; }
        a { color: var(--spruce); text-underline-offset: .18em; text-decoration-thickness: .07em; }
        :focus-visible { outline: 2.5px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
        :focus:not(:focus-visible) { outline: none; }
        .unseen {
          position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap;
        }
        .skip { position: absolute; left: 1rem; top: -4rem; z-index: 30; background: var(--ink); color: var(--on-ink);
          padding: .5rem .9rem; border-radius: 8px; }
        .skip:focus { top: .6rem; }
        .mark { flex: none; width: 30px; height: 30px; color: var(--spruce); }
        @media (prefers-reduced-motion: reduce) {
          *, *::before, *::after { transition: none !important; animation: none !important;
            scroll-behavior: auto !important; }
        }
        """#

    static let script = #"""
        "use strict";

        const byId = (id) => document.getElementById(id);

        /** An element with properties, listeners (`onclick`) and children; text is only ever set as text. */
        function make(tag, properties = {}, ...children) {
          const element = document.createElement(tag);
          for (const [key, value] of Object.entries(properties)) {
            if (value === undefined || value === null || value === false) continue;
            if (key === "text") element.textContent = value;
            else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
            else element.setAttribute(key, value === true ? "" : value);
          }
          element.append(...children.filter((child) => child !== null && child !== undefined));
          return element;
        }
        """#
}
