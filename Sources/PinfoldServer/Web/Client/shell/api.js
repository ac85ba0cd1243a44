import { language, t } from "./language.js";
import { signals } from "./signal.js";

const GENERATION = "pinfold.session";
const TRIES = 3;
const LONGEST_WAIT = 10;
const SILENCE = 20_000;
const { on, emit } = signals();

/** `ended` when the session is over and cannot be renewed; `answer` after each answer, `silence` after none. */
export { on };

/** An answer that is not a success, as problem+json says it (RFC 9457); without any answer its slug is `offline`. */
export class Problem extends Error {
  constructor({ status = 0, slug, title = "", detail = "", errors = [], retryAfter = null, isSilence = false }) {
    super(detail || title || slug);
    Object.assign(this, { name: "Problem", status, slug, title, detail, errors, retryAfter, isSilence });
  }
}

export const get = (path, options = {}) => call("GET", path, { again: true, ...options });
/** Each post carries an `Idempotency-Key`, so that it may be sent again when its answer is lost. */
export const post = (path, body, options = {}) =>
  call("POST", path, { body, again: true, ...options, idempotencyKey: options.idempotencyKey ?? newKey() });
export const patch = (path, body, options = {}) => call("PATCH", path, { body, ...options });
export const put = (path, body, options = {}) => call("PUT", path, { body, ...options });
export const remove = (path, options = {}) => call("DELETE", path, options);

/** The items of a list, page by page: each turn of the iteration is one page (an array). */
export async function* pages(path, { query = {}, limit = 50, signal } = {}) {
  let cursor = null;
  do {
    const page = await get(path, { query: { ...query, limit, cursor }, signal });
    cursor = page.next;
    yield Object.assign(page.items, { isLast: !cursor });
  } while (cursor);
}

/** All items of a list that is short by nature. */
export async function all(path, query = {}) {
  const items = [];
  for await (const page of pages(path, { query, limit: 500 })) items.push(...page);
  return items;
}

/** A fresh `Idempotency-Key`: `randomUUID` is missing where the page comes over plain http. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Path and query as an address; a value that is an array is repeated, one that is null or empty left out. */
export function address(path, query = {}) {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) {
      if (each !== null && each !== undefined && each !== "") fields.append(name, each);
    }
  }
  const text = fields.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * One call. Options: `query`, `body`, `signal`, `etag` (true: the answer is `{value, etag}`), `ifMatch`,
 * `idempotencyKey`, `again` (may be sent again), `as` (`"json"`, `"bytes"`, `"blob"`), `accept`.
 */
export async function call(method, path, options = {}) {
  let renewed = false;
  for (let turn = 1; ; turn += 1) {
    const generation = sessionGeneration();
    try {
      return await exchange(method, path, options);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.status === 401 && !isSignIn(method, path)) {
        if (renewed) throw problem;
        renewed = true;
        await renew(generation, problem);
        continue;
      }
      const wait = pause(problem, turn);
      if (!options.again || turn >= TRIES || wait === null) throw problem;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      if (options.signal?.aborted) throw options.signal.reason;
    }
  }
}

/** A 401 of these is about what was typed, not about a session that has run out. */
const isSignIn = (method, path) => method === "POST" && /^\/v1\/(sessions|users|password-resets\b.*)$/.test(path);

/** Seconds until another try makes sense, or null: not after a silence that has taken long enough. */
function pause({ status, slug, retryAfter, isSilence }, turn) {
  if (isSilence) return null;
  if (status === 429 || status === 503) {
    const wait = retryAfter ?? 2 ** turn / 2;
    return wait <= LONGEST_WAIT ? wait + Math.random() / 4 : null;
  }
  return slug === "offline" && navigator.onLine ? (2 ** turn / 6) * (1 + Math.random() / 2) : null;
}

