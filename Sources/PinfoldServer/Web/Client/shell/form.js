import { describe, Problem } from "./api.js";
import { busy, button, icon, make, replace } from "./elements.js";
import { faultText } from "./faults.js";
import { t } from "./language.js";

let counter = 0;

/**
 * A form. `name`: its draft is kept in this browser under that name, but for passwords, until it is sent; null for
 * none. `fields`: `{name, label, type, value, required, autocomplete, hint, placeholder, options, maxlength, rows,
 * inputmode}`; `type` is that of an `input`, or `textarea`, `select`, `choices` (one of `options: [{value, label,
 * icon?, class?}]`), `checkbox`, `stars`, or `custom` with `element` and `read()`. `submit`: `{label, kind?,
 * run(values)}`; a `Problem` that `run` rejects with is shown at its fields. `cancel`: what a second button runs. The
 * element has `set(name, value)`, `get()`, `fault(name, message)`, `clear(name)` and `discard()` (forgets the draft).
 */
export function form({ name, fields, submit, cancel = null, intro = null, extra = [] }) {
  counter += 1;
  const prefix = `form-${counter}`;
  const draft = readDraft(name);
  const alert = make("p", { class: "alert", role: "alert", hidden: true });
  const slots = new Map(fields.map((field) =>
    [field.name, makeField({ ...field, value: draft[field.name] ?? field.value }, `${prefix}-${field.name}`)]));
  const send = button({ label: submit.label, kind: submit.kind ?? "", type: "submit" });
  const element = make("form", { class: "form", method: "post", novalidate: true },
    intro ? make("p", { class: "intro" }, ...[intro].flat()) : null,
    alert,
    ...[...slots.values()].map((slot) => slot.element),
    ...extra,
    make("div", { class: "form-foot" },
      cancel ? button({ label: t("shell.cancel"), kind: "quiet", run: cancel }) : null, send));

  const values = () => Object.fromEntries([...slots].map(([key, slot]) => [key, slot.read()]));

  element.addEventListener("input", () => {
    writeDraft(name, fields, values());
  });
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(send, async () => {
      clearFaults();
      const filled = values();
      if (showFaults(faultsOf(fields, filled))) return;
      try {
        await submit.run(filled);
        writeDraft(name, fields, null);
      } catch (problem) {
        if (!(problem instanceof Problem)) reportError(problem);
        showProblem(problem);
      }
    });
  });

  function clearFaults() {
    alert.hidden = true;
    for (const slot of slots.values()) slot.clear();
  }

  function showFaults(faults) {
    for (const { field, message } of faults) slots.get(field).fault(message);
    if (faults.length) slots.get(faults[0].field).focus();
    return faults.length > 0;
  }

  function showProblem(problem) {
    const [here, elsewhere] = [[], []];
    for (const error of problem.errors ?? []) (slots.has(error.field) ? here : elsewhere).push(error);
    showFaults(here.map(({ field, message }) => ({
      field,
      // The server's own words only where there are no others.
      message: faultText(message)
        ?? make("span", { lang: "en", text: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }),
    })));
    const rest = elsewhere.map(({ field, message }) => `${field} ${message}`).join(". ");
    if (!here.length || rest) {
      alert.hidden = false;
      replace(alert, rest || describe(problem));
      if (!here.length) alert.scrollIntoView({ block: "nearest" });
    }
  }

  return Object.assign(element, {
    get: values,
    set: (key, value) => slots.get(key).write(value),
    fault: (key, message) => showFaults([{ field: key, message }]),
    clear: (key) => slots.get(key).clear(),
    showProblem,
    discard: () => writeDraft(name, fields, null),
  });
}

function faultsOf(fields, values) {
  const faults = [];
  for (const field of fields) {
    const value = values[field.name];
    if (field.required && (value === "" || value === null || value === undefined)) {
      faults.push({ field: field.name, message: t("shell.form.required") });
    } else if (field.maxlength && typeof value === "string" && [...value].length > field.maxlength) {
      faults.push({ field: field.name, message: t("shell.form.tooLong", { count: field.maxlength }) });
    } else {
      const message = field.check?.(value, values);
      if (message) faults.push({ field: field.name, message });
    }
  }
  return faults;
}

/** One field: `{element, read(), write(value), fault(message), clear(), focus()}`. */
function makeField(field, id) {
  if (field.type === "custom") return customField(field, id);
  if (field.type === "choices" || field.type === "stars") return choiceField(field, id);
  const hint = field.hint ? make("p", { class: "hint", id: `${id}-hint` }, ...[field.hint].flat()) : null;
  const control = makeControl(field, id);
  const fault = make("p", { class: "fault", id: `${id}-fault`, hidden: true });
  const isBox = field.type === "checkbox";
  const label = make("label", { for: id }, field.label,
    field.required || isBox ? null : make("span", { class: "optional", text: ` ${t("shell.form.optional")}` }));
  // Only what is nearly full is counted.
  const count = field.maxlength ? make("p", { class: "hint count", "aria-live": "polite" }) : null;
  const recount = () => {
    const left = field.maxlength - [...control.value].length;
    count.textContent = left < 0 ? t("shell.form.over", { count: -left })
      : left < field.maxlength / 10 ? t("shell.form.left", { count: left }) : "";
  };
  if (count) control.addEventListener("input", recount);
  const element = make("div", { class: isBox ? "field box" : "field", "data-field": field.name },
    isBox ? control : label, isBox ? label : control, hint, count, fault);
  const describedBy = (hasFault) => {
    const ids = [hint?.id, hasFault ? fault.id : null].filter(Boolean).join(" ");
    if (ids) control.setAttribute("aria-describedby", ids);
    else control.removeAttribute("aria-describedby");
  };
  describedBy(false);
  return {
    element,
    read: () => (isBox ? control.checked : field.type === "password" ? control.value : control.value.trim()),
    write(value) {
      if (isBox) control.checked = Boolean(value);
      else control.value = value ?? "";
      if (count) recount();
    },
    fault(message) {
      fault.hidden = false;
      replace(fault, message);
      control.setAttribute("aria-invalid", "true");
      describedBy(true);
    },
    clear() {
      fault.hidden = true;
      control.removeAttribute("aria-invalid");
      describedBy(false);
    },
    focus: () => control.focus(),
  };
}

