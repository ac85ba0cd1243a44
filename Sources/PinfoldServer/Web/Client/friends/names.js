/** How people are called. */

import { make, nameOf, usernameOf } from "../shell/elements.js";

/** A text of somebody's own for the middle of a sentence, kept from turning its direction (Unicode, FSI and PDI). */
export const isolate = (text) => `\u2068${text}\u2069`;

/** Somebody's name for the middle of a sentence. */
export const quoted = (user) => isolate(nameOf(user));

/** Somebody's username with its @ before it, in whatever direction the name runs. */
export const handle = (user) => make("span", { class: "handle" }, "@", make("bdi", { text: usernameOf(user) }));
