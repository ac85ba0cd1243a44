extension PinsPage {
    /// Tokens and calls: one renewal at a time, one retry after a 401.
    static let sessionScript = #"""
        /** An answer that is not a success, as problem+json says it (RFC 9457). */
        class Problem extends Error {
          constructor(status, body, retryAfter) {
            const wait = status === 429 && retryAfter
              ? `Too many tries. Try again in ${plural(retryAfter, "second", "seconds")}.` : "";
            super(wait || body.detail || body.title || `The server answered ${status}.`);
            this.status = status;
            this.title = body.title;
            this.errors = Array.isArray(body.errors) ? body.errors : [];
          }
        }

        const KEY = "pinfold.refresh";
        const session = { access: null, refresh: sessionStorage.getItem(KEY), user: null };
        const channel = "BroadcastChannel" in window ? new BroadcastChannel("pinfold.session") : null;
        let refreshing = null;

        function keepTokens(tokens) {
          session.access = tokens.accessToken;
          session.refresh = tokens.refreshToken;
          sessionStorage.setItem(KEY, tokens.refreshToken);
        }

        function dropTokens() {
          session.access = session.refresh = session.user = null;
          sessionStorage.removeItem(KEY);
        }

        // A duplicated tab starts with a copy of the refresh token. Whoever renews it tells the others, because a
        // token that is used again after its successor counts as stolen and ends the session.
        channel?.addEventListener("message", ({ data }) => {
          if (data?.from && data.from === session.refresh) keepTokens(data.tokens);
        });

        async function exchange(method, path, body, headers, token) {
          const options = { method, headers: { Accept: "application/json", ...headers }, cache: "no-cache" };
          if (token) options.headers.Authorization = `Bearer ${token}`;
          if (body !== undefined) {
            options.headers["Content-Type"] = "application/json";
            options.body = JSON.stringify(body);
          }
          let response;
          try {
            response = await fetch(path, options);
          } catch {
            throw new Problem(0, { title: "The server cannot be reached. Check the connection and try again." });
          }
          const text = await response.text();
          let value = null;
          try {
            value = text ? JSON.parse(text) : null;
          } catch {
            value = null;
          }
          if (!response.ok) throw new Problem(response.status, value ?? {},
            Number(response.headers.get("Retry-After")));
          return value;
        }

        async function renewTokens() {
          const from = session.refresh;
          const tokens = await exchange("POST", "/v1/sessions/refresh", { refreshToken: from });
          if (session.refresh !== from) return;
          keepTokens(tokens);
          channel?.postMessage({
            from,
            tokens: { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken },
          });
        }

        /** New tokens for old; calls that come meanwhile wait for the same answer. */
        function refreshTokens() {
          refreshing ??= renewTokens().finally(() => {
            refreshing = null;
          });
          return refreshing;
        }

        /** One call of the API as the viewer: on 401 the tokens are renewed and the call is made once more. */
        async function call(method, path, body, headers) {
          const used = session.access;
          try {
            if (used) return await exchange(method, path, body, headers, used);
          } catch (problem) {
            if (problem.status !== 401) throw problem;
          }
          try {
            if (!session.refresh) throw new Problem(401, { title: "Signing in is needed." });
            if (session.access === used) await refreshTokens();
            return await exchange(method, path, body, headers, session.access);
          } catch (problem) {
            // A refresh token that the server does not take is of no further use.
            if (problem.status === 401) endSession("Your session has ended. Sign in again.");
            throw problem;
          }
        }

        /** Every item of a list that is short by nature, page by page. */
        async function everything(path) {
          const items = [];
          let cursor = null;
          do {
            const mark = path.includes("?") ? "&" : "?";
            const page = await call("GET",
              `${path}${mark}limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
            items.push(...page.items);
            cursor = page.next;
          } while (cursor);
          return items;
        }

        /** A fresh `Idempotency-Key`: `randomUUID` is missing where the page comes over plain http. */
        function idempotencyKey() {
          return Array.from(crypto.getRandomValues(new Uint8Array(16)),
            (byte) => byte.toString(16).padStart(2, "0")).join("");
        }
        """#
}
