extension PinsPage {
    /// The plot of the pins by bearing and distance.
    static let overviewScript = #"""
        // The overview is an azimuthal plot: each pin stands at its bearing from the point. Its distance from the
        // middle grows with the square root of the metres, so that areas keep their proportions and what is near has
        // room; the rings say how far they are.

        const EARTH = 6371008.8;
        const MIDDLE = 200;
        const RIM = 172;
        const SPANS = [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7];
        const radians = (degrees) => (degrees * Math.PI) / 180;
        const degrees = (angle) => (angle * 180) / Math.PI;
        const overview = { point: null, pins: [], span: null, picked: null, chosen: null, spots: [] };

        /** The initial bearing of the great circle from one point to another, in radians clockwise from north. */
        function bearing(from, to) {
          const [a, b] = [radians(from.latitude), radians(to.latitude)];
          const turn = radians(to.longitude - from.longitude);
          return Math.atan2(Math.sin(turn) * Math.cos(b),
            Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn));
        }

        /** Where one arrives on the sphere after `metres` along `angle`. */
        function destination(from, angle, metres) {
          const [a, arc] = [radians(from.latitude), metres / EARTH];
          const latitude = Math.asin(Math.sin(a) * Math.cos(arc) + Math.cos(a) * Math.sin(arc) * Math.cos(angle));
          const turn = Math.atan2(Math.sin(angle) * Math.sin(arc) * Math.cos(a),
            Math.cos(arc) - Math.sin(a) * Math.sin(latitude));
          const longitude = ((from.longitude + degrees(turn) + 540) % 360) - 180;
          return { latitude: degrees(latitude), longitude };
        }

        function compassText(angle) {
          const eighth = Math.round((angle + 2 * Math.PI) / (Math.PI / 4)) % 8;
          return ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][eighth];
        }

        /** The smallest round span that holds most of the pins: a few far ones must not crush the rest. */
        function fittingSpan(pins) {
          if (!pins.length) return 5000;
          const distances = pins.map((pin) => pin.distance).sort((a, b) => a - b);
          const most = distances[Math.min(distances.length - 1, Math.floor(distances.length * 0.9))];
          return SPANS.find((span) => span >= most) ?? SPANS.at(-1);
        }

        function spanNow() {
          return overview.span ?? fittingSpan(overview.pins);
        }

        /** Four round distances, the span the last. */
        function ringsOf(span) {
          const lead = Math.round(span / 10 ** Math.floor(Math.log10(span)));
          const parts = lead === 5 ? [0.04, 0.2, 0.4, 1] : lead === 2 ? [0.05, 0.25, 0.5, 1] : [0.05, 0.2, 0.5, 1];
          return parts.map((part) => span * part);
        }

        const reachOf = (metres, span) => RIM * Math.sqrt(metres / span);
        const roundText = (metres) =>
          metres < 1000 ? `${Math.round(metres)} m` : `${(+(metres / 1000).toPrecision(3)).toLocaleString()} km`;

        function drawFrame(span) {
          const parts = [draw("circle", { class: "disc", cx: MIDDLE, cy: MIDDLE, r: RIM })];
          parts.push(draw("path", { class: "axis",
            d: `M${MIDDLE} ${MIDDLE - RIM}V${MIDDLE + RIM}M${MIDDLE - RIM} ${MIDDLE}H${MIDDLE + RIM}` }));
          for (const metres of ringsOf(span)) {
            const rim = metres === span ? " rim" : "";
            parts.push(draw("circle", { class: `ring${rim}`, cx: MIDDLE, cy: MIDDLE, r: reachOf(metres, span) }));
          }
          for (const [letter, x, y] of [["N", 200, 19], ["E", 386, 204], ["S", 200, 390], ["W", 14, 204]]) {
            parts.push(draw("text", { class: "compass", x, y }, letter));
          }
          return parts;
        }

        /** The rings' distances, in a row along the direction that has the fewest dots in its way. */
        function drawScale(span, taken) {
          const rows = [180, 135, 225, 45, 315].map((angle) => ringsOf(span).map((metres) => {
            const [x, y] = [Math.sin(radians(angle)), -Math.cos(radians(angle))]
              .map((part) => MIDDLE + part * reachOf(metres, span));
            return { x, y, text: roundText(metres), box: { x: x - 20, y: y - 7, w: 40, h: 14 } };
          }));
          const crowd = (row) => row
            .reduce((sum, { box }) => sum + taken.filter((other) => overlaps(box, other)).length, 0);
          const row = rows.reduce((best, other) => (crowd(other) < crowd(best) ? other : best));
          taken.push(...row.map(({ box }) => box));
          return row.map(({ x, y, text }) =>
            draw("text", { class: "scale", x: x.toFixed(1), y: (y + 3.6).toFixed(1) }, text));
        }

        const overlaps = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

        /** Names beside the dots, nearest pin first, each only where nothing else stands. */
        function drawNames(spots, taken) {
          const names = [];
          const free = (box) => box.x > 2 && box.x + box.w < 398
            && !taken.some((other) => other !== box.self && overlaps(box, other));
          for (const spot of spots) {
            if (spot.far) continue;
            const letters = Array.from(spot.pin.name);
            const text = letters.length > 24 ? `${letters.slice(0, 23).join("").trimEnd()}…` : letters.join("");
            const w = Array.from(text).reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e80 ? 11.5 : 6.1), 4);
            for (const side of ["end", "start"]) {
              const x = side === "end" ? spot.x + 9 : spot.x - 9 - w;
              const box = { x, y: spot.y - 7, w, h: 14, self: spot.box };
              if (!free(box)) continue;
              taken.push(box);
              // Always left to right, so that the anchor is the side meant; the letters still follow their own
              // direction.
              names.push(draw("text", { class: "dot-name", x: side === "end" ? spot.x + 10 : spot.x - 10,
                y: spot.y + 3.8,
                "text-anchor": side === "end" ? "start" : "end" }, text));
              break;
            }
          }
          return names;
        }

        function drawOverview() {
          const plot = byId("plot");
          const { point, pins, picked, chosen } = overview;
          const span = spanNow();
          const parts = drawFrame(span);
          overview.spots = [];
          const taken = [];
          const dots = [];
          for (const pin of point ? pins : []) {
            const angle = bearing(point, pin);
            const far = pin.distance > span;
            const reach = far ? RIM : reachOf(pin.distance, span);
            const spot = { pin, far, x: MIDDLE + reach * Math.sin(angle), y: MIDDLE - reach * Math.cos(angle) };
            spot.box = { x: spot.x - 6, y: spot.y - 6, w: 12, h: 12 };
            taken.push(spot.box);
            overview.spots.push(spot);
            const shade = `dot ${known(pin.category)}${pin.id === picked ? " picked" : ""}`;
            const dot = far
              ? draw("path", { class: shade, d: "M0-9 5.5 3h-11z",
                transform: `translate(${spot.x} ${spot.y}) rotate(${degrees(angle)})` })
              : draw("circle", { class: shade, cx: spot.x.toFixed(1), cy: spot.y.toFixed(1),
                r: pin.id === picked ? 8 : 5.5 });
            dot.append(draw("title", {}, `${pin.name}, ${distanceText(pin.distance)} ${compassText(angle)}`));
            if (pin.id === picked) dots.push(dot);
            else dots.unshift(dot);
          }
          const centre = draw("path", { class: "centre", d: "M200 193v14M193 200h14" });
          const first = overview.spots.filter((spot) => spot.pin.id === picked);
          const scale = drawScale(span, taken);
          const names = drawNames([...first, ...overview.spots.filter((spot) => spot.pin.id !== picked)], taken);
          plot.replaceChildren(...parts, ...scale, centre, ...dots, ...names);
          if (chosen) plot.append(draw("path", { class: "cross",
            d: `M${chosen.x - 7} ${chosen.y}h14M${chosen.x} ${chosen.y - 7}v14` }));
          const beyond = overview.spots.filter((spot) => spot.far).length;
          byId("plot-text").textContent = !point ? "Pins appear here by direction and distance."
            : `Rim at ${roundText(span)}, the middle enlarged.`
              + (beyond ? ` ${plural(beyond, "pin lies", "pins lie")} beyond.` : "");
          byId("nearer").disabled = span <= SPANS[0];
          byId("farther").disabled = span >= SPANS.at(-1);
          byId("chosen").hidden = !chosen;
          if (chosen) byId("chosen-position").textContent = positionText(chosen.place);
        }

        function pickPin(id, scroll) {
          overview.picked = id;
          drawOverview();
          for (const card of byId("pins").children) {
            const mine = card.dataset.id === id;
            card.classList.toggle("picked", mine);
            if (mine && scroll) card.scrollIntoView({ block: "center", behavior: "smooth" });
          }
        }

        function startOverview() {
          byId("plot").addEventListener("click", (event) => {
            if (!overview.point) return;
            const frame = byId("plot").getBoundingClientRect();
            const x = ((event.clientX - frame.left) * 400) / frame.width;
            const y = ((event.clientY - frame.top) * 400) / frame.height;
            const reach = (spot) => Math.hypot(spot.x - x, spot.y - y);
            const nearest = overview.spots
              .reduce((best, spot) => (!best || reach(spot) < reach(best) ? spot : best), null);
            if (nearest && reach(nearest) < 11) {
              overview.chosen = null;
              pickPin(nearest.pin.id, true);
              return;
            }
            const radius = Math.hypot(x - MIDDLE, y - MIDDLE);
            if (radius > RIM) return;
            const place = destination(overview.point, Math.atan2(x - MIDDLE, MIDDLE - y),
              (radius / RIM) ** 2 * spanNow());
            overview.chosen = { x, y, place };
            drawOverview();
          });
          const zoom = (step) => {
            overview.span = SPANS[Math.max(0, Math.min(SPANS.length - 1, SPANS.indexOf(spanNow()) + step))];
            overview.chosen = null;
            drawOverview();
          };
          byId("nearer").addEventListener("click", () => zoom(-1));
          byId("farther").addEventListener("click", () => zoom(1));
          byId("chosen-look").addEventListener("click", () => lookAround(overview.chosen.place));
          byId("chosen-drop").addEventListener("click", () => openPinDialog(overview.chosen.place));
        }
        """#
}
