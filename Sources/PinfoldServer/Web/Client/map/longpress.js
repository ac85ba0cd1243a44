const HOLD = 500;
const SLIP = 10;

/** Calls back with the place `{lngLat, point}` where a finger rests, or the right button is pressed. */
export function onLongPress(map, callback) {
  let timer = 0;
  let start = null;
  let firedAt = -Infinity;

  const fire = (event) => {
    // Some browsers take a resting finger for the right button as well.
    if (performance.now() - firedAt < 1000) return;
    firedAt = performance.now();
    callback(event);
  };
  const stop = () => {
    clearTimeout(timer);
    start = null;
  };
  map.on("touchstart", (event) => {
    stop();
    if (event.originalEvent.touches.length > 1) return;
    start = event.point;
    timer = setTimeout(() => fire({ lngLat: event.lngLat, point: event.point }), HOLD);
  });
  map.on("touchmove", ({ point }) => {
    if (start && Math.hypot(point.x - start.x, point.y - start.y) > SLIP) stop();
  });
  for (const name of ["touchend", "touchcancel", "movestart"]) map.on(name, stop);
  map.on("contextmenu", (event) => {
    event.preventDefault();
    fire(event);
  });
}
