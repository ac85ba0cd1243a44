import { button, make } from "./elements.js";

const MOST = 3;
let box = null;

/** Takes away all that is said. */
export const clearToasts = () => box?.replaceChildren();

/**
 * Says something at the foot of the window. `text` is a string or an array of strings and elements; `kind`: `"fault"`;
 * `action`: at most one thing to do about it. Answers with what takes it away.
 */
export function toast(text, { kind = "", action = null, seconds = 7 } = {}) {
  box ??= document.getElementById("toasts");
  const note = make("div", { class: `toast ${kind}`.trim() }, make("span", { dir: "auto" }, ...[text].flat()));
  const leave = () => note.remove();
  if (action) {
    note.append(button({ label: action.label, kind: "link", run: () => {
      leave();
      return action.run();
    } }));
  }
  box.append(note);
  while (box.children.length > MOST) box.firstElementChild.remove();
  const wait = () => {
    // What is being read or used stays.
    if (note.matches(":hover, :focus-within")) setTimeout(wait, 2000);
    else leave();
  };
  setTimeout(wait, seconds * 1000);
  return leave;
}
