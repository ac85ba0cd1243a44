/** The clipboard. */

import { button } from "../shell/elements.js";
import { t } from "../shell/language.js";

/** How long a button says that it has copied, in milliseconds. */
const LONG = 2500;

/** Puts `text` on the clipboard. @returns whether it is there: over plain http browsers may refuse */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A button that copies what a field holds and says so itself, because a sheet covers what is said elsewhere. Where the
 * browser refuses, the text is selected for copying by hand.
 */
export function copyButton(field, kind = "") {
  const element = button({ label: t("friends.copy"), kind, run: async () => {
    if (!await copyText(field.value)) {
      field.focus();
      field.select();
      return;
    }
    const label = element.querySelector("span");
    label.textContent = t("friends.copiedShort");
    setTimeout(() => {
      label.textContent = t("friends.copy");
    }, LONG);
  }, "aria-live": "polite" });
  return element;
}
