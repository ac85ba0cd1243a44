import { outline } from "../shell/elements.js";
import { CATEGORIES } from "./filters.js";

const WIDTH = 34;
const HEIGHT = 42;

/** The colors of the style sheet, which follow the theme. */
export function colors() {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

/** Gives the map its images: `pin-CATEGORY`, and `pending-CATEGORY` for what is not sent yet. */
export function addMarkers(map) {
  const color = colors();
  for (const category of CATEGORIES) {
    for (const kind of ["pin", "pending"]) {
      const name = `${kind}-${category}`;
      const image = drawMarker(category, color(category), color("card"), kind === "pending");
      if (map.hasImage(name)) map.removeImage(name);
      map.addImage(name, image, { pixelRatio: image.width / WIDTH });
    }
  }
}

const LABEL = "label:";
const LABEL_SIZE = 12.5;
const LABEL_EDGE = 3;
const LONGEST_LABEL = 40;
const LINE = 9 * LABEL_SIZE;
const MOST_LINES = 3;
/** Letters in a row that may be wider than a line. */
const LONG_WORD = 12;
/** Characters that only steer the text around them, such as those that turn its direction. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu;
const UNSEEN_LIKELY = [..."\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063"
  + "\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\ufff9\ufffa\ufffb"];

/**
 * The name beside a pin. MapLibre spells scripts that run from right to left backwards without a plug-in, breaks no
 * word, and draws characters that are not to be seen: such names are drawn here, as images that the map asks for by
 * `label:NAME`.
 */
export function labelExpression() {
  const name = ["get", "name"];
  const short = ["case", [">", ["length", name], LONGEST_LABEL], ["concat", ["slice", name, 0, LONGEST_LABEL - 2], "…"],
    name];
  const starts = Array.from({ length: LONGEST_LABEL - LONG_WORD + 1 }, (_, start) => start);
  const hasLongWord = ["any", ...starts.map((start) => ["all", [">=", ["length", name], start + LONG_WORD],
    ["!", ["in", " ", ["slice", name, start, start + LONG_WORD]]]])];
  const isPlain = ["all", ["is-supported-script", name], ["!", hasLongWord],
    ...UNSEEN_LIKELY.map((character) => ["!", ["in", character, name]])];
  return ["case", isPlain, ["to-string", short], ["format", ["image", ["concat", LABEL, name]]]];
}

/** A name in lines that are no wider than `LINE`, with words broken where one is. */
function linesOf(name, widthOf) {
  const text = name.replace(UNSEEN, "").trim();
  const letters = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)]
    .map(({ segment }) => segment);
  const short = letters.length > LONGEST_LABEL ? [...letters.slice(0, LONGEST_LABEL - 2), "…"] : letters;
  const lines = [""];
  for (const word of short.join("").split(/(?<=[\s-])/)) {
    if (lines.at(-1) && widthOf(lines.at(-1) + word.trimEnd()) > LINE) lines.push("");
    if (widthOf(word.trimEnd()) <= LINE) {
      lines.push(lines.pop() + word);
      continue;
    }
    for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(word)) {
      if (widthOf(lines.at(-1) + segment) > LINE) lines.push("");
      lines.push(lines.pop() + segment);
    }
  }
  const shown = lines.slice(0, MOST_LINES).map((line) => line.trim());
  if (lines.length > MOST_LINES) shown.push(`${shown.pop().replace(/.…?$/u, "")}…`);
  return shown;
}

/** Draws the labels that the map finds missing. */
export function drawLabels(map) {
  map.on("styleimagemissing", ({ id }) => {
    if (!id.startsWith(LABEL) || map.hasImage(id)) return;
    const ratio = Math.max(2, Math.ceil(devicePixelRatio));
    const color = colors();
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const font = `${LABEL_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
    context.font = font;
    const lines = linesOf(id.slice(LABEL.length), (text) => context.measureText(text).width);
    const width = Math.ceil(Math.max(...lines.map((line) => context.measureText(line).width))) + 2 * LABEL_EDGE;
    const step = Math.ceil(LABEL_SIZE * 1.2);
    const height = Math.ceil(LABEL_SIZE * 1.4) + 2 * LABEL_EDGE + (lines.length - 1) * step;
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    context.scale(ratio, ratio);
    Object.assign(context, { font, textBaseline: "middle", textAlign: "center", lineJoin: "round",
      lineWidth: 2 * LABEL_EDGE - 2, strokeStyle: color("card"), fillStyle: color("ink") });
    const middle = (index) => LABEL_EDGE + LABEL_SIZE * 0.7 + index * step;
    lines.forEach((line, index) => context.strokeText(line, width / 2, middle(index)));
    lines.forEach((line, index) => context.fillText(line, width / 2, middle(index)));
    map.addImage(id, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: ratio });
  });
}

function drawMarker(category, hue, card, isPending) {
  const ratio = Math.max(2, Math.ceil(devicePixelRatio));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH * ratio, height: HEIGHT * ratio });
  // It is read back at once: a canvas of the graphics card would have to be waited for.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.scale(ratio, ratio);
  context.lineJoin = context.lineCap = "round";
  // A drop: a circle whose tangents meet in the point.
  const drop = new Path2D("M17 40.5C13.6 35 3.5 28 3.5 17a13.5 13.5 0 0 1 27 0c0 11-10.1 18-13.5 23.5z");
  context.fillStyle = isPending ? card : hue;
  context.strokeStyle = isPending ? hue : card;
  context.lineWidth = 2;
  if (isPending) context.setLineDash([4, 3]);
  context.fill(drop);
  context.stroke(drop);
  context.setLineDash([]);
  context.translate(8, 8);
  context.scale(1.125, 1.125);
  context.strokeStyle = isPending ? hue : card;
  context.lineWidth = 1.5;
  context.stroke(new Path2D(outline(category)));
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
