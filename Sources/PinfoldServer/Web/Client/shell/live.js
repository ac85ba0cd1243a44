import * as api from "./api.js";
import { session } from "./session.js";
import { signals } from "./signal.js";

const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 30;
const PING = 25;
const ANSWER = 10;
const CURSOR_EXPIRED = [4410, 4400];
const UNAUTHORIZED = 4401;

const { on, emit } = signals();
let socket = null;
let source = null;
let failures = 0;
let retryTimer = 0;
let pingTimer = 0;
let silenceTimer = 0;

/**
 * The one connection for all that happens. `on(type, callback)` for an event's type, `"*"` for all, `"state"` when
 * `online` changes. The store says where it goes on, and starts over when that place is too old.
 */
export const live = {
  /** Whether the connection is open. */
  online: false,
  on,

  /** Opens the connection and keeps it open. `from`: `{cursor(), expired()}`. */
  start(from) {
    source = from;
    failures = 0;
    connect();
  },

  stop() {
    source = null;
    close();
    setOnline(false);
  },

  /** Sends a message of the contract (`typing`, `ack`); false while there is no connection. */
  send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  },
};

function connect() {
  close();
  if (!source) return;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const path = api.address("/v1/live", { after: source.cursor() });
  const opened = new WebSocket(`${scheme}//${location.host}${path}`);
  socket = opened;
  let wasOpen = false;
  opened.addEventListener("open", () => {
    if (socket !== opened) return;
    wasOpen = true;
    failures = 0;
    setOnline(true);
    listen();
  });
  opened.addEventListener("message", ({ data }) => {
    if (socket !== opened) return;
    listen();
    take(data);
  });
  opened.addEventListener("close", ({ code }) => {
    if (socket === opened) lost(code, wasOpen);
  });
}

function take(data) {
  let event;
  try {
    event = JSON.parse(data);
  } catch {
    return;
  }
  if (event.type === "pong") return;
  if (event.type === "problem") {
    console.warn("live:", event.problem?.detail ?? event.problem?.title);
    return;
  }
  emit(event.type, event);
  emit("*", event);
}

/** Silence for too long is a connection that is gone without a word. */
function listen() {
  clearTimeout(pingTimer);
  clearTimeout(silenceTimer);
  pingTimer = setTimeout(() => {
    live.send({ type: "ping" });
    silenceTimer = setTimeout(() => lost(0, true), ANSWER * 1000);
  }, PING * 1000);
}

async function lost(code, wasOpen) {
  close();
  setOnline(false);
  if (!source || session.isLeaving) return;
  const current = source;
  try {
    if (CURSOR_EXPIRED.includes(code)) {
      await source.expired();
    } else if (code === UNAUTHORIZED || !wasOpen) {
      // A handshake that is refused does not say why; this does, and renews the session where that is the cause.
      await api.get("/v1/me", { again: false });
    }
  } catch {
    // Whatever it is, the next try will tell.
  }
  if (source !== current || !session.user) return;
  const wait = code === UNAUTHORIZED && failures === 0
    ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.5 + Math.random() / 2);
  failures += 1;
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, wait * 1000);
}

function close() {
  clearTimeout(retryTimer);
  clearTimeout(pingTimer);
  clearTimeout(silenceTimer);
  const old = socket;
  socket = null;
  if (!old) return;
  // Browsers complain of one that is closed before it is open.
  if (old.readyState === WebSocket.CONNECTING) old.addEventListener("open", () => old.close());
  else old.close();
}

function setOnline(online) {
  if (live.online === online) return;
  live.online = online;
  emit("state", online);
}

function retryNow() {
  if (!source || live.online) return;
  failures = 0;
  connect();
}

addEventListener("online", retryNow);
session.on("stayed", retryNow);
addEventListener("offline", () => {
  if (source && live.online) lost(0, true);
});
// A page that the browser keeps for Back is not here: friends must not be told that its owner is.
addEventListener("pagehide", () => {
  if (!source) return;
  close();
  setOnline(false);
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) retryNow();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) retryNow();
});
