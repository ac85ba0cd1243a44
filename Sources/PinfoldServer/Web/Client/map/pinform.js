import * as api from "../shell/api.js";
import * as database from "../shell/database.js";
import { button, make } from "../shell/elements.js";
import { form, hasDraft } from "../shell/form.js";
import { language, phrase, t } from "../shell/language.js";
import { openSheet } from "../shell/sheet.js";
import { store } from "../shell/store.js";
import { toast } from "../shell/toast.js";
import { CATEGORIES } from "./filters.js";
import { parsePoint, positionText, wrapped } from "./geometry.js";
import { outbox } from "./outbox.js";

const LONGEST_NAME = 200;
const LONGEST_COMMENT = 10_000;
const LONGEST_ADDRESS = 500;
const SEVENTH = 1e7;
const PATIENCE = 2500;
/** The fact that says who sees pins unless their owner says otherwise: for when the server is away. */
const USUAL = "audience";

const rounded = (degrees) => Math.round(degrees * SEVENTH) / SEVENTH;

/**
 * The form of a pin. `pin`: the one to change, or null for a new one; `entry`: one of the outbox to change before it is
 * sent; `place`: `{latitude, longitude, name?}` of a new one; `marker`: `{show(place, moved), hide()}`, which lets the
 * place be dragged; `done(pin)` when it is saved. Answers with the sheet.
 */
