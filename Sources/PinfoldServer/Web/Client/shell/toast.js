import { button, focusBack, icon, make, shortened } from "./elements.js";

const MOST = 3;
const NAME = 60;
let box = null;

/** What takes each away. */
const leaving = new WeakMap();

/** Takes away all that is said. */
export const clearToasts = () => box?.replaceChildren();

/**
 * Says something at the foot of the window. `text` is a string or an array of strings and elements; `kind`: `"fault"`;
 * `action`: at most one thing to do about it. Answers with what takes it away.
 */
export function toast(text, { kind = "", action = null, seconds = 7 } = {}) {
  box ??= document.getElementById("toasts");
  const isFault = kind === "fault";
  const note = make("div", { class: `toast ${kind}`.trim() }, isFault ? icon("warning") : null,
    make("span", { dir: "auto" }, ...[text].flat().map(brief)));
  let before = null;
  note.addEventListener("focusin", ({ relatedTarget }) => {
    if (!note.contains(relatedTarget)) before = relatedTarget;
  });
  const leave = () => {
    const hadFocus = note.contains(document.activeElement);
    note.remove();
    if (hadFocus) focusBack(before);
  };
  if (action) {
    note.append(button({ label: action.label, kind: "link", run: () => {
      leave();
      return action.run();
    } }));
  }
  box.append(note);
  leaving.set(note, leave);
  while (box.children.length > MOST) leaving.get(box.firstElementChild)();
  const wait = () => {
    // What is being read or used stays.
    if (note.matches(":hover, :focus-within")) setTimeout(wait, 2000);
    else leave();
  };
  setTimeout(wait, seconds * 1000);
  return leave;
}

/** Part of a text with the names in it cut: those are isolated, as elements or by characters. */
function brief(part) {
  if (typeof part === "string") {
    return part.replace(/\u2068([^\u2069]*)\u2069/g, (_, name) => `\u2068${shortened(name, NAME)}\u2069`);
  }
  if (part?.localName === "bdi" && !part.classList.length) part.textContent = shortened(part.textContent, NAME);
  return part;
}
