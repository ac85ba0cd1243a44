// A walk through the page by Tab. arguments[0]: "start" puts the walk before the first stop; "stop" tells of the element
// that has the focus: {name, faults}, or {} at the end of the walk.
const looks = element => {
  const style = getComputedStyle(element);
  return [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor,
    style.backgroundColor, style.textDecorationLine].join("|");
};
if (arguments[0] === "start") {
  document.activeElement?.blur();
  // Where a walk begins is the last point that was clicked or selected.
  getSelection().collapse(document.body, 0);
  window.walk = {seen: new Set(), looks: new Map()};
  for (const element of document.querySelectorAll("a,button,input,select,textarea,summary,[tabindex]")) {
    window.walk.looks.set(element, looks(element));
  }
  return null;
}
const {seen, looks: before} = window.walk;
const element = document.activeElement;
if (!element || element === document.body || element === document.documentElement || seen.has(element)) return {};
seen.add(element);
const faults = [];
const box = element.getBoundingClientRect();
const isInView = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
if (!isInView) faults.push("has the focus out of view (WCAG 2.4.7)");
const style = getComputedStyle(element);
const hasOutline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
// The frame may be drawn around it.
const isFramed = element.parentElement?.matches(":focus-within") &&
  [element.parentElement, element.parentElement.parentElement].some(parent => {
    const outline = parent && getComputedStyle(parent);
    return outline && (outline.outlineStyle !== "none" && parseFloat(outline.outlineWidth) >= 1 ||
      outline.boxShadow !== "none");
  });
if (!hasOutline && !isFramed && looks(element) === before.get(element)) {
  faults.push("has the focus without looking like it (WCAG 2.4.7)");
}
if (isInView) {
  const x = Math.min(Math.max((box.left + box.right) / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1);
  const top = document.elementFromPoint(x, y);
  const isCovered = top && top !== element && !element.contains(top) && !top.contains(element) &&
    ![...element.labels ?? []].some(label => label.contains(top));
  if (isCovered) faults.push(`has the focus but is covered by ${top.outerHTML.slice(0, 80)} (WCAG 2.4.11)`);
}
const name = element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent ||
  element.title || element.outerHTML.slice(0, 80);
return {name: name.replace(/\s+/g, " ").trim().slice(0, 80), faults};