export async function openPinForm({ pin = null, entry = null, place = null, marker, done = () => {} }) {
  const start = entry?.body ?? pin ?? {};
  const draftName = pin ? `pin-${pin.id}` : entry ? `waiting-${entry.key}` : "pin-new";
  const isResumed = hasDraft(draftName);
  const attempt = { text: "", key: "" };
  let ifMatch = null;
  let circles = [];
  let sheet = null;
  let asking = null;

  if (pin) {
    const answer = await soon(`/v1/pins/${pin.id}`, { etag: true }).catch((problem) => {
      if (problem.status) throw problem;
      return null;
    });
    if (answer) {
      ifMatch = answer.etag;
      Object.assign(start, answer.value);
    }
  }
  const [circlePage, privacy] = await Promise.all([
    soon("/v1/circles", { query: { limit: 500 } }).catch(() => null),
    pin || entry ? null : soon("/v1/me/privacy").catch(() => null),
  ]);
  circles = circlePage?.items ?? [];
  const usual = privacy?.defaultAudience ?? (await database.read("facts", USUAL).catch(() => null))?.audience ?? "friends";
  if (privacy) database.write("facts", [{ name: USUAL, audience: usual }]);

  const first = place ?? { latitude: start.latitude, longitude: start.longitude };
  const position = make("input", { type: "text", id: "pin-position", autocomplete: "off", spellcheck: "false",
    inputmode: "text", dir: "ltr" });
  position.value = positionText(first);
  let exact = first;
  position.addEventListener("input", () => {
    const typed = parsePoint(position.value);
    if (!typed) return;
    exact = typed;
    marker.show(typed, moved);
    lookUp();
  });

  function moved(to) {
    exact = { latitude: to.latitude, longitude: wrapped(to.longitude) };
    position.value = positionText(exact);
    lookUp();
  }

  const audience = start.audience === "circle" ? `circle:${start.circleId}` : start.audience ?? usual;
  const element = form({
    name: draftName,
    fields: [
      { name: "name", label: t("map.form.name"), required: true, maxlength: LONGEST_NAME,
        value: start.name ?? place?.name ?? "" },
      { name: "category", label: t("map.form.category"), type: "choices", value: start.category ?? "other",
        options: CATEGORIES.map((value) => ({ value, label: t(`map.category.${value}`), icon: value, class: value })) },
      { name: "rating", label: t("map.form.rating"), type: "stars", value: start.rating ?? "" },
      { name: "comment", label: t("map.form.comment"), type: "textarea", rows: 3, maxlength: LONGEST_COMMENT,
        value: start.comment ?? "" },
      { name: "address", label: t("map.form.address"), maxlength: LONGEST_ADDRESS, placeholder: t("map.form.lookedUp"),
        hint: t("map.form.addressHint"),
        value: !pin || start.addressSource === "owner" ? start.address ?? "" : "" },
      { name: "audience", label: t("map.form.audience"), type: "choices", value: audience, options: [
        { value: "friends", label: t("map.audience.friends") }, { value: "private", label: t("map.audience.private") },
        ...circles.map(({ id, name }) => ({ value: `circle:${id}`, label: make("bdi", { text: name }) }))] },
      { name: "position", type: "custom", element: make("div", { class: "position-field" },
        make("label", { for: "pin-position", text: t("map.form.position") }), position,
        make("p", { class: "hint", text: t("map.form.positionHint") })),
      read: () => position.value.trim(),
      check: (value) => (parsePoint(value) ? null : t("map.form.badPosition")) },
    ],
    submit: { label: t(pin || entry ? "map.form.save" : "map.form.drop"), run: save },
    intro: isResumed ? [`${t("map.form.resumed")} `,
      button({ label: t("map.form.afresh"), kind: "link", run: afresh })] : null,
  });
  const addressInput = element.elements.address;

  function afresh() {
    element.discard();
    const again = { pin, entry, place: pin ? null : exact, marker, done };
    sheet.close();
    return openPinForm(again);
  }

  /** What the server will put for an address that is left empty. */
  async function lookUp() {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      const { latitude, longitude } = exact;
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (mine.signal.aborted) return;
      const found = await api.get("/v1/places/reverse",
        { query: { lat: latitude, lon: longitude, lang: language() }, signal: mine.signal });
      if (!mine.signal.aborted) addressInput.placeholder = found.label ?? t("map.form.noAddress");
    } catch {
      if (!mine.signal.aborted) addressInput.placeholder = t("map.form.lookedUp");
    }
  }

  function bodyOf(values) {
    const [kind, circleId = null] = values.audience.split(":");
    const typed = parsePoint(values.position);
    const point = typed && positionText(typed) === positionText(exact) ? exact : typed;
    return {
      latitude: rounded(point.latitude), longitude: rounded(wrapped(point.longitude)),
      name: values.name, category: values.category, rating: values.rating,
      comment: values.comment || null, address: values.address || null,
      audience: kind, ...(kind === "circle" ? { circleId } : {}),
    };
  }

  async function save(values) {
    const body = bodyOf(values);
    if (pin) await change(body);
    else await create(body);
  }

  async function create(body) {
    const text = JSON.stringify(body);
    // What is sent once more is the same pin and may not be dropped twice; what was changed in between is another.
    if (attempt.text !== text) Object.assign(attempt, { text, key: api.newKey() });
    try {
      const created = await api.post("/v1/pins", body, { idempotencyKey: attempt.key });
      if (entry) await outbox.drop(entry.key);
      store.put(created);
      finish(created);
      toast(phrase("map.dropped", { name: created.name }));
    } catch (problem) {
      if (problem.slug !== "offline") throw problem;
      if (entry) await outbox.drop(entry.key);
      await outbox.add(body, attempt.key);
      finish(null);
      toast(phrase("map.outbox.kept", { name: body.name }));
    }
  }

  async function change(body) {
    const changes = Object.fromEntries(Object.entries(body)
      .filter(([key, value]) => (start[key] ?? null) !== (value ?? null)));
    // An address that was looked up stays as it is until somebody writes another.
    if (!body.address && start.addressSource !== "owner") delete changes.address;
    if (!Object.keys(changes).length) {
      finish(store.pin(pin.id) ?? pin);
      return;
    }
    if (changes.audience === "circle") changes.circleId = body.circleId;
    try {
      const changed = await api.patch(`/v1/pins/${pin.id}`, changes, { ifMatch });
      store.put(changed);
      finish(changed);
      toast(phrase("map.changed", { name: changed.name }));
    } catch (problem) {
      // Whoever saves again after reading that it was changed elsewhere means it.
      if (problem.status === 412) {
        ({ etag: ifMatch } = await api.get(`/v1/pins/${pin.id}`, { etag: true }));
      }
      if (problem.status === 404) store.drop(pin.id);
      throw problem;
    }
  }

  function finish(saved) {
    element.discard();
    sheet.close();
    done(saved);
  }

  sheet = openSheet({
    title: t(pin || entry ? "map.form.editTitle" : "map.form.newTitle"),
    content: element,
    kind: "pin-form",
    onclose() {
      asking?.abort();
      marker.hide();
    },
  });
  marker.show(first, moved);
  lookUp();
  element.elements.name.focus({ preventScroll: true });
  return { ...sheet, move: (to) => {
    moved(to);
    marker.show(exact, moved);
  } };
}

/** Nobody waits long for what the form can do without. */
const soon = (path, options) => api.get(path, { ...options, again: false, signal: AbortSignal.timeout(PATIENCE) });
