import { formatDate, language, t } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/** Outlines of 16 by 16 by name; a tab adds its own with `addIcons`. */
export const outlines = {
  food: "M4.2 2v3.6a1.9 1.9 0 0 0 3.8 0V2M6.1 2v12M11.8 14V2c-1.6.8-2.3 2.6-2.3 4.6 0 1.5.6 2.4 2.3 2.4",
  nightlife: "M13.4 9.7A5.7 5.7 0 1 1 6.3 2.6a4.6 4.6 0 0 0 7.1 7.1z",
  nature: "M8 1.8 4.6 6.3h1.6L3 10.8h10L9.8 6.3h1.6zM8 10.8V14.2",
  shopping: "M3.4 5.4h9.2l.7 8.2H2.7zM5.7 7.3V4.6a2.3 2.3 0 0 1 4.6 0v2.7",
  culture: "M2.2 6 8 2.4 13.8 6zM4.2 6.2v5.2M8 6.2v5.2M11.8 6.2v5.2M2.2 13.6h11.6",
  education: "M1.3 6 8 3l6.7 3L8 9zM4.3 7.5v3.7c1.9 1.7 5.5 1.7 7.4 0V7.5M14.7 6v4",
  other: "M8 14.2c3-3.2 4.5-5.6 4.5-7.5a4.5 4.5 0 0 0-9 0c0 1.9 1.5 4.3 4.5 7.5zM8 5.2a1.5 1.5 0 1 0 .1 0z",
  add: "M8 2.5v11M2.5 8h11",
  back: "M10 3 5 8l5 5",
  check: "M2.8 8.6 6.3 12l7-8",
  close: "M4 4l8 8M12 4l-8 8",
  edit: "M2.6 13.4l.7-3L11 2.7l2.3 2.3L5.6 12.7zM9.4 4.3l2.3 2.3",
  filter: "M2 4h12M4.5 8h7M6.8 12h2.4",
  friends: "M5.8 7.6a2.4 2.4 0 1 0-.1 0zM1.4 13.6c.2-2.6 1.9-4 4.4-4s4.2 1.4 4.4 4M10.4 3a2.4 2.4 0 0 1 0 4.6M11.7 "
    + "9.8c1.7.5 2.7 1.8 2.9 3.8",
  list: "M5.5 4H14M5.5 8H14M5.5 12H14M2.2 4h.1M2.2 8h.1M2.2 12h.1",
  link: "M6.6 9.4a2.6 2.6 0 0 0 3.7 0l2.6-2.6a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.4 6.6a2.6 2.6 0 0 0-3.7 0L3.1 9.2a2.6 2.6 "
    + "0 0 0 3.7 3.7l.9-.9",
  locate: "M8 4.2a3.8 3.8 0 1 0 .1 0zM8 1v2.4M8 12.6V15M1 8h2.4M12.6 8H15M8 7.6h.1",
  map: "M1.8 4.2 6 2.4l4 1.8 4.2-1.8v9.4L10 13.6l-4-1.8-4.2 1.8zM6 2.4v9.4M10 4.2v9.4",
  more: "M3.4 8h.1M8 8h.1M12.6 8h.1",
  offline: "M1.6 1.6l12.8 12.8M4.4 8.9a5.4 5.4 0 0 1 2.4-1.4M1.8 6.2a9.4 9.4 0 0 1 2.8-1.9M7.4 3.3a9.4 9.4 0 0 1 6.8 "
    + "2.9M10.4 7.9l1.2 1M8 12.6h.1",
  profile: "M8 7.8a2.9 2.9 0 1 0-.1 0zM2.4 14.2c.3-3 2.5-4.6 5.6-4.6s5.3 1.6 5.6 4.6",
  remove: "M2.8 4.3h10.4M6.2 4.2V2.6h3.6v1.6M4.1 4.4l.7 9.2h6.4l.7-9.2M6.7 6.9v4.2M9.3 6.9v4.2",
  retry: "M13.2 8A5.2 5.2 0 1 1 11.4 4M11.6 1.4V4.3H8.7",
  search: "M7 2.4a4.6 4.6 0 1 0 .1 0zM10.4 10.4l3.4 3.4",
  subtract: "M2.5 8h11",
  warning: "M8 2.2 14.4 13.4H1.6zM8 6.4v3.4M8 11.6h.1",
};

/** Makes further outlines known to `icon`. */
export function addIcons(more) {
  Object.assign(outlines, more);
}

/** An icon's outline, for canvases; that of `other` for a name that is not known. */
export const outline = (name) => outlines[name] ?? outlines.other;

