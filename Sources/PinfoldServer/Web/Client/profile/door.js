/** What whoever is not signed in sees first: signing in and up, and the ways back to a forgotten password. */

import { describe, post, Problem } from "../shell/api.js";
import { button, make, replace } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { t } from "../shell/language.js";
import { go } from "../shell/router.js";
import { session } from "../shell/session.js";
import { toast } from "../shell/toast.js";
import { follow, greeting, inviteSentence } from "../friends/greeting.js";
import { inviteOf } from "../friends/invites.js";
import { refusal } from "./faults.js";
import { languageSelect } from "./look.js";

const INVITE = "pinfold.invite";

/** `view` is "signIn", "signUp", "forgot", "sent" or "reset". */
const door = { view: "signIn", invite: null, from: null, inviteProblem: null, token: null, sentTo: "", root: null };

/** Shows the door in `element`, with the invite or the reset of the link that was followed. */
export function openDoor(element, { invite = null, reset = null } = {}) {
  door.root = element;
  if (reset) Object.assign(door, { token: reset, view: "reset" });
  const code = invite ?? keptInvite();
  if (code && code !== door.invite) {
    Object.assign(door, { invite: code, from: null, inviteProblem: null });
    if (!reset) door.view = "signUp";
    keepInvite(code);
    findInviter(code);
  }
  drawDoor();
}

/** Draws the door anew, as after a change of the language. */
export function drawDoor() {
  if (!door.root) return;
  replace(door.root, make("div", { class: `door at-${door.view}${door.invite ? " is-invited" : ""}` }, backdrop(),
    pitch(), make("div", { class: "door-side" },
      invitation(), make("div", { class: "panel" }, ...VIEWS[door.view]()), foot())));
}

/** Whether the door is what is shown. */
export const isOpen = () => door.root !== null;

/** Whoever signs in is through. */
export function closeDoor() {
  Object.assign(door, { view: "signIn", token: null, sentTo: "", root: null });
}

function enter(view) {
  // Whoever followed a link while signed in is in already.
  if (view === "signIn" && session.user) {
    go("/#profile");
    return;
  }
  door.view = view;
  if (isGone(door.inviteProblem)) {
    Object.assign(door, { invite: null, inviteProblem: null });
    keepInvite(null);
  }
  session.reason = null;
  drawDoor();
  const first = door.root.querySelector(".panel input:not([tabindex])") ?? door.root.querySelector(".panel h2");
  first?.focus();
}

const VIEWS = { signIn, signUp, forgot, sent, reset };

function signIn() {
  return [heading("signIn", t("profile.signIn")), why(), form({
    name: "sign-in",
    fields: [
      { name: "login", label: t("profile.login"), required: true, autocomplete: "username", autocapitalize: "none",
        spellcheck: "false", maxlength: 254 },
      { name: "password", label: t("profile.password"), type: "password", required: true,
        autocomplete: "current-password", maxlength: 256 },
    ],
    submit: {
      label: t("profile.signIn"), kind: "wide",
      async run({ login, password }) {
        try {
          await session.signIn(login, password);
        } catch (problem) {
          throw problem.status === 401 ? refusal(t("profile.wrongLogin")) : problem;
        }
        await afterEntering();
      },
    },
  }), make("p", { class: "aside-note" }, link(t("profile.forgot"), "forgot")),
  make("p", { class: "aside-note" }, `${t("profile.newHere")} `, link(t("profile.signUp"), "signUp"))];
}

function signUp() {
  return [heading("signUp", t("profile.signUp")), form({
    name: "sign-up",
    fields: [
      { name: "username", label: t("profile.username"), required: true, autocomplete: "username",
        autocapitalize: "none", spellcheck: "false", hint: t("profile.usernameHint") },
      { name: "displayName", label: t("profile.displayName"), autocomplete: "name", maxlength: 100 },
      { name: "email", label: t("profile.email"), type: "email", required: true, autocomplete: "email",
        maxlength: 254, check: checkEmail },
      { name: "password", label: t("profile.password"), type: "password", required: true,
        autocomplete: "new-password", maxlength: 256, hint: t("profile.passwordHint"), check: checkPassword },
    ],
    submit: {
      label: t("profile.signUp"), kind: "wide",
      async run({ username, displayName, email, password }) {
        const open = door.invite && !door.inviteProblem;
        const fields = { username, email, password, ...(displayName ? { displayName } : {}) };
        try {
          await session.signUp({ ...fields, ...(open ? { invite: door.invite } : {}) });
        } catch (problem) {
          if (!problem.errors?.some(({ field }) => field === "invite")) throw problem;
          // Used up since it was looked at: the next press does without it.
          Object.assign(door, { from: null, inviteProblem: new Problem({ status: 404, slug: "not-found" }) });
          showInvitation();
          throw refusal(t("friends.inviteGone"));
        }
        await afterEntering();
      },
    },
  }), make("p", { class: "aside-note" }, `${t("profile.haveOne")} `, link(t("profile.signIn"), "signIn"))];
}

function forgot() {
  return [heading("forgot", t("profile.forgotTitle")), form({
    name: "forgot",
    intro: t("profile.forgotText"),
    fields: [{ name: "email", label: t("profile.email"), type: "email", required: true, autocomplete: "email",
      maxlength: 254, check: checkEmail }],
    submit: {
      label: t("profile.forgotSend"), kind: "wide",
      async run({ email }) {
        await post("/v1/password-resets", { email });
        door.sentTo = email;
        enter("sent");
      },
    },
  }), make("p", { class: "aside-note" }, link(t("profile.backToSignIn"), "signIn"))];
}

