// Looks for what keeps people from using the page as it is shown now, and returns a sentence for each fault.
// arguments[0]: {target: the least width and height of what can be clicked, in CSS pixels}
const {target} = arguments[0];
const faults = [];
const isShown = element => element.checkVisibility({visibilityProperty: true, opacityProperty: false});
const all = selector => [...document.querySelectorAll(selector)].filter(isShown);

/** Names an element for whoever reads the fault. */
const describe = element => {
  const start = element.outerHTML.slice(0, 160).replace(/\s+/g, " ");
  return start.includes(">") && start.length < 160 ? start : `${start}…`;
};
const fault = (element, text) => faults.push(`${text}: ${element ? describe(element) : "the page"}`);

const interactive = "a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex],[role=button]," +
  "[role=link],[role=tab],[role=option],[role=menuitem],[role=checkbox],[role=switch],[role=radio]";

// The document.
if (!document.documentElement.lang) fault(document.documentElement, "no language (WCAG 3.1.1)");
if (!document.title.trim()) fault(null, "no title (WCAG 2.4.2)");
const viewport = document.querySelector("meta[name=viewport]")?.content ?? "";
if (/user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*[01](\D|$)/.test(viewport)) fault(null, "no zooming (WCAG 1.4.4)");

// Identifiers and what refers to them.
const ids = new Map();
for (const element of document.querySelectorAll("[id]")) {
  if (ids.has(element.id)) fault(element, `the id ${element.id} is there twice`);
  ids.set(element.id, element);
}
for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant",
  "aria-errormessage", "for", "list"]) {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(/\s+/).filter(Boolean)) {
      if (!ids.has(id)) fault(element, `${name} names no element`);
    }
  }
}

// Images and fields.
for (const image of all("img")) {
  if (!image.hasAttribute("alt")) fault(image, "an image without alt (WCAG 1.1.1)");
  if (!image.hasAttribute("width") && getComputedStyle(image).width === "auto") fault(image, "an image without a size");
}
for (const image of all("svg[role=img]")) {
  const name = image.getAttribute("aria-label") || image.getAttribute("aria-labelledby") || image.querySelector("title");
  if (!name) fault(image, "an image without a name (WCAG 1.1.1)");
}
for (const field of all("input:not([type=hidden]):not([type=submit]):not([type=button]),select,textarea")) {
  const isLabelled = [...field.labels ?? []].some(label => label.textContent.trim()) ||
    field.getAttribute("aria-label")?.trim() || field.getAttribute("aria-labelledby");
  if (!isLabelled) fault(field, "a field without a label (WCAG 3.3.2)");
  if (field.getAttribute("aria-invalid") === "true" &&
    !(field.getAttribute("aria-describedby") || field.getAttribute("aria-errormessage"))) {
    fault(field, "a field at fault that does not say why (WCAG 3.3.1)");
  }
}

// Headings and landmarks. Behind a modal dialog nothing counts.
const modal = document.querySelector("dialog:modal");
const scope = modal ?? document;
const headings = [...scope.querySelectorAll("h1,h2,h3,h4,h5,h6,[role=heading]")].filter(isShown);
// What stands before the main heading, such as a list of contents, has headings of its own.
let level = null;
for (const heading of headings) {
  const own = Number(heading.getAttribute("aria-level") ?? heading.localName.slice(1));
  if (level !== null && own > level + 1) fault(heading, `a heading of level ${own} after one of ${level}`);
  if (!heading.textContent.trim()) fault(heading, "an empty heading");
  level = own;
}
if (!modal) {
  if (all("h1").length !== 1) fault(null, `${all("h1").length} headings of level 1 where one is due`);
  const mains = all("main,[role=main]");
  if (mains.length !== 1) fault(null, `${mains.length} main landmarks where one is due`);
  const navigations = all("nav,[role=navigation]");
  if (navigations.length > 1) {
    const names = navigations.map(n => n.getAttribute("aria-label") ?? n.getAttribute("aria-labelledby") ?? "");
    if (new Set(names).size < names.length || names.includes("")) fault(null, "navigations that no name tells apart");
  }
}
for (const dialog of all("dialog,[role=dialog],[role=alertdialog]")) {
  if (!dialog.getAttribute("aria-label")?.trim() && !dialog.getAttribute("aria-labelledby")) {
    fault(dialog, "a dialog without a name");
  }
}
if (modal && !modal.contains(document.activeElement)) fault(modal, "a modal dialog without the focus");

// Controls.
for (const element of all("[tabindex]")) {
  if (element.tabIndex > 0) fault(element, "a tabindex above 0 (WCAG 2.4.3)");
}
for (const element of all("a[href] a[href],a[href] button,button a[href],button button,button input,a[href] input")) {
  fault(element, "a control in a control");
}
for (const hidden of document.querySelectorAll("[aria-hidden=true]")) {
  for (const element of [hidden, ...hidden.querySelectorAll(interactive)]) {
    if (element.matches(interactive) && element.tabIndex >= 0 && !element.disabled && isShown(element) &&
      !element.closest("[inert]")) {
      fault(element, "what is hidden from screen readers can be reached by Tab");
    }
  }
}
const parents = {tab: "tablist", option: "listbox", menuitem: "menu", row: "table", listitem: "list"};
for (const [role, parent] of Object.entries(parents)) {
  for (const element of all(`[role=${role}]`)) {
    const found = element.closest(`[role=${parent}],[role=menubar],[role=grid]` +
      (role === "listitem" ? ",ul,ol" : role === "row" ? ",table" : ""));
    if (!found) fault(element, `a ${role} that is in no ${parent}`);
  }
}
for (const list of all("ul,ol")) {
  for (const child of list.children) {
    if (!["LI", "SCRIPT", "TEMPLATE"].includes(child.tagName) && list.getAttribute("role") === null) {
      fault(child, "in a list, but no item of it");
    }
  }
}

