/** Friends, requests, blocks and presence of whoever is signed in: one place, kept by calls and live events. */

import { all, post, put, remove } from "../shell/api.js";
import * as database from "../shell/database.js";
import { nameOf } from "../shell/elements.js";
import { language } from "../shell/language.js";
import { live } from "../shell/live.js";
import { session } from "../shell/session.js";
import { store } from "../shell/store.js";

const FACT = "people";
const listeners = new Set();
let turn = 0;
let loading = null;
let overtaken = false;

/**
 * `state` is "empty", "loading", "ready" or "failed" (then `problem` says why). `presence` maps the id of a friend to
 * `{online, lastSeenAt}`; who is not in it does not say.
 */
export const people = {
  state: "empty",
  problem: null,
  friends: [],
  incoming: [],
  outgoing: [],
  blocked: [],
  presence: new Map(),

  /** Calls back after each change. @returns {() => void} ends that */
  onChange(callback) {
    listeners.add(callback);
    return () => listeners.delete(callback);
  },

  /** What `user` is to the viewer: "self", "friend", "incoming", "outgoing", "blocked" or "none". */
  relation(user) {
    if (user.id === session.user?.id) return "self";
    const has = (list) => list.some((other) => other.id === user.id);
    if (has(people.blocked)) return "blocked";
    if (has(people.friends)) return "friend";
    if (people.incoming.some((request) => request.from.id === user.id)) return "incoming";
    if (people.outgoing.some((request) => request.to.id === user.id)) return "outgoing";
    return "none";
  },

  requestFrom: (user) => people.incoming.find((request) => request.from.id === user.id),
  requestTo: (user) => people.outgoing.find((request) => request.to.id === user.id),

  /** How many wait for an answer: of the lists if they are here, else as the account says. */
  get waiting() {
    return people.state === "ready" ? people.incoming.length : session.user?.counts?.incomingRequests ?? 0;
  },

  /** Fetches the lists; whoever asks meanwhile waits for the same. Never rejects: `state` and `problem` say it. */
  load() {
    loading ??= fetchAll().finally(() => {
      loading = null;
    });
    return loading;
  },

  async ask(user) {
    const request = await post("/v1/friend-requests", { to: user.id });
    if (request.status === "accepted") befriended(user);
    else settle(request);
    return request;
  },

  async accept(request) {
    await post(`/v1/friend-requests/${request.id}/accept`);
    befriended(request.from);
  },

  async reject(request) {
    settle(await post(`/v1/friend-requests/${request.id}/reject`));
  },

  async cancel(request) {
    await remove(`/v1/friend-requests/${request.id}`);
    settle({ ...request, status: "cancelled" });
  },

  async unfriend(user) {
    await remove(`/v1/friends/${user.id}`);
    store.dropOwner(user.id);
    parted(user);
  },

  async block(user) {
    await put(`/v1/blocks/${user.id}`);
    store.dropOwner(user.id);
    people.incoming = people.incoming.filter((request) => request.from.id !== user.id);
    people.outgoing = people.outgoing.filter((request) => request.to.id !== user.id);
    people.blocked = sorted([...without(people.blocked, user), user]);
    parted(user);
  },

  async unblock(user) {
    await remove(`/v1/blocks/${user.id}`);
    people.blocked = without(people.blocked, user);
    changed();
  },

  /** Makes friends without a call, when an invite has. */
  befriended: (user) => befriended(user),
};

async function fetchAll() {
  const mine = ++turn;
  overtaken = false;
  if (people.state !== "ready") people.state = "loading";
  tell();
  try {
    const [friends, incoming, outgoing, blocked] = await Promise.all([
      all("/v1/friends"),
      all("/v1/friend-requests", { direction: "incoming", status: "pending" }),
      all("/v1/friend-requests", { direction: "outgoing", status: "pending" }),
      all("/v1/blocks"),
    ]);
    if (mine !== turn) return;
    // What happened meanwhile may or may not be in the lists.
    if (overtaken) return await fetchAll();
    Object.assign(people, { friends: sorted(friends), incoming, outgoing, blocked: sorted(blocked) });
    Object.assign(people, { state: "ready", problem: null });
  } catch (problem) {
    if (mine !== turn) return;
    // A list that is here stays: what was true a minute ago is better than nothing.
    people.problem = problem;
    if (people.state !== "ready") await recall(mine);
    if (mine !== turn) return;
    tell();
    return;
  }
  changed();
}

