import { texts } from "./early.js";
import { button, make, replace } from "./shell/elements.js";
import { onLanguage, t } from "./shell/language.js";
import { atRest } from "./shell/rest.js";
import * as router from "./shell/router.js";
import { session } from "./shell/session.js";
import { closeSheets } from "./shell/sheet.js";
import { startStatus } from "./shell/status.js";
import { store } from "./shell/store.js";
import "./shell/theme.js";
import { clearToasts, toast } from "./shell/toast.js";

/** The folders of the tabs, each with a `tab.js` that registers itself. */
const TABS = ["map", "friends", "profile"];

const PATIENCE = 3000;

async function start() {
  await texts;
  const waiting = setTimeout(() => {
    document.getElementById("start-note").textContent = t("shell.start.waiting");
  }, PATIENCE);
  const skip = document.getElementById("skip");
  skip.textContent = t("shell.skip");
  onLanguage(() => {
    skip.textContent = t("shell.skip");
  });
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  const [tabs] = await Promise.all([
    Promise.allSettled(TABS.map((name) => import(`./${name}/tab.js`))),
    session.start(),
  ]);
  for (const { status, reason } of tabs) if (status === "rejected") reportError(reason);
  await addAdmin();
  session.on("change", addAdmin);
  startStatus();
  // What the last viewer was shown must not stay for the next one.
  session.onPurge(() => {
    closeSheets();
    clearToasts();
  });
  let account = null;
  const follow = () => {
    const user = session.user;
    if (user && user.id !== account) {
      store.start();
      // Signing out has taken it away with all else.
      registerServiceWorker();
    }
    account = user?.id ?? null;
  };
  session.on("change", follow);
  follow();
  await router.start();
  clearTimeout(waiting);
  document.getElementById("start").remove();
  if (session.isRemembered) stayAwake();
  watchVersions();
  await atRest();
  // Browsers look whether the client can be installed, and show it: not while they draw the first map.
  document.head.append(make("link", { rel: "manifest", href: "/manifest.webmanifest" }));
}

/** The admin page is for those who may use it: nobody else need load it. */
async function addAdmin() {
  if (!["curator", "admin"].includes(session.user?.role)) return;
  await import("./admin/tab.js").catch(reportError);
}

/** Where the last visit is shown because the server was away, the session is looked at when it is back. */
function stayAwake() {
  const stop = setInterval(async () => {
    if (!session.isRemembered) {
      clearInterval(stop);
      return;
    }
    await session.reload().catch(() => {});
  }, 5000);
}

/** A page that is open when another version comes goes on with its own, and says so. */
function watchVersions() {
  if (!navigator.serviceWorker?.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    toast(t("shell.update.text"), { seconds: 60,
      action: { label: t("shell.update.reload"), run: () => location.reload() } });
  });
}

async function registerServiceWorker() {
  if (!("serviceWorker" in navigator)) return;
  await atRest();
  try {
    await navigator.serviceWorker.register("/sw.js");
  } catch {
    // Browsers allow them over https and on localhost only: everything else works without.
  }
}

start().catch((error) => {
  reportError(error);
  const note = document.getElementById("start-note");
  if (note) {
    replace(note, "Pinfold could not start: the server sent not all of it. ",
      button({ label: "Reload", kind: "quiet", run: () => location.reload() }));
  }
});
