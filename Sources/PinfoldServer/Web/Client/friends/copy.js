/** The clipboard. */

/** Puts `text` on the clipboard. @returns whether it is there: over plain http browsers may refuse */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
