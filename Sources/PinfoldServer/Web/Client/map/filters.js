import { all } from "../shell/api.js";
import { button, icon, make, nameOf, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { live } from "../shell/live.js";
import { session } from "../shell/session.js";
import { signals } from "../shell/signal.js";
import { store } from "../shell/store.js";
import { landmarkFilter } from "./landmarkfilter.js";

/** The categories of the contract, in its order. */
export const CATEGORIES = ["food", "nightlife", "nature", "shopping", "culture", "education", "other"];

/** A category that this client does not know yet looks like `other`. */
export const known = (category) => (CATEGORIES.includes(category) ? category : "other");

const { on, emit } = signals();
/** Who the friends were when they were read last. */
let friends = [];

/** What of the visible pins is shown. `on("change")`, and `on("friends")` when their names have come. */
export const filters = {
  categories: new Set(),
  minRating: 0,
  /** The id of the one whose pins alone are shown, or null. */
  owner: null,
  on,

  /** How many kinds of filter are on. */
  get count() {
    return (this.categories.size > 0) + (this.minRating > 0) + (this.owner !== null);
  },

  matches(pin) {
    return (!this.categories.size || this.categories.has(pin.category))
      && (pin.rating ?? 0) >= this.minRating && (this.owner === null || pin.ownerId === this.owner);
  },

  /** The same as a query of the API. */
  query() {
    return { category: [...this.categories], minRating: this.minRating || null, owner: this.owner };
  },

  set(changes) {
    Object.assign(this, changes);
    emit("change");
  },

  clear() {
    this.set({ categories: new Set(), minRating: 0, owner: null });
  },
};

session.onPurge(() => {
  friends = [];
  filters.clear();
});

/** The controls of the filters; `render` draws them anew, for another language or other friends. */
export function filterPanel() {
  const chips = make("div", { class: "chips", role: "group" });
  const rating = make("select", { id: "filter-rating" });
  const friend = make("select", { id: "filter-friend" });
  const ratingLabel = make("label", { for: "filter-rating" });
  const friendLabel = make("label", { for: "filter-friend" });
  const clear = button({ label: "", kind: "quiet small", run: () => {
    filters.clear();
    // The button is gone with its reason.
    chips.firstElementChild.focus();
  } });
  const landmarks = landmarkFilter();
  const element = make("div", { class: "filter-panel", id: "filter-panel", hidden: true }, chips,
    make("div", { class: "pair" }, make("div", { class: "field" }, ratingLabel, rating),
      make("div", { class: "field" }, friendLabel, friend)), clear, landmarks);
  function render() {
    chips.setAttribute("aria-label", t("map.filter.categories"));
    replace(chips, CATEGORIES.map((category) => make("button", {
      type: "button", class: `chip ${category}`, "data-category": category,
      onclick: () => toggle(category),
    }, icon(category, 18), t(`map.category.${category}`))));
    ratingLabel.textContent = t("map.filter.rating");
    friendLabel.textContent = t("map.filter.friend");
    clear.textContent = t("map.filter.clear");
    landmarks.render();
    replace(rating, [[0, t("map.filter.anyRating")], ...[1, 2, 3, 4, 5].map((least) =>
      [least, t(least === 5 ? "map.filter.only" : "map.filter.atLeast", { count: least })])]
      .map(([value, text]) => make("option", { value, text })));
    renderFriends();
    show();
  }

  function renderFriends() {
    replace(friend, [["", t("map.filter.everyone")], [session.user?.id ?? "", t("map.filter.mine")],
      ...friends.map((each) => [each.id, nameOf(each)])].map(([value, text]) => make("option", { value, text })));
    show();
  }

  function toggle(category) {
    const categories = new Set(filters.categories);
    if (!categories.delete(category)) categories.add(category);
    filters.set({ categories });
  }

  function show() {
    for (const chip of chips.children) {
      chip.setAttribute("aria-pressed", String(filters.categories.has(chip.dataset.category)));
    }
    rating.value = String(filters.minRating);
    if (filters.owner && ![...friend.options].some(({ value }) => value === filters.owner)) {
      friend.append(make("option", { value: filters.owner, text: ownerName(filters.owner) }));
    }
    friend.value = filters.owner ?? "";
    clear.hidden = filters.count === 0;
  }

  rating.addEventListener("change", () => filters.set({ minRating: Number(rating.value) }));
  friend.addEventListener("change", () => filters.set({ owner: friend.value || null }));
  filters.on("change", show);
  live.on("friend.removed", ({ user }) => {
    friends = friends.filter(({ id }) => id !== user.id);
    if (filters.owner === user.id) filters.set({ owner: null });
    renderFriends();
  });
  return Object.assign(element, {
    render,
    /** Reads who the friends are; without the server, those whose pins are here. */
    async loadFriends() {
      try {
        friends = await all("/v1/friends");
      } catch {
        const owners = new Map(store.pins().map((pin) => [pin.ownerId, pin.ownerUsername]));
        owners.delete(session.user?.id);
        friends = [...owners].map(([id, username]) => ({ id, username }));
      }
      renderFriends();
      emit("friends");
    },
  });
}

/** The name of somebody whose pins are here. */
export function ownerName(id) {
  if (id === session.user?.id) return nameOf(session.user);
  const friend = friends.find((each) => each.id === id);
  return friend ? nameOf(friend) : store.pins().find((pin) => pin.ownerId === id)?.ownerUsername ?? "";
}
