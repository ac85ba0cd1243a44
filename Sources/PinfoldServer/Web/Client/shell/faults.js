import { t } from "./language.js";

/** What the server says of fields, as it says it, and the text for people. The order is that of trying. */
const FAULTS = [
  [/^is required$/, "required"],
  [/^must not be (?:blank|empty)$/, "required"],
  [/^is not the password$/, "wrongPassword"],
  [/^is required to change email$/, "passwordForEmail"],
  [/^must be an e-mail address$/, "email"],
  [/^may have letters, marks, digits, _ and \. only$/, "username"],
  [/^must not start with a combining mark$/, "username"],
  [/^must be (?<least>\d+) to (?<most>\d+) characters$/, "length"],
  [/^must be at most (?<most>\d+) (?:characters|bytes)$/, "tooLong"],
  [/^Somebody else has this$|^is taken$|^is already taken$/i, "taken"],
  [/^must be friends of yours$/, "noFriend"],
  [/^is in the past$|^must be in the future$/, "past"],
];

/** A server's message about a field in the viewer's language; null for one that is not known. */
export function faultText(message) {
  for (const [pattern, key] of FAULTS) {
    const found = message.match(pattern);
    if (found) return t(`shell.fault.${key}`, found.groups ?? {});
  }
  return null;
}
