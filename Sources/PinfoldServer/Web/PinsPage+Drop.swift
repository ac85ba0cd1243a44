extension PinsPage {
    /// The form that drops a pin.
    static let dropScript = #"""
        const attempt = { body: "", key: "" };

        function openPinDialog(place) {
          const form = byId("pin-form");
          form.reset();
          clearFaults(form);
          form.elements.category.value = "food";
          if (place) setPosition(place);
          byId("pin-dialog").showModal();
          byId("pin-name").focus();
        }

        function setPosition(place) {
          byId("pin-latitude").value = place.latitude.toFixed(5);
          byId("pin-longitude").value = place.longitude.toFixed(5);
        }

        /** What the form holds, as the API takes it; null and the faults shown if a coordinate is no number. */
        function pinFromForm(form) {
          const value = (name) => form.elements[name].value.trim();
          const pin = { name: value("name"), category: value("category"), audience: value("audience") };
          if (value("comment")) pin.comment = value("comment");
          if (value("rating")) pin.rating = Number(value("rating"));
          const wrong = [];
          for (const name of ["latitude", "longitude"]) {
            const text = value(name).replace(/[−–]/g, "-");
            if (!text) continue;
            if (/^[-+]?\d+(\.\d+)?$/.test(text)) pin[name] = Number(text);
            else wrong.push(showFault(form, name, "must be degrees, such as -93.1022"));
          }
          wrong[0]?.focus();
          return wrong.length ? null : pin;
        }

        function startDrop() {
          for (const rating of [1, 2, 3, 4, 5]) {
            byId("star-input").append(make("label", { class: "star" },
              make("input", { type: "radio", name: "rating", value: rating,
                "aria-label": plural(rating, "star", "stars") }),
              make("span", { "aria-hidden": "true", text: "★" })));
          }
          for (const category of CATEGORIES) {
            byId("category-input").append(make("label", { class: `choice ${category}` },
              make("input", { type: "radio", name: "category", value: category }),
              make("span", {}, icon(category), capitalized(category))));
          }
          const dialog = byId("pin-dialog");
          byId("drop").addEventListener("click", () => openPinDialog(overview.chosen?.place ?? pins.point));
          byId("pin-close").addEventListener("click", () => dialog.close());
          byId("pin-cancel").addEventListener("click", () => dialog.close());
          byId("pin-locate").addEventListener("click", () => press(byId("pin-locate"), async () => {
            try {
              setPosition(await locate());
            } catch (error) {
              showAlert(byId("pin-form"), error.message);
            }
          }));
          onSubmit(byId("pin-form"), async () => {
            const body = pinFromForm(byId("pin-form"));
            if (!body) return;
            const text = JSON.stringify(body);
            // A retry of the same pin after a lost answer must not drop it twice; a changed one is another request.
            if (attempt.body !== text) Object.assign(attempt, { body: text, key: idempotencyKey() });
            const pin = await call("POST", "/v1/pins", body, { "Idempotency-Key": attempt.key });
            Object.assign(attempt, { body: "", key: "" });
            dialog.close();
            location.hash = "#pins";
            if (!pins.point) await lookAround(pin);
            else await loadPins(false);
            overview.chosen = null;
            const listed = pins.items.some((item) => item.id === pin.id);
            if (listed) pickPin(pin.id, true);
            toast([quoted(pin.name), " is pinned."],
              listed ? null : { label: "Look there", run: () => lookAround(pin) });
          });
        }
        """#
}
