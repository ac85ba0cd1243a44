extension DocsPage {
    /// Groups, index, search and deep links.
    static let startScript = #"""
        const entries = [];

        function showGroups() {
          const calls = callsOf();
          const described = new Map((api.tags ?? []).map((tag) => [tag.name, tag.description]));
          const names = [...new Set([...described.keys(),
            ...calls.map((call) => call.operation.tags?.[0] ?? "Other")])];
          const group = (name, description, items) => {
            const title = make("h2", { text: name });
            const box = make("section", { class: "group", id: `group-${slug(name)}` }, title, ...prose(description));
            const heading = make("h2", { text: name });
            const links = items.map(({ node, link, words }) => {
              box.append(node);
              entries.push({ node, link, words, box, heading });
              return link;
            });
            byId("groups").append(box);
            byId("index").append(heading, ...links);
          };
          for (const name of names) {
            const items = calls.filter((call) => (call.operation.tags?.[0] ?? "Other") === name).map((call) => ({
              node: callNode(call), words: call.words,
              link: make("a", { href: `#${call.id}` },
                make("span", { class: `verb ${call.method}`, text: call.method }),
                make("span", { text: call.path })),
            }));
            if (items.length) group(name, described.get(name), items);
          }
          const types = Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => ({
            node: typeNode(name, schema), link: make("a", { class: "type", href: `#type-${name}`, text: name }),
            words: `type ${name} ${Object.keys(flat(schema).properties ?? {}).join(" ")}`.toLowerCase(),
          }));
          if (types.length) group("Types", "", types);
          byId("groups").append(make("p", { class: "none", id: "none", hidden: true,
            text: "Nothing has all of these words." }));
        }

        /** Leaves what has every word of the search. */
        function search() {
          const words = byId("find-text").value.toLowerCase().split(/\s+/).filter(Boolean);
          const shown = new Set();
          let count = 0;
          for (const entry of entries) {
            const fits = words.every((word) => entry.words.includes(word));
            entry.node.hidden = entry.link.hidden = !fits;
            if (fits) {
              shown.add(entry.box);
              count += 1;
            }
          }
          for (const entry of entries) entry.box.hidden = entry.heading.hidden = !shown.has(entry.box);
          byId("none").hidden = count > 0;
          byId("intro").hidden = words.length > 0;
          byId("status").textContent = words.length ? `${count} found` : "";
        }

        /** Opens what the address names. */
        function follow() {
          const id = decodeURIComponent(location.hash.slice(1));
          for (const { node, link } of entries) {
            if (node.id === id) link.setAttribute("aria-current", "location");
            else link.removeAttribute("aria-current");
          }
          const found = entries.find((entry) => entry.node.id === id);
          if (!found) return;
          if (found.node.hidden) {
            byId("find-text").value = "";
            search();
          }
          found.node.open = true;
          // The body is laid out on the toggle event, which comes after this turn.
          setTimeout(() => {
            found.node.scrollIntoView();
            found.node.querySelector("summary").focus({ preventScroll: true });
          });
        }

        async function start() {
          byId("find").addEventListener("submit", (event) => event.preventDefault());
          byId("find-text").addEventListener("input", search);
          addEventListener("hashchange", follow);
          addEventListener("click", (event) => {
            const link = event.target.closest?.("a[href^='#']");
            if (link && link.hash === location.hash) follow();
          });
          addEventListener("keydown", (event) => {
            if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, textarea")) return;
            event.preventDefault();
            byId("find-text").focus();
          });
          try {
            const response = await fetch("/openapi.json", { cache: "no-cache" });
            if (!response.ok) throw new Error(`The server answered ${response.status}.`);
            api = await response.json();
          } catch (error) {
            byId("status").textContent = `The API description could not be loaded. ${error.message}`;
            return;
          }
          const { title = "API", version = "", description } = api.info ?? {};
          document.title = `API · ${title}`;
          byId("intro").append(make("h1", {}, title, version ? make("small", { text: version }) : null),
            ...prose(description));
          showGroups();
          byId("status").textContent = "";
          follow();
        }

        start();
        """#
}
