/** The friends tab: what is needed before it is shown. */

import { t } from "../shell/language.js";
import { live } from "../shell/live.js";
import { refreshBadges, register } from "../shell/router.js";
import { session } from "../shell/session.js";
import { toast } from "../shell/toast.js";
import { actions } from "./actions.js";
import { quoted } from "./names.js";
import { people } from "./people.js";

let page = null;

register({
  name: "friends",
  icon: "friends",
  order: 20,
  title: "friends.title",
  style: new URL("./friends.css", import.meta.url),
  claims: ["invite"],
  async mount(element) {
    page = await import("./page.js");
    page.mount(element);
  },
  show: (parameters) => page.show(parameters),
  hide: () => page?.hide(),
  render: () => page.render(),
  badge: () => people.waiting || null,
});

people.onChange(refreshBadges);

/** What takes away the toast of a request, by the id of who asks. */
const asking = new Map();

people.onChange(() => {
  if (people.state !== "ready") return;
  for (const [id, leave] of asking) {
    if (people.requestFrom({ id })) continue;
    asking.delete(id);
    leave();
  }
});

live.on("friendRequest.created", ({ friendRequest }) => {
  if (friendRequest.to.id !== session.user?.id) return;
  const { from } = friendRequest;
  asking.get(from.id)?.();
  asking.set(from.id, toast(t("friends.asksYou", { name: quoted(from) }), {
    action: { label: t("friends.accept"), run: () => actions.accept(from) },
  }));
});
live.on("friendRequest.accepted", ({ friendRequest }) => {
  if (friendRequest.from.id !== session.user?.id) return;
  toast(t("friends.acceptedYours", { name: quoted(friendRequest.to) }), {
    action: { label: t("friends.viewPins"), run: () => actions.viewPins(friendRequest.to) },
  });
});
