import * as api from "../shell/api.js";
import * as database from "../shell/database.js";
import { live } from "../shell/live.js";
import { session } from "../shell/session.js";
import { signals } from "../shell/signal.js";
import { store } from "../shell/store.js";

const { on, emit } = signals();
let kept = [];
let isSending = false;

/**
 * Pins that were dropped while the server was away, kept in this browser until it has them. Each goes with the
 * `Idempotency-Key` of its first try, so that one whose answer was lost is not dropped twice.
 * `on("change")`, `on("sent", pin)`, `on("refused", entry)`.
 */
export const outbox = {
  on,
  /** `{key, account, body, at, problem}`, the oldest first; `problem` is the server's sentence when it refused it. */
  entries: () => kept,
  entry: (key) => kept.find((each) => each.key === key) ?? null,

  async start() {
    const all = await database.readAll("outbox");
    kept = all.filter((entry) => entry.account === session.user?.id).sort((a, b) => a.at - b.at);
    emit("change");
    await outbox.send();
  },

  async add(body, key) {
    const entry = { key, account: session.user.id, body, at: Date.now(), problem: null };
    kept = [...kept.filter((each) => each.key !== key), entry];
    await database.write("outbox", [entry]);
    emit("change");
  },

  async drop(key) {
    kept = kept.filter((entry) => entry.key !== key);
    await database.write("outbox", [], [key]);
    emit("change");
  },

  /** Sends what waits, in order. */
  async send() {
    if (isSending || !session.user) return;
    isSending = true;
    try {
      for (const entry of kept.filter(({ problem }) => !problem)) await sendOne(entry);
    } catch {
      // The server is away again, or wants to be left alone for a while: later.
    } finally {
      isSending = false;
    }
  },
};

async function sendOne(entry) {
  try {
    const pin = await api.post("/v1/pins", entry.body, { idempotencyKey: entry.key });
    store.put(pin);
    await outbox.drop(entry.key);
    emit("sent", pin);
  } catch (problem) {
    if (![400, 404, 409, 413, 422].includes(problem.status)) throw problem;
    const refused = { ...entry, problem: api.describe(problem) };
    kept = kept.map((each) => (each.key === entry.key ? refused : each));
    await database.write("outbox", [refused]);
    emit("change");
    emit("refused", refused);
  }
}

live.on("state", (online) => {
  if (online) outbox.send();
});
session.on("change", (user) => {
  if (user) outbox.start();
});
session.onPurge(() => {
  kept = [];
  emit("change");
});
