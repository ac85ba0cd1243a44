import * as api from "../shell/api.js";
import { button, icon, make, titleOf } from "../shell/elements.js";
import { phrase, t } from "../shell/language.js";
import { openSheet } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { datasets, knownLandmark, landmarkIcon } from "./datasets.js";
import { positionText } from "./geometry.js";

/**
 * The sheet of a landmark. `acts`: `{shown(landmark), drop(place)}`; answers with the sheet, or null if the landmark is
 * not there any more.
 */
export async function openLandmark(id, acts, onclose) {
  let landmark;
  try {
    landmark = await api.get(`/v1/landmarks/${id}`);
    if (!datasets.find(landmark.datasetId)) await datasets.refresh();
  } catch (problem) {
    toast(problem.status === 404 ? t("map.landmark.missing") : api.describe(problem), { kind: "fault" });
    return null;
  }
  const sheet = openSheet({ title: titleOf(landmark), kind: "landmark", onclose, content: content(landmark, () => {
    sheet.close();
    const { latitude, longitude, name } = landmark;
    return acts.drop({ latitude, longitude, name });
  }) });
  acts.shown(landmark);
  return sheet;
}

function content(landmark, drop) {
  const dataset = datasets.find(landmark.datasetId);
  const lines = [
    ["address", landmark.address], ["hours", landmark.openingHours],
    ["phone", landmark.phone && phoneLink(landmark.phone)], ["website", webLink(landmark.website)],
    ["image", webLink(landmark.imageURL)],
  ].filter(([, value]) => value);
  return make("div", { class: "details-body" },
    make("div", { class: "details-head" },
      make("span", { class: "token sign" }, icon(landmarkIcon(landmark.category), 22)),
      make("p", { class: "meta" }, make("span", { text: t(`map.landmark.${knownLandmark(landmark.category)}`) }),
        dataset ? make("bdi", { text: dataset.title }) : null)),
    landmark.description ? make("p", { class: "comment", dir: "auto", text: landmark.description }) : null,
    lines.length ? make("dl", { class: "landmark-facts" }, ...lines.flatMap(([name, value]) =>
      [make("dt", { text: t(`map.landmark.field.${name}`) }),
        make("dd", {}, typeof value === "string" ? make("bdi", { text: value }) : value)])) : null,
    make("p", { class: "position" }, make("bdi", { text: positionText(landmark) })),
    make("div", { class: "acts" }, button({ label: t("map.dropHere"), icon: "add", run: drop })),
    dataset ? credit(dataset) : null);
}

/** Whose the data are, and what may be done with them. */
function credit({ title, attribution, licence, sourceURL }) {
  const source = webLink(sourceURL, title) ?? title;
  return make("p", { class: "hint credit" }, ...phrase("map.landmark.source", { dataset: source }),
    attribution ? [" · ", make("bdi", { text: attribution })] : null,
    licence ? [" · ", ...phrase("map.landmark.licence", { licence })] : null);
}

/** A link to another site, if the address is one. */
export function webLink(address, text = null) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (!["http:", "https:"].includes(url.protocol)) return null;
  return make("a", { href: url.href, target: "_blank", rel: "noopener noreferrer", dir: "auto",
    text: text ?? `${url.host}${url.pathname === "/" ? "" : url.pathname}` });
}

function phoneLink(number) {
  const digits = number.replace(/[^\d+]/g, "");
  return digits.length > 3 ? make("a", { href: `tel:${digits}`, dir: "ltr", text: number }) : number;
}
