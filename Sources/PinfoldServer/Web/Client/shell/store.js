import * as api from "./api.js";
import * as database from "./database.js";
import { live } from "./live.js";
import { session } from "./session.js";
import { signals } from "./signal.js";

const FACT = "pins";
const PAGE = 500;
const { on, emit } = signals();
let byId = new Map();
let turn = 0;
/** What is taken out while the pins of a new friend are asked for: the answer may be older than that. */
const asked = new Set();

/**
 * The pins that the viewer can see, their own and friends', kept in this browser for when the server is away.
 * `on("change", ({changed, removed, reset}) => …)`: arrays of pins and of ids; `reset` when all may be others.
 * `on("state", …)` when `complete`, `problem` or `savedAt` change.
 */
export const store = {
  /** Whether all that is visible is here; false while the first fill runs. */
  complete: false,
  /** The place behind which the live connection goes on. */
  cursor: null,
  /** What kept the last fill from coming to its end. */
  problem: null,
  /** When these pins were last known to be what the server has, milliseconds since 1970. */
  savedAt: null,
  on,

  pins: () => [...byId.values()],
  pin: (id) => byId.get(id) ?? null,

  /** Takes in a pin that the server has answered with, ahead of its event. */
  put(pin) {
    if (session.user) keep([pin], []);
  },

  /** Takes out a pin that the server has said is gone, ahead of its event. */
  drop(id) {
    if (session.user) keep([], [id]);
  },

  /** Takes out all pins of an owner, at once: no longer a friend, or blocked. */
  dropOwner(ownerId) {
    for (const each of asked) if (each.friend === ownerId) each.isOver = true;
    const gone = store.pins().filter((pin) => pin.ownerId === ownerId).map((pin) => pin.id);
    keep([], gone, true);
  },

  /** Loads what this browser kept, then what changed since; the live connection goes on from there. */
  async start() {
    const mine = (turn += 1);
    const [fact, pins] = await Promise.all([database.read("facts", FACT), database.readAll("pins")]);
    if (mine !== turn) return;
    if (fact?.account === session.user?.id) {
      byId = new Map(pins.map((pin) => [pin.id, pin]));
      Object.assign(store, { cursor: fact.cursor, savedAt: fact.savedAt, complete: fact.cursor !== null });
    } else {
      await database.clear("pins");
    }
    emit("change", { changed: store.pins(), removed: [], reset: true });
    emit("state");
    await fill(mine);
  },

  /** Asks again for what changed. */
  refresh: () => fill(turn),

  /** Forgets everything. */
  purge() {
    turn += 1;
    byId = new Map();
    Object.assign(store, { complete: false, cursor: null, problem: null, savedAt: null });
    live.stop();
    emit("change", { changed: [], removed: [], reset: true });
    emit("state");
  },
};

/** Reads changes page by page up to the end, then listens. */
async function fill(mine) {
  let since = store.cursor;
  try {
    const known = since === null ? new Set() : null;
    for (;;) {
      const page = await api.get("/v1/pins/changes", { query: { since, limit: PAGE } });
      if (mine !== turn) return;
      for (const pin of page.changed) known?.add(pin.id);
      keep(page.changed, page.removed, false, page.more ? store.cursor : page.cursor);
      since = page.cursor;
      if (!page.more) break;
    }
    // After a start from nothing, what is not among the answers is not visible any more.
    if (known) keep([], store.pins().filter((pin) => !known.has(pin.id)).map((pin) => pin.id));
    Object.assign(store, { complete: true, problem: null });
    emit("state");
    live.start({ cursor: () => store.cursor, expired: startOver });
  } catch (problem) {
    if (mine !== turn) return;
    if (problem.slug === "cursor-expired" || problem.errors?.some(({ field }) => field === "since")) {
      await startOver();
      return;
    }
    store.problem = problem;
    emit("state");
    if (problem.status !== 401) setTimeout(() => mine === turn && store.problem && fill(mine), 5000);
  }
}

/** The place is too old: what is shown stays until all has come anew. */
async function startOver() {
  store.cursor = null;
  await fill(turn);
}

function keep(changed, removed, isWide = false, cursor = store.cursor) {
  for (const each of asked) for (const id of removed) each.gone.add(id);
  for (const id of removed) byId.delete(id);
  const fresh = changed.filter((pin) => isNews(pin, byId.get(pin.id)));
  for (const pin of fresh) byId.set(pin.id, pin);
  Object.assign(store, { cursor, savedAt: Date.now() });
  if (fresh.length || removed.length) database.write("pins", fresh, removed);
  database.write("facts",
    [{ name: FACT, account: session.user?.id ?? null, cursor, savedAt: store.savedAt }]);
  // What is gone may be on the screen without ever having been here.
  if (fresh.length || removed.length) emit("change", { changed: fresh, removed, reset: isWide });
}

const isNews = (pin, known) => known === undefined
  || (pin.updatedAt >= known.updatedAt && JSON.stringify(pin) !== JSON.stringify(known));

/** The older pins of a new friend are among what has become visible since the cursor before the event. */
async function addPinsOf(friend, before) {
  const mine = turn;
  const ask = { friend, gone: new Set(), isOver: false };
  asked.add(ask);
  let since = before;
  try {
    for (;;) {
      const page = await api.get("/v1/pins/changes", { query: { since, limit: PAGE } });
      if (mine !== turn || ask.isOver) return;
      keep(page.changed.filter((pin) => pin.ownerId === friend && !ask.gone.has(pin.id)), []);
      since = page.cursor;
      if (!page.more) return;
    }
  } catch {
    if (mine === turn && !ask.isOver) await startOver();
  } finally {
    asked.delete(ask);
  }
}

live.on("*", (event) => {
  const before = store.cursor;
  const cursor = event.cursor ?? before;
  if (event.type === "pin.created" || event.type === "pin.updated") keep([event.pin], [], false, cursor);
  else if (event.type === "pin.removed") keep([], [event.id], false, cursor);
  else if (event.cursor) keep([], [], false, cursor);
  if (event.type === "friend.removed") store.dropOwner(event.user.id);
  if (event.type === "friend.added") addPinsOf(event.user.id, before);
});
live.on("state", () => emit("state"));
session.onPurge(() => store.purge());