async function exchange(method, path, { query, body, signal, etag, ifMatch, idempotencyKey, as = "json", accept }) {
  // Mail that the server sends for it is in the language chosen here.
  const headers = { Accept: accept ?? "application/json", "Accept-Language": language() };
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
  const raw = body instanceof Blob || body instanceof ArrayBuffer;
  if (body !== undefined && !raw) headers["Content-Type"] = "application/json";
  if (body instanceof Blob && body.type) headers["Content-Type"] = body.type;
  const isFile = raw || as === "blob";
  const silence = AbortSignal.timeout(isFile ? SILENCE * 15 : SILENCE);
  const watched = signal ? AbortSignal.any([signal, silence]) : silence;
  let response;
  let answer;
  try {
    response = await fetch(address(path, query), {
      // Nothing that somebody may stop being allowed to see stays in the browser's own cache.
      method, headers, signal: watched, cache: "no-store", credentials: "same-origin",
      body: body === undefined || raw ? body : JSON.stringify(body),
    });
    answer = response.ok && as !== "json"
      ? await (as === "bytes" ? response.arrayBuffer() : response.blob()) : await response.text();
  } catch (error) {
    if (signal?.aborted) throw signal.reason ?? error;
    emit("silence");
    throw new Problem({ slug: "offline", isSilence: silence.aborted });
  }
  emit("answer");
  if (!response.ok) throw problemOf(response, answer);
  const value = as === "json" ? parsed(answer) : answer;
  return etag ? { value, etag: response.headers.get("ETag") } : value;
}

function problemOf(response, text) {
  const value = parsed(text) ?? {};
  const wait = Number(response.headers.get("Retry-After"));
  return new Problem({
    status: response.status,
    slug: String(value.type ?? "").split("/").pop() || `http-${response.status}`,
    title: String(value.title ?? ""),
    detail: String(value.detail ?? ""),
    errors: Array.isArray(value.errors) ? value.errors : [],
    retryAfter: response.headers.has("Retry-After") && Number.isFinite(wait) ? wait : null,
  });
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Changes whenever any window of this browser has renewed the session or begun another. */
function sessionGeneration() {
  try {
    return localStorage.getItem(GENERATION) ?? "";
  } catch {
    return "";
  }
}

/** Says to all windows that the cookies are new ones. */
export function markSession() {
  try {
    localStorage.setItem(GENERATION, newKey());
  } catch {
    // Without storage each window renews for itself: the server bears that.
  }
}

/** Nobody is signed in in this browser. */
export function unmarkSession() {
  try {
    localStorage.removeItem(GENERATION);
  } catch {
    // Without storage there was no mark.
  }
}

/** Whether there may be cookies of a session, which no script can see. */
export function mayHaveSession() {
  try {
    return localStorage.getItem(GENERATION) !== null;
  } catch {
    return true;
  }
}

let renewing = null;

/**
 * New cookies for those that the server no longer takes: one renewal at a time over all windows, because a refresh
 * token that is used after its successor ends the session. Rejects with the 401 when there is nothing to renew.
 */
export function renew(generation = sessionGeneration(), cause = null) {
  renewing ??= withLock(async () => {
    if (sessionGeneration() !== generation) return;
    try {
      await exchange("POST", "/v1/sessions/refresh", {});
      markSession();
    } catch (problem) {
      // A renewal that is refused by its form or by its token is one that will never work.
      if (problem.status === 401 || problem.status === 400) {
        emit("ended");
        throw cause ?? problem;
      }
      throw problem;
    }
  }).finally(() => {
    renewing = null;
  });
  return renewing;
}

const withLock = (run) => (navigator.locks ? navigator.locks.request("pinfold.renew", run) : run());

const explanations = new Map();

/** Gives slugs of problems the keys of their texts: `{"own-invite": "friends.inviteOwn"}`. */
export function explain(keys) {
  for (const [slug, key] of Object.entries(keys)) explanations.set(slug, key);
}

/** What to tell people about a problem, in their language. */
export function describe(problem) {
  if (!(problem instanceof Problem)) return t("shell.problem.unexpected");
  const { status, slug, retryAfter } = problem;
  if (explanations.has(slug)) return t(explanations.get(slug));
  if (slug === "offline") return t(navigator.onLine ? "shell.problem.silent" : "shell.problem.offline");
  if (status === 429) {
    return retryAfter ? t("shell.problem.wait", { count: Math.ceil(retryAfter) }) : t("shell.problem.later");
  }
  if (status === 401) return t("shell.problem.signedOut");
  if (status === 403) return t("shell.problem.refused");
  if (status === 404) return t("shell.problem.missing");
  if (status === 412) return t("shell.problem.changed");
  if (status === 413) return t("shell.problem.tooLarge");
  if (status >= 500) return t("shell.problem.server", { status: String(status) });
  if (problem.errors.length) {
    return problem.errors.map(({ field, message }) => `${field}: ${message}`).join(" · ");
  }
  return problem.detail || problem.title || t("shell.problem.unexpected");
}
