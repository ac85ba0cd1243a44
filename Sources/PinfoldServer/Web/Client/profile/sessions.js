/** Where one is signed in. */

import { all, describe, remove } from "../shell/api.js";
import { button, make, replace, timeAgo } from "../shell/elements.js";
import { formatDate, t } from "../shell/language.js";
import { session } from "../shell/session.js";
import { ask } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { actButton, fillList } from "../friends/button.js";
import { loading, panel } from "./parts.js";

export function sessionsSection() {
  return loading(() => all("/v1/sessions"), (found) => {
    let sessions = found;
    const list = make("ul", { class: "people sessions", "aria-labelledby": "profile-sessions-title" });
    const foot = make("div", { class: "sheet-acts" });
    const element = panel("sessions", t("profile.sessions"),
      make("p", { class: "hint", text: t("profile.sessionsHint") }), list, foot);

    const end = async (which) => {
      try {
        await remove(`/v1/sessions/${which.id}`);
      } catch (problem) {
        if (problem.status !== 404) throw problem;
      }
      sessions = sessions.filter((other) => other.id !== which.id);
    };
    const attempt = async (run, said) => {
      try {
        await run();
        toast(said);
      } catch (problem) {
        toast(describe(problem), { kind: "fault" });
      }
      draw();
    };

    const row = (each) => make("li", { class: "person", "data-id": each.id },
      make("div", { class: "who" },
        make("b", { class: "name" }, make("bdi", { text: deviceOf(each.userAgent) })),
        make("div", { class: "details" },
          each.current ? make("span", { class: "here", text: t("profile.thisDevice") })
            : make("span", {}, t("profile.lastUsed"), " ", timeAgo(each.lastSeenAt)),
          make("span", { text: t("profile.signedInOn", { date: formatDate(each.createdAt) }) }),
          make("bdi", { class: "address", text: each.address }))),
      make("div", { class: "acts" }, actButton(each.current
        ? { act: "out", label: t("profile.signOut"), run: signOut }
        : { act: "end", label: t("profile.endSession"), about: deviceOf(each.userAgent),
          run: () => attempt(() => end(each), t("profile.sessionEnded")) })));

    async function endOthers() {
      const others = sessions.filter((each) => !each.current);
      const sure = await ask({
        title: t("profile.endOthersTitle", { count: others.length }), text: t("profile.endOthersText"),
        confirm: t("profile.endOthers"), danger: true,
      });
      if (!sure) return;
      await attempt(async () => {
        for (const each of others) await end(each);
      }, t("profile.othersEnded"));
    }

    function draw() {
      const sorted = [...sessions].sort((a, b) => Number(b.current) - Number(a.current)
        || b.lastSeenAt.localeCompare(a.lastSeenAt));
      fillList(list, sorted.map(row), { home: element.querySelector("h2") });
      replace(foot, sessions.some((each) => !each.current)
        ? button({ label: t("profile.endOthers"), kind: "quiet", run: endOthers }) : null);
    }
    draw();
    return element;
  });
}

/** Signs this browser out; where the server cannot be told, that is said. */
export async function signOut() {
  const told = await session.signOut();
  if (told === false) toast(t("profile.signedOutUntold"), { kind: "fault", seconds: 20 });
}

const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"], [/\bOPR\/|\bOpera\b/, "Opera"], [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"], [/\bFirefox\/|\bFxiOS\//, "Firefox"], [/Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS = [
  [/\biPhone\b/, "iPhone"], [/\biPad\b/, "iPad"], [/\bAndroid\b/, "Android"], [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"], [/\bMac OS X\b|\bMacintosh\b/, "macOS"], [/\bLinux\b/, "Linux"],
];

/** A device by what it says of itself: browser and system where they are known, else its own words. */
export function deviceOf(userAgent) {
  if (!userAgent) return t("profile.unknownDevice");
  const find = (names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return t("profile.browserOn", { browser, system });
  return browser ?? userAgent.slice(0, 120);
}
