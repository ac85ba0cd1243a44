extension PinsPage {
    /// Views, signing in, up and out, and the first call.
    static let startScript = #"""
        /** Shows the view of the address: `#people`, else the pins; the door to whoever is signed out. */
        function showView(focus) {
          const view = !session.user ? "door" : location.hash === "#people" ? "people" : "pins";
          for (const name of ["door", "pins", "people"]) byId(`${name}-view`).hidden = name !== view;
          byId("bar").hidden = view === "door";
          document.body.classList.toggle("on-people", view === "people");
          for (const link of document.querySelectorAll("[data-view]")) {
            if (link.dataset.view === view) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
          }
          document.title = { door: "Pinfold", pins: "Pins · Pinfold", people: "People · Pinfold" }[view];
          if (view === "people") openPeople();
          if (focus && view !== "door") {
            byId(`${view}-title`).focus({ preventScroll: true });
            scrollTo(0, 0);
          }
        }

        function showDoor(which) {
          byId("sign-in").hidden = which !== "sign-in";
          byId("sign-up").hidden = which !== "sign-up";
        }

        async function enter(user) {
          session.user = user;
          byId("me").textContent = nameOf(user);
          showBadge(user.counts?.incomingRequests ?? 0);
          showView(true);
          await openPins();
        }

        async function admit(path, form, names) {
          const body = {};
          for (const name of names) {
            const value = form.elements[name].value;
            if (value || name !== "displayName") body[name] = name === "password" ? value : value.trim();
          }
          const answer = await exchange("POST", path, body);
          keepTokens(answer);
          form.reset();
          await enter(await call("GET", "/v1/me"));
        }

        function endSession(text) {
          dropTokens();
          sessionStorage.removeItem(POINT_KEY);
          pins.turn += 1;
          Object.assign(pins, { point: null, items: [], next: null });
          Object.assign(people, { friends: [], incoming: [], outgoing: [], found: [] });
          Object.assign(overview, { point: null, pins: [], span: null, picked: null, chosen: null });
          filters.categories.clear();
          Object.assign(filters, { rating: "", text: "" });
          // What the last viewer saw must not stay in the page for the next one.
          const shown = ["pins", "incoming", "outgoing", "friends", "found", "toast", "summary", "found-note", "plot"];
          for (const id of shown) {
            byId(id).replaceChildren();
          }
          for (const id of ["filters", "find", "point", "pin-form"]) byId(id).reset();
          for (const chip of byId("chips").children) chip.setAttribute("aria-pressed", "false");
          if (byId("pin-dialog").open) byId("pin-dialog").close();
          showDoor("sign-in");
          showView(false);
          clearFaults(byId("sign-in"));
          if (text) showAlert(byId("sign-in"), text, true);
          byId("in-login").focus();
        }

        async function start() {
          startOverview();
          startPins();
          startDrop();
          startPeople();
          byId("to-sign-up").addEventListener("click", () => {
            showDoor("sign-up");
            byId("up-username").focus();
          });
          byId("to-sign-in").addEventListener("click", () => {
            showDoor("sign-in");
            byId("in-login").focus();
          });
          onSubmit(byId("sign-in"), () => admit("/v1/sessions", byId("sign-in"), ["login", "password"]));
          onSubmit(byId("sign-up"), () =>
            admit("/v1/users", byId("sign-up"), ["username", "displayName", "email", "password"]));
          byId("sign-out").addEventListener("click", () => press(byId("sign-out"), async () => {
            let text = "You are signed out.";
            try {
              await call("DELETE", "/v1/sessions/current");
            } catch (problem) {
              if (problem.status !== 401) text = "You are signed out here, but the server could not be told.";
            }
            endSession(text);
          }));
          addEventListener("hashchange", () => {
            if (location.hash === "#main") byId("main").focus();
            else showView(true);
          });
          if (session.refresh) {
            try {
              await enter(await call("GET", "/v1/me"));
              return;
            } catch (problem) {
              if (problem.status === 401) return;
              showView(false);
              showAlert(byId("sign-in"), problem.message);
              return;
            }
          }
          showView(false);
        }

        start();
        """#
}
