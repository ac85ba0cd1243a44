import { make, replace } from "../shell/elements.js";

/** What the sources of the map ask to be said of them. It comes as markup, of which texts and links alone are taken. */
export function attribution(map) {
  const element = make("p", { class: "attribution" });
  // What lies over the map's lower edge makes room for it.
  const { style: root } = document.documentElement;
  new ResizeObserver(() => root.setProperty("--attribution", `${element.offsetHeight}px`)).observe(element);
  function draw() {
    const style = map.getStyle();
    const texts = new Set(Object.keys(style?.sources ?? {})
      .map((name) => map.getSource(name)?.attribution).filter(Boolean));
    replace(element, [...texts].flatMap((text, place) => [place ? " · " : null, ...nodes(text)]));
  }
  map.on("sourcedata", ({ sourceDataType }) => {
    if (sourceDataType === "metadata") draw();
  });
  map.on("style.load", draw);
  return element;
}

function nodes(markup) {
  return markup.split(/(<a\s[^>]*>[^<]*<\/a>)/i).filter(Boolean).map((part) => {
    const [, attributes, text] = part.match(/^<a\s([^>]*)>([^<]*)<\/a>$/i) ?? [];
    const address = attributes?.match(/href\s*=\s*["']?(https?:\/\/[^"'\s>]+)/i)?.[1];
    if (!address) return plain(part);
    return make("a", { href: address, target: "_blank", rel: "noopener noreferrer", text: plain(text) });
  });
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: "\"", copy: "©", nbsp: " " };
const plain = (text) => text.replace(/<[^>]*>/g, "")
  .replace(/&(#?\w+);/g, (whole, name) => ENTITIES[name] ?? character(name) ?? whole);

/** The character of `#NUMBER`, or null. */
function character(name) {
  const code = Number(name.match(/^#(\d{1,7})$/)?.[1]);
  return code < 0x110000 ? String.fromCodePoint(code) : null;
}
