/** Refusals in words for people. */

import { explain, Problem } from "../shell/api.js";

explain({
  "invite-needed": "profile.faultInviteNeeded",
  "registration-closed": "profile.faultClosed",
  "last-admin": "profile.faultLastAdmin",
  "suspended": "profile.faultSuspended",
  "too-many-tokens": "profile.faultTooManyTokens",
});

/** A refusal that a form shows in these words. */
export const refusal = (text) => new Problem({ status: 400, slug: "refused", detail: text });
