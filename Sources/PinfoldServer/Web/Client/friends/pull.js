/** Pulling a page down to fetch it anew, as phones do. */

import { icon, make } from "../shell/elements.js";

/** How far a finger pulls before letting go does something, in CSS pixels. */
const ENOUGH = 72;
const MOST = 110;

/**
 * @param {HTMLElement} element takes the touches, and shows the sign as its first child
 * @param {() => HTMLElement} scroller what scrolls: pulling starts at its top only
 * @param {() => Promise<unknown>} run
 */
export function pullToRefresh(element, scroller, run) {
  const sign = make("div", { class: "pull-sign", "aria-hidden": "true" }, icon("retry"));
  element.prepend(sign);
  let start = null;
  let busy = false;

  const show = (distance) => {
    sign.style.setProperty("--pull", `${distance}px`);
    sign.style.setProperty("--turn", `${Math.round((distance / ENOUGH) * 270)}deg`);
    sign.classList.toggle("shown", distance > 4);
    sign.classList.toggle("enough", distance >= ENOUGH);
  };

  element.addEventListener("touchstart", (event) => {
    const first = event.touches[0];
    const typing = event.target.closest("input, textarea, select");
    start = !busy && !typing && event.touches.length === 1 && scroller().scrollTop <= 0
      ? { x: first.clientX, y: first.clientY, pulls: false } : null;
  }, { passive: true });

  element.addEventListener("touchmove", (event) => {
    if (!start) return;
    const first = event.touches[0];
    const down = first.clientY - start.y;
    if (!start.pulls) {
      if (Math.abs(first.clientX - start.x) > Math.abs(down) || down < 0 || event.touches.length > 1) start = null;
      else start.pulls = down > 8;
      if (!start?.pulls) return;
    }
    if (event.cancelable) event.preventDefault();
    start.distance = Math.max(0, Math.min(MOST, down * 0.55));
    show(start.distance);
  }, { passive: false });

  const end = async (event) => {
    const enough = event.type === "touchend" && start?.pulls && start.distance >= ENOUGH;
    start = null;
    if (busy) return;
    if (!enough) {
      show(0);
      return;
    }
    busy = true;
    show(ENOUGH);
    sign.classList.add("busy");
    try {
      await run();
    } finally {
      busy = false;
      sign.classList.remove("busy");
      show(0);
    }
  };
  element.addEventListener("touchend", end);
  element.addEventListener("touchcancel", end);
}
