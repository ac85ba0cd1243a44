const LATEST = 10_000;
let settle;
const settled = new Promise((resolve) => {
  settle = resolve;
});
setTimeout(settle, LATEST);

/** Settles when what was asked for first is on the screen: what can wait leaves it the machine until then. */
export const atRest = () => settled;

/** The first page is there. */
export const rest = () => settle();
