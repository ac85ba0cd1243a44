/** What can be done about somebody: each says how it went, and leaves the lists as they are if it did not. */

import { describe, explain, Problem } from "../shell/api.js";
import { t } from "../shell/language.js";
import { go } from "../shell/router.js";
import { ask as question } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { quoted } from "./names.js";
import { people } from "./people.js";

explain({
  "requests-closed": "friends.faultRequestsClosed",
  "already-friends": "friends.faultAlreadyFriends",
  "blocked-by-you": "friends.faultBlockedByYou",
  "request-settled": "friends.faultSettled",
  "too-many-circles": "friends.faultTooManyCircles",
  "too-many-invites": "friends.faultTooManyInvites",
  "own-invite": "friends.inviteOwn",
});

/** What went wrong, in a sentence for people. */
export function sentence(problem) {
  return problem.status === 404 ? t("friends.faultGone") : describe(problem);
}

/** Runs a call and says what came of it. @returns whether it went well */
async function attempt(run, said) {
  try {
    const result = await run();
    toast(typeof said === "function" ? said(result) : said);
    return true;
  } catch (problem) {
    toast(sentence(problem), { kind: "fault" });
    // Somebody else was faster, or this window was behind: the lists say what is true.
    if ([404, 409].includes(problem.status)) people.load();
    return false;
  }
}

/** The same behind a question, which stays open and shows what went wrong. */
async function asked(texts, run, said) {
  const done = await question({ ...texts, danger: true, run: async () => {
    try {
      await run();
    } catch (problem) {
      // It is done already.
      if (problem.status !== 404) throw problem;
      await people.load();
    }
    return true;
  } });
  if (done) toast(said);
  return Boolean(done);
}

/** Answers a request that may be settled by now: nothing is left to do where that is what was `wanted`. */
async function settled(user, find, run, wanted) {
  if (people.state !== "ready") await people.load();
  const request = find(user);
  try {
    if (!request) throw new Problem({ status: 404 });
    await run(request);
  } catch (problem) {
    if (![404, 409].includes(problem.status)) throw problem;
    if (request) await people.load();
    if (people.relation(user) !== wanted) throw problem;
  }
}

export const actions = {
  ask: (user) => attempt(() => people.ask(user), (request) => t(request.status === "accepted"
    ? "friends.nowFriends" : "friends.asked", { name: quoted(user) })),

  accept: (user) => attempt(() => settled(user, people.requestFrom, people.accept, "friend"),
    t("friends.nowFriends", { name: quoted(user) })),

  reject: (user) => attempt(() => settled(user, people.requestFrom, people.reject, "none"),
    t("friends.rejected", { name: quoted(user) })),

  cancel: (user) => attempt(() => settled(user, people.requestTo, people.cancel, "none"),
    t("friends.cancelled", { name: quoted(user) })),

  remove: (user) => asked({
    title: t("friends.removeTitle", { name: quoted(user) }), text: t("friends.removeText"),
    confirm: t("friends.removeFriend"),
  }, () => people.unfriend(user), t("friends.removed", { name: quoted(user) })),

  block: (user) => asked({
    title: t("friends.blockTitle", { name: quoted(user) }), text: t("friends.blockText"), confirm: t("friends.block"),
  }, () => people.block(user), t("friends.blocked", { name: quoted(user) })),

  unblock: (user) => attempt(() => people.unblock(user), t("friends.unblocked", { name: quoted(user) })),

  /** The map with the pins of one friend alone. */
  viewPins: (user) => go(`/#map?friend=${encodeURIComponent(user.id)}`),
};