/** The lists of the last visit, where the server does not answer. */
async function recall(mine) {
  const kept = await database.read("facts", FACT).catch(() => undefined);
  if (mine !== turn) return;
  if (kept && kept.account === session.user?.id) Object.assign(people, kept.lists, { state: "ready" });
  else people.state = "failed";
}

/** The lists are others: they are kept for when the server is away, and shown. */
function changed() {
  if (people.state === "ready" && session.user) {
    const { friends, incoming, outgoing, blocked } = people;
    const lists = { friends, incoming, outgoing, blocked };
    database.write("facts", [{ name: FACT, account: session.user.id, lists }]);
  }
  tell();
}

function tell() {
  for (const callback of listeners) callback();
}

const without = (list, user) => list.filter((other) => other.id !== user.id);

function sorted(users) {
  const order = new Intl.Collator(language(), { sensitivity: "base", numeric: true });
  return [...users].sort((a, b) => order.compare(nameOf(a), nameOf(b)) || order.compare(a.username, b.username));
}

/** Takes a request as it is now into the lists, or out of them. */
function settle(request) {
  people.incoming = people.incoming.filter((other) => other.id !== request.id);
  people.outgoing = people.outgoing.filter((other) => other.id !== request.id);
  if (request.status === "pending") {
    if (request.to.id === session.user?.id) people.incoming = [request, ...people.incoming];
    else people.outgoing = [request, ...people.outgoing];
  }
  changed();
}

function befriended(user, since = new Date().toISOString()) {
  people.incoming = people.incoming.filter((request) => request.from.id !== user.id);
  people.outgoing = people.outgoing.filter((request) => request.to.id !== user.id);
  const before = people.friends.find((friend) => friend.id === user.id);
  people.friends = sorted([...without(people.friends, user), { ...user, since: before?.since ?? since }]);
  changed();
}

function parted(user) {
  people.friends = without(people.friends, user);
  people.presence.delete(user.id);
  changed();
}

function renamed(user) {
  const fresh = (other) => (other.id === user.id ? { ...other, ...user } : other);
  people.friends = sorted(people.friends.map(fresh));
  people.incoming = people.incoming.map((request) => ({ ...request, from: fresh(request.from) }));
  people.outgoing = people.outgoing.map((request) => ({ ...request, to: fresh(request.to) }));
  changed();
}

function forget() {
  turn += 1;
  loading = null;
  Object.assign(people, { state: "empty", problem: null, friends: [], incoming: [], outgoing: [], blocked: [] });
  people.presence.clear();
  tell();
}

/** An event changes lists that are here; without them, it is the time to fetch them: the count on the tab follows. */
const ready = (callback) => (event) => {
  if (loading) overtaken = true;
  if (people.state === "ready") callback(event);
  else if (!loading) people.load();
};

for (const status of ["created", "accepted", "rejected", "cancelled"]) {
  live.on(`friendRequest.${status}`, ready(({ friendRequest }) => settle(friendRequest)));
}
live.on("friend.added", ready(({ user, at }) => befriended(user, at)));
live.on("friend.removed", ready(({ user, userId }) => parted({ id: user?.id ?? userId })));
live.on("*", ({ type, user }) => {
  if (user && type.endsWith(".updated") && people.state === "ready") renamed(user);
});
live.on("presence", ({ userId, online, lastSeenAt }) => {
  people.presence.set(userId, { online, lastSeenAt });
  tell();
});

live.on("state", (online) => {
  // The server says anew who is here; who has left meanwhile it does not say.
  if (!online) people.presence.clear();
  else if (people.state !== "empty") people.load();
  tell();
});

session.onPurge(forget);
