import { session } from "./session.js";
import { signals } from "./signal.js";

const KEY = "pinfold.theme";
const { on, emit } = signals();
const system = matchMedia("(prefers-color-scheme: dark)");

/** `on("change", callback)`: light became dark or the other way round. */
export { on };

/** What can be chosen: as the system has it, or one of both. */
export const themes = ["system", "light", "dark"];

let chosen = kept();

/** What is chosen. */
export const theme = () => chosen;

/** Whether what is shown is dark. */
export const isDark = () => (chosen === "system" ? system.matches : chosen === "dark");

/** Chooses for this browser. */
export function setTheme(name) {
  chosen = themes.includes(name) ? name : "system";
  keep();
  apply();
  emit("change", isDark());
}

function kept() {
  try {
    const name = localStorage.getItem(KEY);
    return themes.includes(name) ? name : "system";
  } catch {
    return "system";
  }
}

function keep() {
  try {
    if (chosen === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

const BARS = { light: "#ffffff", dark: "#161d1a" };

/** The style sheets follow an attribute of the root; the browser's own bars follow `theme-color`. */
function apply() {
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  for (const bar of document.querySelectorAll('meta[name="theme-color"]')) {
    const own = bar.media.includes("dark") ? "dark" : "light";
    bar.content = BARS[chosen === "system" ? own : chosen];
  }
}

system.addEventListener("change", () => {
  if (chosen === "system") emit("change", isDark());
});
// Signing out clears all that the browser holds; how it looks is no secret.
session.onPurge(keep);
apply();
