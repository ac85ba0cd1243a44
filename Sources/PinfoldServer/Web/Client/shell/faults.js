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
  [/^must be a number from (?<least>\S+) to (?<most>\S+)$/, "range"],
  [/^must be a time /, "time"],
  [/^must be text$/, "text"],
  [/no coordinates$|^has no geometry$|does not say where it is$/, "nowhere"],
  // Of whole files.
  [/^is empty$/, "emptyFile"],
  [/UTF-(?:8|16)/, "encoding"],
  [/^has more than (?<most>\d+) (?:places|check-ins);/, "parts"],
  [/^is a ZIP archive/, "zip"],
  [/^is JSON, |^is XML, |^has no list of /, "unknownFile"],
  [/^is not (?:well-formed )?XML|^is XML nested |^has an element with |^has a document type/, "brokenFile"],
];

/** A server's message about a field in the viewer's language; null for one that is not known. */
export function faultText(message) {
  for (const [pattern, key] of FAULTS) {
    const found = message.match(pattern);
    if (found) return t(`shell.fault.${key}`, found.groups ?? {});
  }
  return null;
}
