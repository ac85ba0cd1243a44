import * as api from "../shell/api.js";
import { button, icon, make, stars, timeAgo, titleOf } from "../shell/elements.js";
import { formatDate, phrase, t } from "../shell/language.js";
import { session } from "../shell/session.js";
import { openSheet } from "../shell/sheet.js";
import { store } from "../shell/store.js";
import { toast } from "../shell/toast.js";
import { known } from "./filters.js";
import { positionText } from "./geometry.js";

const UNDO = 600_000;
const LONG = 600;
let gone = [];

/** Pins that their owner deleted and may still bring back. */
export const deletedPins = () => gone.filter(({ at }) => Date.now() - at < UNDO).map(({ pin }) => pin);

session.onPurge(() => {
  gone = [];
});

/**
 * The sheet with all that a pin says. `acts`: `{edit(pin), showOwner(id), changed(), refocus()}`; `onclose` as of
 * `openSheet`.
 */
export function openDetails(pin, acts, onclose) {
  const sheet = openSheet({ title: titleOf(pin), content: content(pin), onclose,
    kind: `pin-details ${known(pin.category)}` });
  let shown = pin;

  function content(of) {
    const isOwn = of.ownerId === session.user?.id;
    return make("div", { class: "details-body" },
      make("div", { class: "details-head" },
        make("span", { class: `token ${known(of.category)}` }, icon(known(of.category), 22)),
        make("p", { class: "meta" },
          of.rating ? stars(of.rating) : null,
          make("span", { text: t(`map.category.${known(of.category)}`) }),
          isOwn ? make("span", { text: t("map.you") })
            : make("span", {}, make("bdi", { text: `@${of.ownerUsername}` })),
          make("span", {}, timeAgo(of.createdAt)),
          isOwn ? make("span", {}, make("span", { class: "tag", text: t(`map.audience.${of.audience ?? "friends"}`) }))
            : null)),
      of.comment ? comment(of.comment) : null,
      of.address ? make("p", { class: "address", dir: "auto", text: of.address }) : null,
      make("p", { class: "position" }, make("bdi", { text: positionText(of) })),
      of.updatedAt !== of.createdAt
        ? make("p", { class: "hint", text: t("map.edited", { date: formatDate(of.updatedAt, "full") }) }) : null,
      make("div", { class: "acts" },
        isOwn ? button({ label: t("map.act.edit"), icon: "edit", kind: "quiet", run: () => acts.edit(of) }) : null,
        isOwn ? button({ label: t("map.act.delete"), icon: "remove", kind: "quiet", run: () => remove(of) }) : null,
        isOwn ? null : button({ label: t("map.act.owner"), icon: "filter", kind: "quiet",
          run: () => acts.showOwner(of.ownerId) }),
        button({ label: t("map.act.link"), icon: "link", kind: "quiet", run: () => copyLink(of) })));
  }

  async function remove(of) {
    // The event may come before the answer, and is no news.
    handle.isRemoving = true;
    try {
      await api.remove(`/v1/pins/${of.id}`);
    } catch (problem) {
      handle.isRemoving = false;
      if (problem.status !== 404) {
        toast(api.describe(problem), { kind: "fault" });
        return;
      }
    }
    gone = [{ pin: of, at: Date.now() }, ...gone.filter(({ pin: each }) => each.id !== of.id)];
    sheet.close();
    store.drop(of.id);
    acts.changed();
    acts.refocus();
    toast(phrase("map.deleted.toast", { name: titleOf(of) }),
      { seconds: 15, action: { label: t("map.deleted.undo"), run: () => restore(of, acts.changed) } });
  }

  const handle = { ...sheet,
    id: pin.id,
    ownerId: pin.ownerId,
    isRemoving: false,
    /** The pin is another now, or the language is. */
    show(next = shown) {
      shown = next;
      sheet.update({ title: titleOf(next), content: content(next) });
    } };
  return handle;
}

/** Long ones are folded, so that what stands below can be reached. */
function comment(text) {
  const paragraph = make("p", { class: "comment", dir: "auto", text });
  if (text.length <= LONG) return paragraph;
  paragraph.classList.add("folded");
  const unfold = button({ label: t("map.showAll"), kind: "link", run: () => {
    paragraph.classList.remove("folded");
    paragraph.tabIndex = -1;
    paragraph.focus({ preventScroll: true });
    unfold.remove();
  } });
  return make("div", {}, paragraph, unfold);
}

/** Brings a pin back, within ten minutes. */
export async function restore(pin, changed) {
  try {
    store.put(await api.post(`/v1/pins/${pin.id}/restore`));
    gone = gone.filter(({ pin: each }) => each.id !== pin.id);
    toast(phrase("map.deleted.restored", { name: titleOf(pin) }));
  } catch (problem) {
    if (problem.status === 404) gone = gone.filter(({ pin: each }) => each.id !== pin.id);
    toast(problem.status === 404 ? t("map.deleted.tooLate") : api.describe(problem), { kind: "fault" });
  }
  changed();
}

async function copyLink(pin) {
  const address = new URL(`/p/${pin.id}`, location.origin).href;
  try {
    await navigator.clipboard.writeText(address);
    toast(t("map.link.copied"));
  } catch {
    // Browsers give the clipboard to pages over https alone.
    toast([`${t("map.link.here")} `, make("bdi", { class: "position", text: address })], { seconds: 20 });
  }
}
