/** Refusals in words for people. */

import { describe, Problem } from "../shell/api.js";
import { t } from "../shell/language.js";

const OWN_SENTENCES = {
  "invite-needed": "profile.faultInviteNeeded",
  "registration-closed": "profile.faultClosed",
  "account-suspended": "profile.faultSuspended",
};

/** What went wrong, in a sentence. */
export function sentence(problem) {
  const key = OWN_SENTENCES[problem.slug];
  return key ? t(key) : describe(problem);
}

/** A refusal that a form shows in these words. */
export const refusal = (text) => new Problem({ status: 400, slug: "refused", detail: text });

/** Runs a call of a form; a refusal that has a sentence of its own is shown in that. */
export async function refused(run) {
  try {
    return await run();
  } catch (problem) {
    throw OWN_SENTENCES[problem.slug] ? refusal(sentence(problem)) : problem;
  }
}
