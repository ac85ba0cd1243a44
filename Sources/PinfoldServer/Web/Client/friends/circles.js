/** Circles: some of one's friends, to show pins to. */

import { all, get, patch, post, Problem, remove } from "../shell/api.js";
import { make, nameOf } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { t } from "../shell/language.js";
import { ask, openSheet } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { sentence } from "./actions.js";
import { actButton, fillList, say } from "./button.js";
import { handle, isolate } from "./names.js";
import { people } from "./people.js";

const circles = { items: null, problem: null };

/** Forgets the circles of whoever was signed in. */
export function forgetCircles() {
  Object.assign(circles, { items: null, problem: null });
}

/** The panel; `panel.load()` fetches the circles, `panel.refresh()` draws them anew as friends change. */
export function circlePanel() {
  const title = make("h2", { id: "friends-circles-title", tabindex: "-1", text: t("friends.circles") });
  const rows = make("ul", { class: "people", "aria-label": t("friends.circles") });
  const status = make("p", { class: "note", role: "status" });

  const draw = () => {
    fillList(rows, (circles.items ?? []).map(row), { home: title });
    say(status, circles.problem ? sentence(circles.problem) : "");
  };

  const row = (circle) => make("li", { class: "person", "data-id": circle.id },
    make("div", { class: "who" },
      make("b", { class: "name" }, make("bdi", { text: circle.name })),
      make("div", { class: "details" }, make("span", { text: membersText(circle) }))),
    make("div", { class: "acts" }, actButton({
      act: "edit", label: t("friends.edit"), about: circle.name, run: () => openCircle(circle, load),
    })));

  async function load() {
    try {
      Object.assign(circles, { items: await all("/v1/circles"), problem: null });
    } catch (problem) {
      circles.problem = problem;
    }
    draw();
  }

  const panel = make("section", { class: "panel", id: "friends-circles", "aria-labelledby": "friends-circles-title" },
    make("div", { class: "panel-head" }, title,
      actButton({ act: "circle", label: t("friends.circleNew"), kind: "quiet", run: () => openCircle(null, load) })),
    make("p", { class: "hint", text: t("friends.circleText") }), status, rows);
  panel.load = load;
  panel.isLoaded = () => circles.items !== null;
  panel.refresh = draw;
  draw();
  return panel;
}

/** The members by name, as far as they fit a line or two. */
function membersText(circle) {
  const names = people.friends.filter((friend) => circle.members.includes(friend.id)).map((friend) =>
    isolate(nameOf(friend)));
  if (!circle.members.length) return t("friends.circleEmpty");
  if (!names.length) return t("friends.people", { count: circle.members.length });
  const shown = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${shown} ${t("friends.andMore", { count: names.length - 4 })}` : shown;
}

/** The sheet in which a circle gets its name and members; `circle` null for a new one. */
async function openCircle(circle, saved) {
  let etag = null;
  let now = circle;
  if (circle) {
    try {
      ({ value: now, etag } = await get(`/v1/circles/${circle.id}`, { etag: true }));
    } catch (problem) {
      toast(sentence(problem), { kind: "fault" });
      if (problem.status === 404) await saved();
      return;
    }
  }
  const members = memberPicker(now?.members ?? []);
  const content = form({
    extra: [members.element, circle ? make("div", {}, actButton({
      label: t("friends.circleDelete"), kind: "danger", act: "delete", run: () => destroy(circle, async () => {
        sheet.close();
        await saved();
      }),
    })) : null],
    name: circle ? `circle-${circle.id}` : "circle",
    fields: [
      { name: "name", label: t("friends.circleName"), value: now?.name ?? "", required: true, maxlength: 100,
        autocomplete: "off" },
    ],
    submit: {
      label: circle ? t("friends.save") : t("friends.circleMake"),
      async run(values) {
        const body = { name: values.name, members: members.chosen() };
        try {
          if (circle) await patch(`/v1/circles/${circle.id}`, body, { ifMatch: etag });
          else await post("/v1/circles", body);
        } catch (problem) {
          if (problem.status !== 412) throw problem;
          // What is typed stays; the next press means it.
          ({ etag } = await get(`/v1/circles/${circle.id}`, { etag: true }));
          throw new Problem({ status: 400, slug: "changed", detail: t("friends.circleChanged") });
        }
        toast(t(circle ? "friends.circleSaved" : "friends.circleMade", { name: isolate(values.name) }));
        sheet.close();
        await saved();
      },
    },
  });
  const sheet = openSheet({
    title: circle ? t("friends.circleEdit") : t("friends.circleNew"), content, modal: true,
  });
}

async function destroy(circle, done) {
  const gone = await ask({
    title: t("friends.circleDeleteTitle", { name: isolate(circle.name) }),
    text: t("friends.circleDeleteText"),
    confirm: t("friends.circleDelete"),
    danger: true,
    run: async () => {
      try {
        await remove(`/v1/circles/${circle.id}`);
      } catch (problem) {
        if (problem.status !== 404) throw problem;
      }
      return true;
    },
  });
  if (!gone) return;
  toast(t("friends.circleDeleted", { name: isolate(circle.name) }));
  await done();
}

/** Friends to tick, with a field that narrows them down where they are many. */
function memberPicker(ids) {
  const chosen = new Set(ids);
  if (!people.friends.length) {
    return {
      element: make("p", { class: "hint", text: t("friends.circleNoFriends") }),
      chosen: () => [...chosen],
    };
  }
  const count = make("p", { class: "note", role: "status" });
  const say = () => {
    const friends = people.friends.filter((friend) => chosen.has(friend.id)).length;
    count.textContent = t("friends.circleChosen", { count: friends });
  };
  const rows = people.friends.map((friend) => {
    const box = make("input", { type: "checkbox", checked: chosen.has(friend.id) });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(friend.id);
      else chosen.delete(friend.id);
      say();
    });
    const row = make("label", { class: "tick" }, box,
      make("span", {}, make("span", { dir: "auto", text: nameOf(friend) }), " ",
        handle(friend)));
    row.words = `${nameOf(friend)} ${friend.username}`.toLocaleLowerCase();
    return row;
  });
  const filter = people.friends.length > 8 ? make("input", {
    type: "search", dir: "auto", autocomplete: "off", "aria-label": t("friends.filterFriends"),
    placeholder: t("friends.filterFriends"),
  }) : null;
  filter?.addEventListener("input", () => {
    const words = filter.value.trim().toLocaleLowerCase();
    for (const row of rows) row.hidden = words !== "" && !row.words.includes(words);
  });
  // Enter in the filter must not send the form.
  filter?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  say();
  return {
    element: make("fieldset", { class: "field ticks-field", "data-field": "members" },
      make("legend", { text: t("friends.circleMembers") }), filter, make("div", { class: "ticks" }, ...rows), count),
    // Who is no friend any more cannot be a member either.
    chosen: () => [...chosen].filter((id) => people.friends.some((friend) => friend.id === id)),
  };
}
