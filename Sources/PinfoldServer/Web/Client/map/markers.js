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

/**
 * The name beside a pin. MapLibre spells scripts that run from right to left backwards without a plug-in; names in them
 * are drawn here, as images that the map asks for by `label:NAME`.
 */
export function labelExpression() {
  const name = ["get", "name"];
  const short = ["case", [">", ["length", name], LONGEST_LABEL], ["concat", ["slice", name, 0, LONGEST_LABEL - 2], "…"],
    name];
  return ["case", ["is-supported-script", name], ["to-string", short], ["format", ["image", ["concat", LABEL, short]]]];
}

/** Draws the labels that the map finds missing. */
export function drawLabels(map) {
  map.on("styleimagemissing", ({ id }) => {
    if (!id.startsWith(LABEL) || map.hasImage(id)) return;
    const ratio = Math.max(2, Math.ceil(devicePixelRatio));
    const color = colors();
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const text = id.slice(LABEL.length);
    const font = `${LABEL_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
    context.font = font;
    const width = Math.ceil(context.measureText(text).width) + 2 * LABEL_EDGE;
    const height = Math.ceil(LABEL_SIZE * 1.4) + 2 * LABEL_EDGE;
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    context.scale(ratio, ratio);
    Object.assign(context, { font, textBaseline: "middle", textAlign: "center", lineJoin: "round",
      lineWidth: 2 * LABEL_EDGE - 2, strokeStyle: color("card"), fillStyle: color("ink") });
    context.strokeText(text, width / 2, height / 2);
    context.fillText(text, width / 2, height / 2);
    map.addImage(id, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: ratio });
  });
}

function drawMarker(category, hue, card, isPending) {
  const ratio = Math.max(2, Math.ceil(devicePixelRatio));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH * ratio, height: HEIGHT * ratio });
  const context = canvas.getContext("2d");
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
