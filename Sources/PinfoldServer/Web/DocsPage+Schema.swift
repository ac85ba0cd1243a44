extension DocsPage {
    /// Schemas as types in words, tables and examples.
    static let schemaScript = #"""
        /** Text with `code` between backquotes. */
        function inline(text) {
          return text.split("`").map((part, place) => (place % 2 ? make("code", { text: part }) : part));
        }

        function prose(text) {
          return (text ?? "").split(/\n\s*\n/).filter((part) => part.trim())
            .map((part) => make("p", { class: "prose" }, ...inline(part.trim())));
        }

        const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];
        let api = null;

        /** Follows `$ref` inside the document; what does not lead anywhere is an empty object. */
        function resolve(node) {
          let current = node;
          for (let hops = 0; current?.$ref !== undefined && hops < 16; hops += 1) {
            current = String(current.$ref).replace(/^#\//, "").split("/")
              .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
              .reduce((value, part) => value?.[part], api);
          }
          return current ?? {};
        }

        const typeName = (node) =>
          node?.$ref?.startsWith("#/components/schemas/") ? node.$ref.split("/").pop() : null;

        /** A schema with its reference followed and its `allOf` parts laid over one another. */
        function flat(node) {
          const schema = resolve(node);
          if (!Array.isArray(schema.allOf)) return schema;
          const { allOf, ...own } = schema;
          const parts = [...allOf.map(flat), own];
          return {
            ...Object.assign({}, ...parts),
            properties: Object.assign({}, ...parts.map((part) => part.properties)),
            required: parts.flatMap((part) => part.required ?? []),
          };
        }

        const alternatives = (schema) => schema.oneOf ?? schema.anyOf ?? null;
        const typesOf = (schema) => [schema.type ?? (schema.properties ? "object" : [])].flat();
        const isNull = (node) => typesOf(flat(node)).join() === "null";

        /** The type in words: `string, null`, `Pin[]`; a named type is a link to its table. */
        function typeNodes(node) {
          const name = typeName(node);
          if (name) return [make("a", { href: `#type-${name}`, text: name })];
          const schema = flat(node);
          const parts = alternatives(schema);
          if (parts) {
            return parts.flatMap((part, place) => [...(place ? [" or "] : []), ...typeNodes(part)]);
          }
          if (schema.const !== undefined) return [make("code", { text: JSON.stringify(schema.const) })];
          const types = typesOf(schema);
          if (!types.length) return ["any"];
          return types.flatMap((type, place) => {
            const lead = place ? [" or "] : [];
            if (type === "array") return [...lead, "list of ", ...typeNodes(schema.items ?? {})];
            return [...lead, schema.format && type === "string" ? schema.format : type];
          });
        }

        function limitsText(node) {
          const schema = flat(node);
          const said = [];
          const range = (low, high, unit) => {
            if (low !== undefined && high !== undefined) {
              said.push(low === high ? `${low}${unit}` : `${low} to ${high}${unit}`);
            } else if (low !== undefined) said.push(`at least ${low}${unit}`);
            else if (high !== undefined) said.push(`at most ${high}${unit}`);
          };
          range(schema.minimum, schema.maximum, "");
          range(schema.minLength, schema.maxLength, " characters");
          range(schema.minItems, schema.maxItems, " items");
          if (schema.exclusiveMinimum !== undefined) said.push(`more than ${schema.exclusiveMinimum}`);
          if (schema.exclusiveMaximum !== undefined) said.push(`less than ${schema.exclusiveMaximum}`);
          if (schema.pattern) said.push(`pattern ${schema.pattern}`);
          const values = schema.enum ?? flat(schema.items ?? {}).enum;
          if (values) said.push(`one of ${values.map((value) => String(value)).join(", ")}`);
          if (schema.default !== undefined) said.push(`default ${JSON.stringify(schema.default)}`);
          if (schema.readOnly) said.push("read-only");
          if (schema.deprecated) said.push("deprecated");
          return said.join("; ");
        }

        /** A value of the schema: its own example if it has one, else made from its parts. */
        function example(node, seen = []) {
          const schema = flat(node);
          if (schema.example !== undefined) return schema.example;
          if (Array.isArray(schema.examples) && schema.examples.length) return schema.examples[0];
          if (schema.const !== undefined) return schema.const;
          if (schema.default !== undefined) return schema.default;
          if (schema.enum) return schema.enum[0];
          const parts = alternatives(schema);
          if (parts) return example(parts.find((part) => !isNull(part)) ?? parts[0], seen);
          const name = typeName(node);
          if (name && seen.includes(name)) return {};
          const path = name ? [...seen, name] : seen;
          switch (typesOf(schema)[0]) {
            case "object":
              return Object.fromEntries(Object.entries(schema.properties ?? {})
                .map(([key, part]) => [key, example(part, path)]));
            case "array": return [example(schema.items ?? {}, path)];
            case "integer": return schema.minimum ?? 1;
            case "number": return schema.minimum ?? 1.5;
            case "boolean": return true;
            case "string":
              return { "date-time": "2026-11-29T12:00:00.000Z", date: "2026-11-29", email: "ann@example.org",
                uri: "https://example.org/" }[schema.format] ?? "text";
            default: return null;
          }
        }

        /**
         * The rows of a schema's table: each property, then what lies in it unless that has a name and a
         * table of its own.
         */
        function propertyRows(node, depth = 0) {
          let schema = flat(node);
          if (typesOf(schema).includes("array") && schema.items) schema = flat(schema.items);
          const must = new Set(schema.required ?? []);
          return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
            const inner = flat(part).items ?? part;
            const row = fieldRow(name, part, must.has(name), flat(part).description, depth);
            return typeName(part) || typeName(inner) || depth >= 4 ? [row] : [row, ...propertyRows(part, depth + 1)];
          });
        }

        function fieldRow(name, schema, required, description, depth = 0, place = "") {
          const notes = [place, required ? "required" : ""].filter(Boolean).join(", ");
          const limits = limitsText(schema);
          return make("tr", { class: `deep${depth}` },
            make("th", { scope: "row" }, name,
              notes ? make("em", { class: required ? "must" : null, text: notes }) : null),
            make("td", {}, ...typeNodes(schema)),
            make("td", {}, ...(description ? inline(description) : []),
              limits ? make("span", { class: "limits", text: limits }) : null));
        }

        function fieldTable(caption, rows) {
          return make("div", { class: "wrap", tabindex: "0", role: "region", "aria-label": caption },
            make("table", {}, make("thead", {}, make("tr", {}, ...["Name", "Type", "Meaning"].map((text) =>
              make("th", { scope: "col", text })))), make("tbody", {}, ...rows)));
        }
        """#
}
