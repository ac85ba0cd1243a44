import { make } from "./elements.js";

/** Saves bytes under a name, as a link with `download` would. */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