/** Whether a link stands in a line of text, which is as high as it is. */
const isInText = element => {
  if (getComputedStyle(element).display !== "inline") return false;
  const siblings = [...element.parentElement.childNodes];
  return siblings.some(node => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.data));
};
for (const element of all(interactive)) {
  if (element.disabled || element.tabIndex < 0 && !element.matches("[role=option],[role=tab],[role=menuitem]")) continue;
  if (element.closest("[inert],.maplibregl-ctrl-attrib") || isInText(element)) continue;
  if (modal && !modal.contains(element)) continue;
  // A label is part of its field.
  const boxes = [element, ...element.labels ?? []].map(part => part.getBoundingClientRect());
  const width = Math.max(...boxes.map(box => box.width));
  const height = Math.max(...boxes.map(box => box.height));
  if (width === 0 || height === 0) continue;
  // Shown only when it has the focus, as links that skip to the content are.
  if (width <= 2 && height <= 2 || boxes[0].bottom <= 0 || boxes[0].right <= 0) continue;
  if (Math.min(width, height) < target - 0.5) {
    fault(element, `${width.toFixed(0)} × ${height.toFixed(0)} px to hit where ${target} are due (WCAG 2.5.8)`);
  }
}

// Contrast.
const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
const colours = new Map();
/** Any CSS colour as [red, green, blue, alpha], 0 to 255 and 0 to 1. */
const parse = colour => {
  if (!colours.has(colour)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    colours.set(colour, [red, green, blue, alpha / 255]);
  }
  return colours.get(colour);
};
const over = (top, bottom) => {
  const alpha = top[3] + bottom[3] * (1 - top[3]);
  if (alpha === 0) return [0, 0, 0, 0];
  return [0, 1, 2].map(i => (top[i] * top[3] + bottom[i] * bottom[3] * (1 - top[3])) / alpha).concat(alpha);
};
/** WCAG 2.2, relative luminance. */
const luminance = colour => {
  const [red, green, blue] = colour.map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
/** What is painted behind an element's text; null where that is a picture or the map. */
const backdrop = element => {
  let colour = [0, 0, 0, 0];
  for (let node = element; node; node = node.parentElement) {
    const style = getComputedStyle(node);
    if (style.backgroundImage !== "none") return null;
    colour = over(colour, parse(style.backgroundColor));
    if (colour[3] > 0.99) return colour;
    if (node.matches(".maplibregl-map") || node.parentElement?.querySelector(":scope > .maplibregl-map, :scope > canvas")) {
      return null;
    }
  }
  const isDark = getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
    matchMedia("(prefers-color-scheme: dark)").matches;
  return over(colour, isDark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
};
const opacity = element => {
  let product = 1;
  for (let node = element; node; node = node.parentElement) product *= Number(getComputedStyle(node).opacity);
  return product;
};
const checkContrast = (element, style, text) => {
  const behind = backdrop(element);
  if (!behind) return;
  const own = parse(style.color);
  const colour = over([own[0], own[1], own[2], own[3] * opacity(element)], behind);
  const [lighter, darker] = [luminance(colour), luminance(behind)].sort((a, b) => b - a);
  const contrast = (lighter + 0.05) / (darker + 0.05);
  const size = parseFloat(style.fontSize);
  const due = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700 ? 3 : 4.5;
  if (contrast < due - 0.005) {
    fault(element, `a contrast of ${contrast.toFixed(2)} where ${due} is due (WCAG 1.4.3) for “${text.trim().slice(0, 30)}”`);
  }
};
const seen = new Set();
const walker = document.createTreeWalker(scope === document ? document.body : scope, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!/[\p{L}\p{N}]/u.test(walker.currentNode.data) || seen.has(element) || !isShown(element)) continue;
  seen.add(element);
  if (element.closest("script,style,noscript,[disabled],[aria-disabled=true],option,[inert]")) continue;
  const box = element.getBoundingClientRect();
  if (box.width <= 1 || box.height <= 1) continue;
  checkContrast(element, getComputedStyle(element), walker.currentNode.data);
}
for (const field of all("input,textarea,select")) {
  if (field.disabled) continue;
  if (field.placeholder) checkContrast(field, getComputedStyle(field, "::placeholder"), field.placeholder);
  if (["text", "email", "password", "search", "textarea", "select-one"].includes(field.type)) {
    checkContrast(field, getComputedStyle(field), field.value || "its text");
  }
}

// Nothing has to be scrolled sideways.
const root = document.documentElement;
if (root.scrollWidth > innerWidth) {
  const widest = all("body *").filter(element => {
    const box = element.getBoundingClientRect();
    return box.right > innerWidth + 1 && box.width > 0;
  });
  fault(widest[0] ?? null, `${root.scrollWidth} px wide in a window of ${innerWidth} (WCAG 1.4.10)`);
}
return [...new Set(faults)];
