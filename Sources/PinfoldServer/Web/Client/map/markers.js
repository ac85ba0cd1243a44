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
