import { make, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { datasets } from "./datasets.js";

/** Which landmarks are on the map: all together, and by dataset. */
export function landmarkFilter() {
  const title = make("legend");
  const boxes = make("div", { class: "boxes" });
  const element = make("fieldset", { class: "landmark-filter", hidden: true }, title, boxes);

  function draw() {
    const full = datasets.all.filter(({ count }) => count > 0);
    element.hidden = !full.length;
    title.textContent = t("map.landmark.title");
    const focused = document.activeElement?.id;
    replace(boxes,
      box("landmarks-all", t("map.landmark.show"), datasets.isOn, (isOn) => datasets.set({ isOn })),
      datasets.isOn && full.length > 1 ? full.map(({ name, title: text }) =>
        box(`landmarks-of-${name}`, text, !datasets.hidden.has(name), (isShown) => {
          const hidden = new Set(datasets.hidden);
          if (isShown) hidden.delete(name);
          else hidden.add(name);
          datasets.set({ hidden });
        })) : null);
    if (focused?.startsWith("landmarks-")) document.getElementById(focused)?.focus();
  }

  const box = (id, text, checked, change) => {
    const input = make("input", { type: "checkbox", id, checked, onchange: () => change(input.checked) });
    return make("div", { class: "field box" }, input, make("label", { for: id }, make("bdi", { text })));
  };

  datasets.on("change", draw);
  return Object.assign(element, { render: draw });
}