function makeControl(field, id) {
  const shared = { id, name: field.name, autocomplete: field.autocomplete ?? "off", "aria-required": field.required };
  if (field.type === "select") {
    const select = make("select", shared, field.options.map(({ value, label }) =>
      make("option", { value, text: label })));
    select.value = field.value ?? field.options[0]?.value ?? "";
    return select;
  }
  const isText = !["password", "email", "number", "checkbox", "date", "datetime-local", "file"].includes(field.type);
  Object.assign(shared, {
    dir: isText ? "auto" : null, placeholder: field.placeholder, inputmode: field.inputmode,
    autocapitalize: field.autocapitalize, spellcheck: field.spellcheck, accept: field.accept,
  });
  if (field.type === "textarea") {
    const area = make("textarea", { ...shared, rows: field.rows ?? 3 });
    area.value = field.value ?? "";
    return area;
  }
  const input = make("input", { ...shared, type: field.type ?? "text" });
  if (field.type === "checkbox") input.checked = Boolean(field.value);
  else if (field.type !== "file") input.value = field.value ?? "";
  return input;
}

function choiceField(field, id) {
  const isStars = field.type === "stars";
  const options = isStars
    ? [1, 2, 3, 4, 5].map((rating) => ({ value: String(rating), label: t("shell.stars", { count: rating }) }))
    : field.options;
  const inputs = [];
  const choices = options.map((option) => {
    const input = make("input", { type: "radio", name: `${id}-choice`, value: option.value,
      "aria-label": isStars ? option.label : null });
    inputs.push(input);
    return isStars
      ? make("label", { class: "star" }, input, make("span", { "aria-hidden": "true", text: "★" }))
      : make("label", { class: `choice ${option.class ?? ""}`.trim() }, input,
        make("span", {}, option.icon ? icon(option.icon, 18) : null, option.label));
  });
  const none = isStars ? make("input", { type: "radio", name: `${id}-choice`, value: "" }) : null;
  if (none) inputs.push(none);
  const fault = make("p", { class: "fault", id: `${id}-fault`, hidden: true });
  const hint = field.hint ? make("p", { class: "hint", id: `${id}-hint` }, ...[field.hint].flat()) : null;
  const element = make("fieldset", { class: "field", "data-field": field.name, "aria-describedby": hint?.id },
    make("legend", { text: field.label }),
    isStars
      ? make("div", { class: "rating-row" }, make("span", { class: "star-input" }, choices),
        make("label", { class: "choice" }, none, make("span", { text: t("shell.form.none") })))
      : make("div", { class: "choices" }, choices),
    hint, fault);
  const write = (value) => {
    for (const input of inputs) input.checked = input.value === String(value ?? "");
  };
  write(field.value);
  return {
    element,
    read() {
      const value = inputs.find((input) => input.checked)?.value ?? "";
      return isStars ? (value ? Number(value) : null) : value;
    },
    write,
    fault(message) {
      fault.hidden = false;
      replace(fault, message);
      element.setAttribute("aria-describedby", fault.id);
    },
    clear() {
      fault.hidden = true;
      element.removeAttribute("aria-describedby");
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0])?.focus(),
  };
}

function customField(field, id) {
  const fault = make("p", { class: "fault", id: `${id}-fault`, hidden: true });
  field.write?.(field.value);
  const control = field.element.querySelector("input, select, textarea");
  const described = control?.getAttribute("aria-describedby");
  return {
    element: make("div", { class: "field", "data-field": field.name }, field.element, fault),
    read: () => field.read(),
    write: (value) => field.write?.(value),
    fault(message) {
      fault.hidden = false;
      replace(fault, message);
      control?.setAttribute("aria-invalid", "true");
      control?.setAttribute("aria-describedby", [described, fault.id].filter(Boolean).join(" "));
    },
    clear() {
      fault.hidden = true;
      control?.removeAttribute("aria-invalid");
      if (described) control.setAttribute("aria-describedby", described);
      else control?.removeAttribute("aria-describedby");
    },
    focus: () => field.element.querySelector("input, select, textarea, button")?.focus(),
  };
}

const keyOf = (name) => `pinfold.draft.${name}`;

function readDraft(name) {
  if (!name) return {};
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name))) ?? {};
  } catch {
    return {};
  }
}

/** Whether something typed is kept under a name. */
export const hasDraft = (name) => Object.keys(readDraft(name)).length > 0;

function writeDraft(name, fields, values) {
  if (!name) return;
  const secret = new Set(fields.filter(({ type }) => type === "password" || type === "file").map((each) => each.name));
  try {
    if (!values) sessionStorage.removeItem(keyOf(name));
    else {
      const open = Object.entries(values).filter(([key]) => !secret.has(key));
      sessionStorage.setItem(keyOf(name), JSON.stringify(Object.fromEntries(open)));
    }
  } catch {
    // Without storage the text lives as long as the form.
  }
}
