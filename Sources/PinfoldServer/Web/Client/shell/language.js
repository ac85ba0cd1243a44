/** The languages that have a file in `languages/`, by what they call themselves. */
export const languages = [
  { code: "en", name: "English" },
  { code: "es", name: "Español" },
  { code: "pl", name: "Polski" },
];

const KEY = "pinfold.language";
const listeners = new Set();
const loaded = new Map();
let current = "en";
let entries = {};

/** The language in use, as an ISO 639-1 code. */
export const language = () => current;

/**
 * The text of a key (`section.name`) in the language in use: `{name}` in it is replaced by `values.name`. An entry that
 * is an object has a text for each plural category, chosen by `values.count`. A key that is missing is its own text.
 */
export function t(key, values = {}) {
  return template(key, values).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole));
}

/** The same as children for an element: what comes in by `values` is isolated, so that it cannot turn the sentence. */
export function phrase(key, values = {}) {
  return template(key, values).split(/(\{\w+\})/).filter(Boolean).map((part) => {
    const name = part.match(/^\{(\w+)\}$/)?.[1];
    if (!name || !(name in values)) return part;
    if (values[name] instanceof Node) return values[name];
    const isolated = document.createElement("bdi");
    isolated.textContent = shown(values[name]);
    return isolated;
  });
}

function template(key, values) {
  const dot = key.indexOf(".");
  const entry = entries[key.slice(0, dot)]?.[key.slice(dot + 1)];
  if (typeof entry === "string") return entry;
  if (!entry) return key;
  return entry[new Intl.PluralRules(current).select(values.count ?? 0)] ?? entry.other ?? key;
}

const shown = (value) => (typeof value === "number" ? formatNumber(value) : String(value));

/** Calls back after each change of the language; answers with what ends that. */
export function onLanguage(callback) {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/** Changes the language for this browser, without a reload. */
export async function setLanguage(code) {
  await use(code);
  keepLanguage();
  for (const listener of listeners) listener(code);
}

/** Writes the choice down again: signing out clears all that the browser holds. */
export function keepLanguage() {
  try {
    localStorage.setItem(KEY, current);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Loads the language chosen before, else the first of the browser's that there is, else English. */
export async function startLanguage() {
  let kept = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    kept = null;
  }
  const wanted = [kept, ...(navigator.languages ?? [])].map((tag) => String(tag).slice(0, 2).toLowerCase());
  const code = wanted.find((tag) => languages.some((each) => each.code === tag)) ?? "en";
  try {
    await use(code);
  } catch (error) {
    if (code === "en") throw error;
    await use("en");
  }
}

async function use(code) {
  if (!loaded.has(code)) {
    const response = await fetch(new URL(`../languages/${code}.json`, import.meta.url));
    if (!response.ok) throw new Error(`no texts in ${code}`);
    loaded.set(code, await response.json());
  }
  current = code;
  entries = loaded.get(code);
  document.documentElement.lang = code;
}

/** A date and time; `style` is one of `Intl.DateTimeFormat`'s, or `"full"` for date and time. */
export function formatDate(iso, style = "medium") {
  const options = style === "full" ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: style };
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : new Intl.DateTimeFormat(current, options).format(date);
}

/** A number as the language writes it. */
export const formatNumber = (number, options) => new Intl.NumberFormat(current, options).format(number);

/** A distance in metres or kilometres. */
export function formatDistance(metres) {
  if (metres < 999.5) return formatNumber(Math.round(metres), { style: "unit", unit: "meter" });
  const digits = metres < 9950 ? 1 : 0;
  return formatNumber(metres / 1000,
    { style: "unit", unit: "kilometer", minimumFractionDigits: digits, maximumFractionDigits: digits });
}
