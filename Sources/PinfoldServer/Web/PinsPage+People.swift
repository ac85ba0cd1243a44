extension PinsPage {
    /// Friends, requests and finding people.
    static let peopleScript = #"""
        const people = { friends: [], incoming: [], outgoing: [], found: [] };

        const nameOf = (user) => user.displayName || user.username;

        function personRow(user, note, ...acts) {
          const initial = Array.from(nameOf(user))[0] ?? "?";
          return make("li", {},
            make("span", { class: "face", "aria-hidden": "true", text: initial.toUpperCase() }),
            make("div", { class: "who" }, make("b", { dir: "auto", text: nameOf(user) }),
              make("span", {}, quoted(`@${user.username}`), note ? ` · ${note}` : ""),
              user.bio ? make("span", { dir: "auto", text: user.bio }) : null),
            make("div", { class: "acts" }, ...acts));
        }

        function actButton(user, label, primary, run) {
          const button = make("button", { class: `button small${primary ? "" : " quiet"}`, type: "button", text: label,
            "aria-label": `${label}: ${nameOf(user)}`, onclick: () => press(button, run) });
          return button;
        }

        function fill(id, rows, nothing) {
          // The row that held the focus goes away with its button; the focus stays in the panel.
          const held = byId(id).contains(document.activeElement);
          const empty = nothing ? [make("li", { class: "none", text: nothing })] : [];
          byId(id).replaceChildren(...(rows.length ? rows : empty));
          if (held) (byId(id).querySelector("button") ?? byId("people-title")).focus();
        }

        function act(method, path, body, said) {
          return async () => {
            try {
              await call(method, path, body);
              toast(said);
            } finally {
              if (session.refresh) await loadPeople();
            }
          };
        }

        function unfriendButton(user) {
          const first = actButton(user, "Remove", false, async () => {
            const yes = actButton(user, "Remove friend", true, act("DELETE", `/v1/friends/${user.id}`, undefined,
              [quoted(nameOf(user)), " is no longer a friend."]));
            const no = actButton(user, "Keep", false, async () => {
              fillPeople();
            });
            first.replaceWith(yes, no);
            no.focus();
          });
          return first;
        }

        function standing(user) {
          if (user.id === session.user.id) return ["This is you"];
          if (people.friends.some((friend) => friend.id === user.id)) return ["Friend"];
          if (people.outgoing.some((request) => request.to.id === user.id)) return ["Request sent"];
          const waiting = people.incoming.find((request) => request.from.id === user.id);
          if (waiting) return answerButtons(waiting);
          return [actButton(user, "Add friend", true, act("POST", "/v1/friend-requests", { to: user.id },
            [quoted(nameOf(user)), " has your request."]))];
        }

        function answerButtons(request) {
          const path = `/v1/friend-requests/${request.id}`;
          return [
            actButton(request.from, "Accept", true, act("POST", `${path}/accept`, undefined,
              ["You and ", quoted(nameOf(request.from)), " are friends."])),
            actButton(request.from, "Reject", false,
              act("POST", `${path}/reject`, undefined, "The request is rejected.")),
          ];
        }

        function fillPeople() {
          const since = (time) => timeText(new Date(time));
          fill("incoming", people.incoming.map((request) =>
            personRow(request.from, since(request.createdAt), ...answerButtons(request))),
              "No one is waiting for an answer.");
          fill("outgoing", people.outgoing.map((request) => personRow(request.to, since(request.createdAt),
            actButton(request.to, "Cancel", false, act("DELETE", `/v1/friend-requests/${request.id}`, undefined,
              "The request is cancelled.")))), "None is waiting.");
          fill("friends", people.friends.map((friend) =>
            personRow(friend, friend.since ? `friends since ${new Date(friend.since).toLocaleDateString(undefined,
              { month: "short", year: "numeric" })}` : "", unfriendButton(friend))),
            "No friends yet. Find someone and send a request.");
          fill("found", people.found.map((user) => personRow(user, "", ...standing(user))));
          showBadge(people.incoming.length);
        }

        function showBadge(count) {
          byId("badge").hidden = !count;
          byId("badge").replaceChildren(String(count), make("span", { class: "unseen", text: " waiting" }));
        }

        async function loadPeople() {
          const [friends, incoming, outgoing] = await Promise.all([
            everything("/v1/friends"),
            everything("/v1/friend-requests?direction=incoming&status=pending"),
            everything("/v1/friend-requests?direction=outgoing&status=pending"),
          ]);
          Object.assign(people, { friends, incoming, outgoing });
          fillPeople();
        }

        async function openPeople() {
          try {
            await loadPeople();
          } catch (problem) {
            if (session.refresh) toast(problem.message);
          }
        }

        function startPeople() {
          onSubmit(byId("find"), async () => {
            const text = byId("find-text").value.trim();
            if (!text) {
              showFault(byId("find"), "q", "needs a few letters")?.focus();
              return;
            }
            try {
              const page = await call("GET", `/v1/users?q=${encodeURIComponent(text)}&limit=20`);
              people.found = page.items;
              byId("found-note").textContent = page.items.length
                ? plural(page.items.length, "person", "people")
                  + (page.next ? " shown; more letters narrow it down" : "")
                : "Nobody goes by that.";
              fillPeople();
            } catch (problem) {
              if (!problem.errors.length) byId("found-note").textContent = problem.message;
              else showProblem(byId("find"), problem);
            }
          });
        }
        """#
}
