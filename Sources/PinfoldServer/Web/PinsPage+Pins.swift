extension PinsPage {
    /// The list with its filters and pages; deleting and undoing.
    static let pinsScript = #"""
        const PAGE = 30;
        const POINT_KEY = "pinfold.point";
        const pins = { point: null, items: [], next: null, turn: 0 };
        const filters = { categories: new Set(), rating: "", text: "" };

        function pinsPath(cursor) {
          const { latitude, longitude } = pins.point;
          const query = new URLSearchParams({ near: `${latitude},${longitude}`, limit: PAGE });
          for (const category of filters.categories) query.append("category", category);
          if (filters.rating) query.set("minRating", filters.rating);
          if (filters.text) query.set("q", filters.text);
          if (cursor) query.set("cursor", cursor);
          return `/v1/pins?${query}`;
        }

        function pinCard(pin) {
          const own = pin.ownerId === session.user.id;
          const angle = bearing(pins.point, pin);
          const created = new Date(pin.createdAt);
          const position = positionText(pin);
          const meta = make("p", { class: "meta" });
          if (pin.rating) meta.append(stars(pin.rating));
          meta.append(make("span", { text: capitalized(known(pin.category)) }));
          meta.append(make("span", {}, own ? "you" : quoted(pin.ownerUsername)));
          meta.append(make("span", {}, make("time", { datetime: pin.createdAt, title: created.toLocaleString(),
            text: timeText(created) })));
          if (own && pin.audience === "private") {
            meta.append(make("span", {}, make("span", { class: "tag", text: "Only you" })));
          }
          const distance = make("span", { class: "distance" }, distanceText(pin.distance));
          if (pin.distance >= 1) distance.append(make("small", { text: compassText(angle) }));
          const foot = make("div", { class: "pin-foot" }, make("span", { class: "position", text: position }));
          const card = make("li", { class: `pin ${known(pin.category)}`, "data-id": pin.id, onclick: (event) => {
            if (!event.target.closest("button") && !String(getSelection())) pickPin(pin.id, false);
          } },
            make("span", { class: "token" }, icon(known(pin.category))),
            make("div", {},
              make("div", { class: "pin-head" }, make("h2", { dir: "auto", text: pin.name }), distance),
              meta,
              pin.comment ? make("p", { class: "comment", dir: "auto", text: pin.comment }) : null,
              pin.address ? make("p", { class: "address", dir: "auto", text: pin.address }) : null,
              foot));
          if (own) {
            const button = make("button", { class: "link", type: "button", text: "Delete",
              onclick: () => press(button, () => deletePin(pin, card)) });
            button.append(make("span", { class: "unseen", text: ` ${pin.name}` }));
            foot.append(button);
          }
          return card;
        }

        async function deletePin(pin, card) {
          await call("DELETE", `/v1/pins/${pin.id}`);
          const place = pins.items.findIndex((item) => item.id === pin.id);
          if (place >= 0) pins.items.splice(place, 1);
          const restore = async () => {
            const restored = { ...(await call("POST", `/v1/pins/${pin.id}/restore`)), distance: pin.distance };
            const back = pins.items.findIndex((item) => item.distance > pin.distance);
            pins.items.splice(back < 0 ? pins.items.length : back, 0, restored);
            const again = pinCard(restored);
            ghost.replaceWith(again);
            again.querySelector("button").focus();
            showPinState();
          };
          const undo = make("button", { class: "button quiet small", type: "button", text: "Undo",
            onclick: () => press(undo, restore) });
          const ghost = make("li", { class: "pin gone" }, make("span", {}, quoted(pin.name), " is deleted."), undo);
          card.replaceWith(ghost);
          undo.focus();
          if (overview.picked === pin.id) overview.picked = null;
          showPinState();
        }

        function showPinState() {
          const count = pins.items.length;
          const narrowed = filters.categories.size || filters.rating || filters.text;
          byId("summary").textContent = !pins.point || !count ? ""
            : `${pins.next ? "The nearest " : ""}${plural(count, "pin", "pins")}, nearest first`;
          byId("more").hidden = !pins.next;
          byId("blank").hidden = count > 0 || byId("pins").children.length > 0;
          byId("blank-title").textContent = !pins.point ? "Where are you looking?" : narrowed ? "No pin fits"
            : "No pins yet";
          byId("blank-text").textContent = !pins.point
            ? "Type a point, or use your location, to see your own and your friends’ pins around it."
            : narrowed ? "Take a filter away to see more." : "Drop the first one, or find friends under People.";
          overview.point = pins.point;
          overview.pins = pins.items;
          drawOverview();
        }

        /** The first page around the point, or the next one; an answer that a newer question overtook is dropped. */
        async function loadPins(more) {
          const turn = more ? pins.turn : (pins.turn += 1);
          const list = byId("pins");
          list.setAttribute("aria-busy", "true");
          if (!more && !list.children.length) {
            list.replaceChildren(...[1, 2, 3, 4].map(() => make("li", { class: "bone" })));
          }
          byId("blank").hidden = true;
          try {
            const page = await call("GET", pinsPath(more ? pins.next : null));
            if (turn !== pins.turn) return;
            if (!more) {
              pins.items = [];
              list.replaceChildren();
            }
            pins.items.push(...page.items);
            pins.next = page.next;
            list.append(...page.items.map(pinCard));
            showPinState();
          } catch (problem) {
            if (turn !== pins.turn) return;
            for (const bone of list.querySelectorAll(".bone")) bone.remove();
            if (session.refresh) {
              byId("summary").replaceChildren(`${problem.message} `,
                make("button", { class: "link", type: "button", text: "Try again", onclick: () => loadPins(more) }));
            }
          } finally {
            if (turn === pins.turn) list.removeAttribute("aria-busy");
          }
        }

        /** Moves the point and loads what lies around it. */
        function lookAround(point) {
          pins.point = { latitude: +point.latitude.toFixed(7), longitude: +point.longitude.toFixed(7) };
          sessionStorage.setItem(POINT_KEY, JSON.stringify(pins.point));
          byId("point-text").value = positionText(pins.point);
          clearFaults(byId("point"));
          Object.assign(overview, { span: null, picked: null, chosen: null });
          return loadPins(false);
        }

        /** The point of this tab, else the newest pin that the viewer can see, else none. */
        async function firstPoint() {
          const kept = sessionStorage.getItem(POINT_KEY);
          if (kept) return JSON.parse(kept);
          const feed = await call("GET", "/v1/pins?limit=1");
          return feed.items[0] ?? null;
        }

        async function openPins() {
          byId("pins").replaceChildren();
          byId("blank").hidden = true;
          Object.assign(pins, { point: null, items: [], next: null });
          drawOverview();
          try {
            const point = await firstPoint();
            if (point) await lookAround(point);
            else showPinState();
          } catch (problem) {
            if (session.refresh) toast(problem.message);
          }
        }

        function startPins() {
          for (const category of CATEGORIES) {
            const toggle = () => {
              const on = filters.categories.delete(category) ? false : Boolean(filters.categories.add(category));
              chip.setAttribute("aria-pressed", String(on));
              if (pins.point) loadPins(false);
            };
            const chip = make("button", { class: `chip ${category}`, type: "button", "aria-pressed": "false",
              onclick: toggle }, icon(category), capitalized(category));
            byId("chips").append(chip);
          }
          byId("filter-rating").addEventListener("change", (event) => {
            filters.rating = event.target.value;
            if (pins.point) loadPins(false);
          });
          let pause = 0;
          const search = () => {
            clearTimeout(pause);
            const text = byId("filter-text").value.trim();
            if (text === filters.text) return;
            filters.text = text;
            if (pins.point) loadPins(false);
          };
          byId("filter-text").addEventListener("input", () => {
            clearTimeout(pause);
            pause = setTimeout(search, 300);
          });
          byId("filters").addEventListener("submit", (event) => {
            event.preventDefault();
            search();
          });
          byId("more").addEventListener("click", () => press(byId("more"), () => loadPins(true)));
          onSubmit(byId("point"), async () => {
            const point = parsePoint(byId("point-text").value);
            if (point) await lookAround(point);
            else showFault(byId("point"), "near",
              "must be a latitude and a longitude, such as 44.9551, -93.1022")?.focus();
          });
          byId("locate").addEventListener("click", () => press(byId("locate"), async () => lookAround(await locate())));
        }
        """#
}
