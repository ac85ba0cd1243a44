/** What the sections of the profile tab are made of. */

import { describe, Problem } from "../shell/api.js";
import { button, make, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";

/** A part of a section under a heading of its own. */
export function panel(name, title, ...children) {
  const id = `profile-${name}-title`;
  return make("section", { class: "panel", "aria-labelledby": id },
    make("h2", { id, tabindex: "-1", text: title }), ...children);
}

/** What `build` makes of what `fetch` brings; meanwhile a place holder, and a way to try again where it fails. */
export function loading(fetch, build) {
  const box = make("div", { class: "loading-box" });
  const start = async () => {
    replace(box, make("div", { class: "panel bone", role: "status" },
      make("span", { class: "unseen", text: t("profile.loading") })));
    try {
      replace(box, build(await fetch()));
    } catch (problem) {
      if (!(problem instanceof Problem)) reportError(problem);
      replace(box, failure(problem, start));
    }
  };
  start();
  return box;
}

/** Says what went wrong, with a way to go on. */
export function failure(problem, again) {
  return make("div", { class: "alert", role: "alert" },
    make("p", { text: describe(problem) }),
    button({ label: t("profile.again"), kind: "quiet small", run: again }));
}
