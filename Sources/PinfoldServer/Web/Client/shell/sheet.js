import { button, focusBack, make, replace } from "./elements.js";
import { form } from "./form.js";
import { t } from "./language.js";

let counter = 0;
let open = null;
const closers = new Set();

/**
 * Opens a sheet: from below on phones, at the side on desktops. `title` is a string or children; `content` an element.
 * `modal` keeps the rest of the page from being used. Focus goes in, and back when it closes; Escape closes it. One
 * that is not modal takes the place of the one before. Answers with `{element, close(), update({title, content})}`.
 */
export function openSheet({ title, content, onclose = null, modal = false, kind = "" }) {
  counter += 1;
  const id = `sheet-title-${counter}`;
  const before = document.activeElement;
  const heading = make("h2", { id, tabindex: "-1", dir: "auto" }, ...[title].flat());
  const body = make("div", { class: "sheet-body" }, content);
  const sheet = make("dialog", { class: `sheet ${modal ? "modal" : "beside"} ${kind}`.trim(), "aria-labelledby": id },
    make("div", { class: "sheet-head" }, heading,
      button({ label: t("shell.close"), icon: "close", hidden: true, run: () => close() })),
    body);

  closers.add(close);
  function close() {
    if (!sheet.isConnected) return;
    const hadFocus = sheet.contains(document.activeElement);
    sheet.close();
    sheet.remove();
    removeEventListener("popstate", close);
    closers.delete(close);
    if (open?.element === sheet) open = null;
    if (hadFocus) focusBack(before);
    onclose?.();
  }

  sheet.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  });
  // A press beside a question closes it; one that began inside, such as selecting text, does not.
  let beganOutside = false;
  sheet.addEventListener("pointerdown", (event) => {
    beganOutside = event.target === sheet;
  });
  sheet.addEventListener("click", (event) => {
    if (modal && beganOutside && event.target === sheet) close();
  });

  // Back leaves what was asked on the page before.
  if (modal) {
    addEventListener("popstate", close, { once: true });
    document.body.append(sheet);
    sheet.showModal();
  } else {
    open?.close();
    document.getElementById("sheets").append(sheet);
    sheet.show();
  }
  const handle = {
    element: sheet,
    close,
    update(next) {
      if (next.title !== undefined) replace(heading, ...[next.title].flat());
      if (next.content !== undefined) replace(body, next.content);
    },
  };
  if (!modal) open = handle;
  (sheet.querySelector("[autofocus]") ?? heading).focus({ preventScroll: true });
  return handle;
}

/** Closes all sheets, questions too. */
export function closeSheets() {
  for (const close of [...closers]) close();
}

/** Closes the sheet that is not modal, if there is one. */
export function closeSheet() {
  open?.close();
}

/**
 * Asks before something is done. Without `fields` it resolves to true or null, with `fields` (as in `form`) to their
 * values or null. With `run` the question stays open until that succeeds and shows its problem, and the answer is what
 * it resolves to.
 */
export function ask({ title, text = null, confirm, danger = false, fields = [], run = null }) {
  return new Promise((resolve) => {
    let answer = null;
    const content = form({
      name: null,
      fields,
      intro: text,
      cancel: () => sheet.close(),
      submit: {
        label: confirm,
        kind: danger ? "danger" : "",
        run: async (values) => {
          answer = run ? ((await run(values)) ?? true) : fields.length ? values : true;
          sheet.close();
        },
      },
    });
    const sheet = openSheet({ title, content, modal: true, kind: "question", onclose: () => resolve(answer) });
    (content.querySelector("input, textarea, select") ?? content.querySelector("button")).focus();
  });
}