function sent() {
  return [heading("sent", t("profile.sentTitle")),
    make("p", { role: "status", text: t("profile.sentText", { email: `\u2068${door.sentTo}\u2069` }) }),
    make("p", { class: "hint", text: t("profile.sentHint") }),
    waysOn()];
}

function reset() {
  return [heading("reset", t("profile.resetTitle")), form({
    name: null,
    intro: t("profile.resetText"),
    fields: [{ name: "password", label: t("profile.passwordNew"), type: "password", required: true,
      autocomplete: "new-password", maxlength: 256, hint: t("profile.passwordHint"), check: checkPassword }],
    submit: {
      label: t("profile.resetSet"), kind: "wide",
      async run({ password }) {
        try {
          await post(`/v1/password-resets/${encodeURIComponent(door.token)}`, { password });
        } catch (problem) {
          throw [401, 404, 410].includes(problem.status) ? refusal(t("profile.resetGone")) : problem;
        }
        door.token = null;
        // Every session has ended, one in this browser too.
        if (session.user) await session.ended("signedOut");
        enter("signIn");
        toast(t("profile.resetDone"));
      },
    },
  }), waysOn()];
}

/** An invite that brought somebody here makes a friend of them now. */
async function afterEntering() {
  const { invite, inviteProblem } = door;
  Object.assign(door, { invite: null, from: null, inviteProblem: null });
  keepInvite(null);
  if (!invite || inviteProblem) return;
  try {
    await follow(invite);
  } catch (problem) {
    toast(inviteSentence(problem), { kind: "fault" });
  }
}

async function findInviter(code) {
  try {
    const { from } = await inviteOf(code);
    if (door.invite !== code) return;
    door.from = from;
  } catch (problem) {
    if (door.invite !== code) return;
    door.inviteProblem = problem;
  }
  showInvitation();
}

function showInvitation() {
  door.root?.querySelector(".invitation")?.replaceWith(invitation());
}

function invitation() {
  if (!door.invite) return null;
  const box = make("div", { class: "panel invitation", role: "status" });
  if (door.from) return replace(box, greeting(door.from), make("p", { class: "hint", text: t("friends.inviteHow") }));
  if (!door.inviteProblem) return replace(box, make("p", { text: t("friends.finding") }));
  const again = () => {
    door.inviteProblem = null;
    return findInviter(door.invite);
  };
  return replace(box, make("p", { text: inviteSentence(door.inviteProblem) }),
    isGone(door.inviteProblem) ? null : button({ label: t("profile.again"), kind: "quiet small", run: again }));
}

/** Whether a link will never work again. */
const isGone = (problem) => [404, 410].includes(problem?.status);

/** Why whoever was here is not signed in any more. */
function why() {
  const { reason } = session;
  const known = { expired: "shell.session.ended", signedOut: "shell.session.signedOut", deleted: "profile.deleted" };
  if (!reason) return null;
  if (known[reason]) return make("p", { class: "alert calm", role: "status", text: t(known[reason]) });
  return make("div", { class: "alert", role: "alert" }, make("p", { text: describe(reason) }),
    button({ label: t("profile.again"), kind: "quiet small", run: () => session.start() }));
}

const heading = (id, text) => make("h2", { id: `door-${id}`, tabindex: "-1", text });
const link = (label, view) =>
  make("button", { type: "button", class: "link", text: label, onclick: () => enter(view) });
const waysOn = () => make("p", { class: "aside-note" },
  link(t("profile.sendAgain"), "forgot"), link(t("profile.backToSignIn"), "signIn"));

/** A password is checked where it is set; the server says the rest. */
export const checkPassword = (password) =>
  ([...(password ?? "")].length < 8 ? t("profile.passwordShort") : null);
export const checkEmail = (email) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : t("profile.emailWrong"));

function foot() {
  return make("div", { class: "door-foot" }, languageSelect("door-language"),
    make("a", { href: "/docs", text: t("profile.docs") }));
}

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The mark of Pinfold: a fold around a pin. */
function mark() {
  return draw("svg", { class: "mark", viewBox: "0 0 32 32", width: 38, height: 38, "aria-hidden": "true" },
    draw("path", { d: "M20.2 4.7a12 12 0 1 1-8.4 0", fill: "none", stroke: "currentColor", "stroke-width": 3,
      "stroke-linecap": "round" }),
    draw("circle", { cx: 16, cy: 16, r: 4.5, fill: "currentColor" }));
}

function pitch() {
  return make("div", { class: "pitch" },
    make("p", { class: "brand" }, mark(), make("span", { class: "brand-name", text: "Pinfold" })),
    make("h1", { text: t("profile.pitch") }), make("p", { text: t("profile.pitchText") }));
}

const DOTS = [["food", 303, 447], ["culture", 220, 513], ["nature", 103, 438], ["nightlife", 28, 532],
  ["education", 370, 605], ["shopping", 414, 738], ["nature", 332, 552], ["other", 164, 550]];

function backdrop() {
  const rings = draw("g", { fill: "none", stroke: "currentColor" },
    ...[90, 180, 280, 395].map((r) => draw("circle", { cx: 400, cy: 400, r })));
  return draw("svg", { class: "backdrop", viewBox: "0 0 800 800", "aria-hidden": "true" }, rings,
    ...DOTS.map(([category, cx, cy]) => draw("circle", { class: `dot ${category}`, cx, cy, r: 9 })));
}

function keptInvite() {
  try {
    return sessionStorage.getItem(INVITE);
  } catch {
    return null;
  }
}

/** A reload on the way must not lose the invite. */
function keepInvite(code) {
  try {
    if (code) sessionStorage.setItem(INVITE, code);
    else sessionStorage.removeItem(INVITE);
  } catch {
    // Without storage it lasts as long as the page.
  }
}
