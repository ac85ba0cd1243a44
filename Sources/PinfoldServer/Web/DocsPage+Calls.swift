extension DocsPage {
    /// Operations: parameters, bodies, answers and a command line.
    static let callsScript = #"""
        const slug = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");

        /** Each operation of the document with its id in this page and the words that it is found by. */
        function callsOf() {
          return Object.entries(api.paths ?? {}).flatMap(([path, item]) => {
            const shared = resolve(item);
            return METHODS.filter((method) => shared[method]).map((method) => {
              const operation = shared[method];
              const own = (operation.parameters ?? []).map(resolve);
              const parameters = [...(shared.parameters ?? []).map(resolve).filter((parameter) =>
                !own.some((other) => other.name === parameter.name && other.in === parameter.in)), ...own];
              const id = operation.operationId ?? slug(`${method} ${path}`);
              const call = { path, method, operation, parameters, id };
              const fields = Object.values(resolve(operation.requestBody).content ?? {})
                .flatMap((media) => Object.keys(flat(media.schema ?? {}).properties ?? {}));
              call.words = [method, path, operation.operationId, operation.summary, operation.description,
                ...(operation.tags ?? []), ...parameters.map((parameter) => parameter.name), ...fields]
                .filter(Boolean).join(" ").toLowerCase();
              return call;
            });
          });
        }

        function pathNodes(path) {
          return path.split(/(\{[^}]*\})/).map((part) => (part.startsWith("{") ? make("i", { text: part }) : part));
        }

        const isJSON = (type) => /[/+]json\b/.test(type);

        function mediaNodes(content, caption) {
          return Object.entries(content ?? {}).flatMap(([type, media]) => {
            const rows = propertyRows(media.schema ?? {});
            const given = media.example ?? Object.values(media.examples ?? {}).map((one) => resolve(one).value)[0];
            const value = given ?? (isJSON(type) && media.schema ? example(media.schema) : undefined);
            const facts = make("p", { class: "facts" }, make("code", { text: type }),
              media.schema ? make("span", {}, ...typeNodes(media.schema)) : null);
            return [facts, rows.length ? fieldTable(caption, rows) : null, value === undefined ? null
              : make("pre", { tabindex: "0",
                text: typeof value === "string" ? value : JSON.stringify(value, null, 2) })]
              .filter(Boolean);
          });
        }

        function answerNodes(status, node) {
          const answer = resolve(node);
          const shade = status.startsWith("2") ? "good" : status.startsWith("3") ? "moved" : "bad";
          const headers = Object.entries(answer.headers ?? {}).map(([name, header]) =>
            fieldRow(name, resolve(header).schema ?? { type: "string" }, false, resolve(header).description));
          const parts = [...mediaNodes(answer.content, `Fields of the answer ${status}`),
            ...(headers.length ? [make("h4", { text: "Headers" }),
              fieldTable(`Headers of the answer ${status}`, headers)] : [])];
          const line = make("summary", {}, make("b", { class: shade, text: status }),
            ...inline(answer.description ?? ""));
          if (!parts.length) parts.push(make("p", { class: "facts", text: "No body." }));
          return make("details", { class: "answer" }, line, make("div", {}, ...parts));
        }

        /** A command line that makes the call, in a shell's quotes. */
        function curlText(call) {
          const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
          const needed = call.parameters.filter((parameter) => parameter.in === "query" && parameter.required)
            .map((parameter) => `${parameter.name}=${parameter.example ?? example(parameter.schema ?? {})}`).join("&");
          const lines = [`curl ${call.method === "get" ? "" : `-X ${call.method.toUpperCase()} `}${
            shellQuoted(`${location.origin}${call.path}${needed ? `?${needed}` : ""}`)}`];
          if ((call.operation.security ?? api.security ?? []).some((choice) => Object.keys(choice).length)) {
            lines.push("-H \"Authorization: Bearer $TOKEN\"");
          }
          const [type, media] = Object.entries(resolve(call.operation.requestBody).content ?? {})[0] ?? [];
          if (type && isJSON(type)) {
            const value = media.example ?? Object.values(media.examples ?? {}).map((one) => resolve(one).value)[0]
              ?? example(media.schema ?? {});
            lines.push(`-H ${shellQuoted(`Content-Type: ${type}`)}`, `-d ${shellQuoted(JSON.stringify(value))}`);
          } else if (type) {
            lines.push(`-H ${shellQuoted(`Content-Type: ${type}`)}`, "--data-binary @FILE");
          }
          return lines.join(" \\\n  ");
        }

        function accessText(operation) {
          const choices = operation.security ?? api.security ?? [];
          const names = [...new Set(choices.flatMap(Object.keys))];
          if (!names.length) return "Open to everyone";
          const optional = choices.some((choice) => !Object.keys(choice).length);
          return `${optional ? "Signed in or not" : "Signed in"}: ${names.join(" or ")}`;
        }

        function callBody(call) {
          const { operation, parameters } = call;
          const request = resolve(operation.requestBody);
          const section = (title, ...nodes) => make("section", {}, make("h3", { text: title }), ...nodes);
          return make("div", { class: "body" },
            operation.description ? make("div", {}, ...prose(operation.description)) : null,
            make("p", { class: "facts" }, make("span", { text: accessText(operation) }),
              operation.deprecated ? make("span", { class: "bad", text: "Deprecated" }) : null,
              make("a", { class: "anchor", href: `#${call.id}`, text: "Link to this call" })),
            parameters.length ? section("Parameters", fieldTable("Parameters", parameters.map((parameter) =>
              fieldRow(parameter.name, parameter.schema ?? {}, parameter.required, parameter.description, 0,
                parameter.in)))) : null,
            request.content ? section(request.required ? "Body" : "Body, optional", ...prose(request.description),
              ...mediaNodes(request.content, "Fields of the body")) : null,
            section("Example", make("pre", { tabindex: "0", text: curlText(call) })),
            section("Answers", ...Object.entries(operation.responses ?? {})
              .map(([status, node]) => answerNodes(status, node))));
        }

        function callNode(call) {
          const box = make("details", { class: `call ${call.method}`, id: call.id },
            make("summary", {}, make("span", { class: "verb", text: call.method }),
              make("span", { class: "path" }, ...pathNodes(call.path)),
              call.operation.summary ? make("span", { class: "about" }, ...inline(call.operation.summary)) : null));
          // A long API opens at once because a call is laid out only when it is looked at.
          box.addEventListener("toggle", () => {
            if (box.open && box.children.length === 1) box.append(callBody(call));
          });
          return box;
        }

        function typeNode(name, schema) {
          const box = make("details", { class: "call", id: `type-${name}` },
            make("summary", {}, make("span", { class: "verb", text: "type" }),
              make("span", { class: "path", text: name })));
          box.addEventListener("toggle", () => {
            if (!box.open || box.children.length > 1) return;
            const rows = propertyRows(schema);
            const limits = limitsText(schema);
            const { description } = flat(schema);
            box.append(make("div", { class: "body" }, description ? make("div", {}, ...prose(description)) : null,
              make("p", { class: "facts" }, make("span", {}, ...typeNodes(flat(schema))),
                limits ? make("span", { text: limits }) : null),
              rows.length ? fieldTable(`Fields of ${name}`, rows) : null,
              make("pre", { tabindex: "0", text: JSON.stringify(example(schema, [name]), null, 2) })));
          });
          return box;
        }
        """#
}