/**
 * An element. Properties: `text` (set as text, never as markup), `onclick` and the like (listeners), all others are
 * attributes; those that are undefined, null or false are left out, as are children that are null.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

const present = (children) => children.flat().filter((child) => ![null, undefined, false].includes(child));

/** Puts children in the place of all that an element holds. */
export function replace(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/** An icon that says nothing to a screen reader; its size stands in the attributes, so that nothing shifts. */
export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({
    class: "icon", viewBox: "0 0 16 16", width: size, height: size, "aria-hidden": "true",
  })) svg.setAttribute(key, value);
  path.setAttribute("d", outline(name));
  svg.append(path);
  return svg;
}

/**
 * A button: `label` is its text, or with `hidden: true` what is read out in place of its icon. `run` may be
 * asynchronous; meanwhile the button is busy and presses do nothing.
 */
export function button({ label, icon: name, kind = "", hidden = false, run, ...properties }) {
  const element = make("button", { type: "button", class: `button ${hidden ? "round" : ""} ${kind}`.trim(),
    "aria-label": hidden ? label : null, title: hidden ? label : null, ...properties },
  name ? icon(name, hidden ? 20 : 16) : null, hidden ? null : make("span", { text: label }));
  if (run) element.addEventListener("click", (event) => busy(element, () => run(event)));
  return element;
}

/** Runs something once at a time for a control, which is `aria-disabled` meanwhile. */
export async function busy(element, run) {
  if (element.getAttribute("aria-disabled") === "true") return;
  element.setAttribute("aria-disabled", "true");
  try {
    await run();
  } finally {
    element.removeAttribute("aria-disabled");
  }
}

/** Gives the focus back to an element; to the page where that one is gone or hidden. */
export function focusBack(element) {
  const isPlace = element?.isConnected && element !== document.body;
  if (isPlace) element.focus({ preventScroll: true });
  if (!isPlace || document.activeElement !== element) document.getElementById("main").focus({ preventScroll: true });
}

/** What a user is called. */
export const nameOf = (user) => legible(user.displayName ?? "") || usernameOf(user) || "?";

/** A user's username as it is shown. */
export const usernameOf = (user) => legible(user.username ?? "");

/** Someone's picture, or the first letter of their name. */
export function avatar(user, size = 40) {
  const face = make("span", { class: "face", "aria-hidden": "true", text: initial(user) });
  face.style.setProperty("--size", `${size}px`);
  if (user.photoURL) {
    const image = make("img", { src: user.photoURL, alt: "", width: size, height: size, loading: "lazy" });
    image.addEventListener("error", () => replace(face, initial(user)));
    replace(face, image);
  }
  return face;
}

const initial = (user) => graphemes(nameOf(user))[0]?.toLocaleUpperCase() ?? "?";

/** A text as what people take for its characters. */
const graphemes = (text) => [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)]
  .map(({ segment }) => segment);

/** A text of at most `most` characters, the last an ellipsis where it was longer. */
export function shortened(text, most) {
  const all = graphemes(text);
  return all.length > most ? `${all.slice(0, most - 1).join("").trimEnd()}…` : text;
}

/** Format characters that are seen: marks of Arabic, Syriac and Kaithi before numbers and words. */
const SEEN = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/u;
const INVISIBLE = new RegExp(`${FLAG.source}|\\p{Cf}`, "gu");
const JOINED = /^[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;

/** A pin's name, or a place's, as it is shown. */
export const titleOf = ({ name }) => legible(name) || "?";

/** A name without what turns or hides its characters. Joiners stay where they join. */
function legible(name) {
  return name.replace(INVISIBLE, (mark, at) => {
    if (mark.length > 2 || SEEN.test(mark)) return mark;
    const isJoiner = mark === "\u200C" || mark === "\u200D";
    return isJoiner && JOINED.test([...name.slice(0, at)].at(-1)) && JOINED.test(name.slice(at + 1)) ? mark : "";
  }).trim();
}

/** A rating from 1 to 5 as stars. */
export function stars(rating) {
  return make("span", { class: "stars" },
    make("span", { "aria-hidden": "true", text: "★".repeat(rating) }),
    make("span", { "aria-hidden": "true", class: "unlit", text: "★".repeat(5 - rating) }),
    make("span", { class: "unseen", text: t("shell.stars", { count: rating }) }));
}

const UNITS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600],
  ["minute", 60]];

/** How long ago a time is; one that a wrong clock puts in the future counts as now. */
export function timeAgo(iso) {
  const instant = new Date(iso);
  const seconds = Math.max(0, (Date.now() - instant) / 1000);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? [];
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  return make("time", { datetime: iso, title: formatDate(iso, "full"),
    text: unit ? format.format(-Math.trunc(seconds / length), unit) : t("shell.now") });
}

/** Loads a style sheet once; resolves when it acts. `url` is `new URL("…", import.meta.url)`. */
export function stylesheet(url) {
  const links = [...document.querySelectorAll("link[rel=stylesheet]")];
  if (links.some((link) => link.href === url.href)) return Promise.resolve();
  return new Promise((resolve) => {
    document.head.append(make("link", { rel: "stylesheet", href: url.href, onload: resolve, onerror: resolve }));
  });
}
