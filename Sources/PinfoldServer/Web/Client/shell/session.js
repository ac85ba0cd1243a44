import * as api from "./api.js";
import * as database from "./database.js";
import { keepLanguage } from "./language.js";
import { signals } from "./signal.js";

const FACT = "user";
const PATIENCE = 2500;
/** How long another window may take to sign out. */
const LEAVING = 10_000;
const { on, emit } = signals();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("pinfold.session") : null;
const purges = new Set();
const guards = new Set();
const OWNER = "pinfold.owner";
let isLeaving = false;
let leavingTimer = 0;

/**
 * Who is signed in in this browser. The tokens are in cookies that no script can read.
 * `on("change", callback)`: somebody came, went, or has another profile; `"stayed"`: what was to end did not.
 */
export const session = {
  /** The answer of `/v1/me`, or null; the one of the last visit while the server cannot be reached. */
  user: null,
  /** Whether `user` is that of the last visit. */
  isRemembered: false,
  /** Why nobody is signed in: null, `"expired"`, `"signedOut"`, or the problem of the first call. */
  reason: null,
  on,

  /** Finds out who is signed in. */
  async start() {
    const kept = await database.read("facts", FACT).catch(() => undefined);
    // Where nobody has signed in, a refusal would be news to nobody but the console.
    if (!kept && !api.mayHaveSession()) return;
    const asking = api.get("/v1/me").then(admit).catch(async (problem) => {
      if (problem.status === 401) {
        if (kept) await this.ended("expired");
      } else if (!kept) {
        this.reason = problem;
      }
    });
    // Who was here before need not wait for a server that is slow or away.
    await (kept ? Promise.race([asking, new Promise((resolve) => setTimeout(resolve, PATIENCE))]) : asking);
    if (kept && !this.user && !this.reason) {
      Object.assign(this, { user: kept.user, isRemembered: true });
      emit("change", this.user);
    }
  },

  /** Makes an account (`username, email, password, displayName?, invite?`) and is signed in to it. */
  async signUp(fields) {
    await api.post("/v1/users", { ...fields, cookie: true });
    await this.entered();
  },

  async signIn(login, password) {
    await api.post("/v1/sessions", { login, password, cookie: true });
    await this.entered();
  },

  /** The cookies are those of a new session. */
  async entered() {
    api.markSession();
    await admit(await api.get("/v1/me"));
    channel?.postMessage({ entered: this.user.id });
  },

  /**
   * Ends the session here whatever the server says; answers whether the server was told, or null when somebody whom
   * `beforeSignOut` asked would rather stay.
   */
  async signOut() {
    for (const mayGo of guards) if (!(await mayGo())) return null;
    let told = true;
    await this.leave("signedOut", async () => {
      try {
        await api.remove("/v1/sessions/current");
      } catch (problem) {
        told = problem.status === 401;
      }
    });
    return told;
  },

  /** Whether the session is just being ended, in any window: what breaks off meanwhile is no news. */
  get isLeaving() {
    return isLeaving;
  },

  /** Ends the session by a call; whoever notices that from afar meanwhile does not say another reason. */
  async leave(reason, run) {
    isLeaving = true;
    channel?.postMessage({ leaving: true });
    try {
      await run();
      await this.ended(reason);
    } catch (problem) {
      if (problem.status === 401) await this.ended("expired");
      else channel?.postMessage({ leaving: false });
      throw problem;
    } finally {
      isLeaving = false;
    }
  },

  /** Reads the profile and its counts again. */
  async reload() {
    await admit(await api.get("/v1/me"));
  },

  /** The session is over: nothing of what it has seen stays in this browser. */
  async ended(reason = "expired", isTold = true) {
    const had = this.user !== null;
    Object.assign(this, { user: null, isRemembered: false, reason });
    api.unmarkSession();
    if (isTold) channel?.postMessage({ ended: reason });
    await this.purge({ keepsOwn: !["signedOut", "deleted"].includes(reason) });
    if (had) emit("change", null);
  },

  /** Runs `callback` whenever all that belongs to the account must go. */
  onPurge(callback) {
    purges.add(callback);
    return () => purges.delete(callback);
  },

  /** Asks `callback` before signing out: what is not sent yet would be lost. */
  beforeSignOut(callback) {
    guards.add(callback);
    return () => guards.delete(callback);
  },

  /** Forgets all that the account has seen; with `keepsOwn`, not what its owner has typed and not sent. */
  async purge({ keepsOwn = false } = {}) {
    for (const callback of purges) callback();
    await Promise.allSettled([
      ...["pins", "facts"].map(database.clear), dropCaches(), keepsOwn ? null : dropOwn(),
    ]);
    keepLanguage();
  },
};

async function admit(user) {
  if (!isOwner(user)) await session.purge();
  try {
    sessionStorage.setItem(OWNER, user.id);
  } catch {
    // Without storage there is nothing of another account either.
  }
  Object.assign(session, { user, isRemembered: false, reason: null });
  await database.write("facts", [{ name: FACT, user }]);
  emit("change", user);
}

/** Whether what this window has seen and typed is this user's. */
function isOwner(user) {
  if (session.user) return session.user.id === user.id;
  try {
    return [null, user.id].includes(sessionStorage.getItem(OWNER));
  } catch {
    return true;
  }
}

async function dropOwn() {
  await database.clear("outbox");
  try {
    sessionStorage.clear();
  } catch {
    // There is none: nothing is kept.
  }
}

/** The shell may stay: it is the same for everybody. */
async function dropCaches() {
  if (!globalThis.caches) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !name.startsWith("shell-")).map((name) => caches.delete(name)));
}

function stay() {
  isLeaving = false;
  if (session.user) emit("stayed");
}

api.on("ended", () => {
  if (session.user && !isLeaving) session.ended("expired");
});
channel?.addEventListener("message", ({ data }) => {
  clearTimeout(leavingTimer);
  isLeaving = data.leaving === true;
  // The other window may have been closed meanwhile.
  if (isLeaving) leavingTimer = setTimeout(stay, LEAVING);
  else if (data.leaving === false) stay();
  if (data.ended && session.user) session.ended(data.ended, false);
  if (data.entered && data.entered !== session.user?.id) session.reload().catch(() => {});
});
