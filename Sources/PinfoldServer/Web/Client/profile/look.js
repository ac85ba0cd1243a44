/** Language and theme of this browser. */

import { make } from "../shell/elements.js";
import { language, languages, setLanguage, t } from "../shell/language.js";
import { setTheme, theme, themes } from "../shell/theme.js";
import { toast } from "../shell/toast.js";
import { panel } from "./parts.js";

/** A field that changes the language at once. */
export function languageSelect(id) {
  const select = make("select", { id }, ...languages.map(({ code, name }) =>
    make("option", { value: code, lang: code, text: name })));
  select.value = language();
  select.addEventListener("change", async () => {
    const before = language();
    try {
      await setLanguage(select.value);
      document.getElementById(id)?.focus();
    } catch {
      select.value = before;
      toast(t("profile.languageFailed"), { kind: "fault" });
    }
  });
  return make("div", { class: "field" }, make("label", { for: id, text: t("profile.language") }), select);
}

function themeChoice() {
  const choices = themes.map((name) => {
    const input = make("input", { type: "radio", name: "theme", value: name, checked: theme() === name });
    input.addEventListener("change", () => setTheme(name));
    return make("label", { class: "choice" }, input, make("span", { text: t(`profile.theme.${name}`) }));
  });
  return make("fieldset", { class: "field" }, make("legend", { text: t("profile.theme") }),
    make("div", { class: "choices" }, ...choices));
}

export function lookSection() {
  return panel("look", t("profile.look"), make("p", { class: "hint", text: t("profile.lookText") }),
    make("div", { class: "form" }, languageSelect("profile-language"), themeChoice()));
}
