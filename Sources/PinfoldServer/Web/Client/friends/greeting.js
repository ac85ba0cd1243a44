/** Following an invite link. */

import { avatar, button, make, nameOf, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { go } from "../shell/router.js";
import { session } from "../shell/session.js";
import { openSheet } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { sentence } from "./actions.js";
import { acceptInvite, inviteOf } from "./invites.js";
import { handle, quoted } from "./names.js";
import { people } from "./people.js";

/** Why an invite leads nowhere, in a sentence. */
export function inviteSentence(problem) {
  if (problem.status === 404 || problem.status === 410) return t("friends.inviteGone");
  return sentence(problem);
}

/** Who invites: a face, a name and what comes of it. */
export function greeting(from) {
  return make("div", { class: "greeting" }, avatar(from, 64),
    make("div", { class: "who" },
      make("b", { class: "name" }, make("bdi", { text: nameOf(from) })),
      handle(from),
      make("p", { text: t("friends.inviteGreeting", { name: quoted(from) }) })));
}

/** Becomes a friend by an invite, and says so. */
export async function follow(code) {
  const friend = await acceptInvite(code);
  people.befriended(friend);
  people.load();
  toast(t("friends.nowFriends", { name: quoted(friend) }));
  go("/#friends");
}

/** The question to whoever is signed in and follows a link. */
export function openInvite(code) {
  const box = make("div", { class: "stack" });
  const sheet = openSheet({ title: t("friends.inviteSheet"), content: box, modal: true });
  const show = async () => {
    replace(box, make("p", { role: "status", text: t("friends.finding") }));
    try {
      const { from } = await inviteOf(code);
      replace(box, answer(from));
    } catch (problem) {
      replace(box, make("p", { class: "alert", role: "alert", text: inviteSentence(problem) }),
        [404, 410].includes(problem.status) ? null
          : make("div", { class: "sheet-acts" }, button({ label: t("friends.again"), run: show })));
    }
  };
  const answer = (from) => {
    if (from.id === session.user?.id) return make("p", { text: t("friends.inviteOwn") });
    if (people.relation(from) === "friend") {
      return make("div", { class: "stack" }, greetingOfFriend(from));
    }
    const fault = make("p", { class: "alert", role: "alert", hidden: true });
    return make("div", { class: "stack" }, greeting(from), fault, make("div", { class: "sheet-acts" },
      button({ label: t("friends.inviteNotNow"), kind: "quiet", run: () => sheet.close() }),
      button({ label: t("friends.inviteAccept"), run: async () => {
        try {
          await follow(code);
          sheet.close();
        } catch (problem) {
          fault.textContent = inviteSentence(problem);
          fault.hidden = false;
        }
      } })));
  };
  const greetingOfFriend = (from) => make("p", { text: t("friends.inviteAlready", { name: quoted(from) }) });
  show();
}
