/** What this is, and where its API is described. */

import { get } from "../shell/api.js";
import { make } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { panel } from "./parts.js";

/** The digest of the client's files, which stands in the address of each. */
const CLIENT = new URL(import.meta.url).pathname.match(/^\/app\/([^/]+)\//)?.[1] ?? "?";

export function aboutSection() {
  const version = make("dd", { text: "…" });
  get("/openapi.json").then((document) => {
    version.textContent = document?.info?.version ?? "?";
  }, () => {
    version.textContent = "?";
  });
  return panel("about", t("profile.about"),
    make("p", { text: t("profile.aboutText") }),
    make("dl", { class: "facts" },
      make("dt", { text: t("profile.version") }), version,
      make("dt", { text: t("profile.clientVersion") }), make("dd", {}, make("code", { text: CLIENT }))),
    make("a", { class: "target", href: "/docs", text: t("profile.docs") }));
}
