import * as api from "./api.js";
import { icon, make, replace, timeAgo } from "./elements.js";
import { onLanguage, phrase, t } from "./language.js";
import { live } from "./live.js";
import { signals } from "./signal.js";
import { session } from "./session.js";
import { store } from "./store.js";

const PATIENCE = 2500;
const { on, emit } = signals();
let timer = 0;
let isAway = false;

/** `change`: `isOffline()` is another. */
export { on };

/** Says when what is shown is what this browser kept, and since when. */
export function startStatus() {
  const bar = document.getElementById("status");
  const draw = () => {
    clearTimeout(timer);
    const shown = session.user !== null && isAway;
    bar.hidden = !shown;
    document.body.classList.toggle("offline", shown);
    if (!shown) {
      replace(bar);
      return;
    }
    replace(bar, icon("offline", 16), make("span", {}, store.savedAt
      ? phrase(navigator.onLine ? "shell.status.silentSince" : "shell.status.offlineSince",
        { time: timeAgo(new Date(store.savedAt).toISOString()) })
      : t(navigator.onLine ? "shell.status.silent" : "shell.status.offline")));
  };
  // A connection that comes back at once is not worth a word.
  const watch = () => {
    clearTimeout(timer);
    if (live.online) set(false);
    if (live.online || isAway) draw();
    else if (session.isRemembered || !navigator.onLine) away();
    else timer = setTimeout(() => store.complete && away(), PATIENCE);
  };
  const set = (away) => {
    if (isAway === away) return;
    isAway = away;
    emit("change", away);
  };
  const away = () => {
    set(true);
    draw();
  };
  live.on("state", watch);
  store.on("state", watch);
  api.on("silence", () => session.user && !live.online && away());
  session.on("change", watch);
  addEventListener("offline", away);
  addEventListener("online", watch);
  onLanguage(draw);
  setInterval(() => isAway && draw(), 60_000);
  watch();
}

/** Whether what is shown may be old. */
export const isOffline = () => isAway;
