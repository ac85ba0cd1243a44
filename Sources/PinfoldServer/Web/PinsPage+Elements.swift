extension PinsPage {
    /// Icons, stars, distances, times and the note at the foot of the window.
    static let elementsScript = #"""
        const CATEGORIES = ["food", "nightlife", "nature", "shopping", "culture", "education", "other"];
        const SVG = "http://www.w3.org/2000/svg";
        const ICONS = {
          food: "M4.2 2v3.6a1.9 1.9 0 0 0 3.8 0V2M6.1 2v12M11.8 14V2c-1.6.8-2.3 2.6-2.3 4.6 0 1.5.6 2.4 2.3 2.4",
          nightlife: "M13.4 9.7A5.7 5.7 0 1 1 6.3 2.6a4.6 4.6 0 0 0 7.1 7.1z",
          nature: "M8 1.8 4.6 6.3h1.6L3 10.8h10L9.8 6.3h1.6zM8 10.8V14.2",
          shopping: "M3.4 5.4h9.2l.7 8.2H2.7zM5.7 7.3V4.6a2.3 2.3 0 0 1 4.6 0v2.7",
          culture: "M2.2 6 8 2.4 13.8 6zM4.2 6.2v5.2M8 6.2v5.2M11.8 6.2v5.2M2.2 13.6h11.6",
          education: "M1.3 6 8 3l6.7 3L8 9zM4.3 7.5v3.7c1.9 1.7 5.5 1.7 7.4 0V7.5M14.7 6v4",
          other: "M8 14.2c3-3.2 4.5-5.6 4.5-7.5a4.5 4.5 0 0 0-9 0c0 1.9 1.5 4.3 4.5 7.5zM8 5.2a1.5 1.5 0 1 0 .1 0z",
        };

        function draw(tag, attributes, text) {
          const element = document.createElementNS(SVG, tag);
          for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
          if (text !== undefined) element.textContent = text;
          return element;
        }

        function icon(category) {
          const svg = draw("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" });
          svg.append(draw("path", { d: ICONS[category] ?? ICONS.other }));
          return svg;
        }

        /** A category that this page does not know yet looks like `other`. */
        const known = (category) => (CATEGORIES.includes(category) ? category : "other");
        /** Someone's own words inside a sentence, kept from turning its direction. */
        const quoted = (text) => make("bdi", { text });
        const capitalized = (word) => word.charAt(0).toUpperCase() + word.slice(1);
        const plural = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

        function stars(rating) {
          const lit = make("span", { "aria-hidden": "true", text: "★".repeat(rating) });
          const unlit = make("span", { "aria-hidden": "true", class: "unlit", text: "★".repeat(5 - rating) });
          return make("span", { class: "stars" }, lit, unlit,
            make("span", { class: "unseen", text: `${rating} of 5 stars` }));
        }

        function distanceText(metres) {
          if (metres < 999.5) return `${Math.round(metres)} m`;
          const kilometres = metres / 1000;
          const digits = kilometres < 9.95 ? 1 : 0;
          const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
          return `${kilometres.toLocaleString(undefined, format)} km`;
        }

        function timeText(instant) {
          const seconds = (instant - Date.now()) / 1000;
          const format = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
          for (const [unit, length] of [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400],
            ["hour", 3600], ["minute", 60]]) {
            if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
          }
          return "just now";
        }

        const positionText = (point) => `${point.latitude.toFixed(5)}, ${point.longitude.toFixed(5)}`;

        /** Reads "44.9551, -93.1022"; null if that is no point on Earth. */
        function parsePoint(text) {
          const parts = text.trim().replace(/[−–]/g, "-").split(/\s*[,;]\s*|\s+/);
          if (parts.length !== 2 || parts.some((part) => !/^[-+]?\d{1,3}(\.\d+)?$/.test(part))) return null;
          const [latitude, longitude] = parts.map(Number);
          return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
        }

        let toastTimer = 0;

        /** Says something, texts and elements, at the foot of the window, with at most one thing to do about it. */
        function toast(parts, action) {
          const box = byId("toast");
          clearTimeout(toastTimer);
          const clear = () => box.replaceChildren();
          box.replaceChildren(make("span", {}, ...[parts].flat()));
          if (action) {
            box.append(make("button", { class: "link", type: "button", text: action.label, onclick: () => {
              clear();
              action.run();
            } }));
          }
          const leave = () => {
            if (box.matches(":hover, :focus-within")) toastTimer = setTimeout(leave, 2000);
            else clear();
          };
          toastTimer = setTimeout(leave, 7000);
        }

        /** Where the browser says this device is. */
        function locate() {
          return new Promise((resolve, reject) => {
            if (!navigator.geolocation || !window.isSecureContext) {
              reject(new Error("This browser shares its location only with pages served over https."));
              return;
            }
            navigator.geolocation.getCurrentPosition(
              (found) => resolve({ latitude: found.coords.latitude, longitude: found.coords.longitude }),
              (error) => reject(new Error(error.code === 1
                ? "The browser was not allowed to share its location."
                : "The browser could not find out where this is.")),
              { timeout: 15000, maximumAge: 60000 });
          });
        }
        """#
}
