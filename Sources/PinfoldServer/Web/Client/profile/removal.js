/** Deleting one's account. */

import { remove } from "../shell/api.js";
import { make } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { phrase, t } from "../shell/language.js";
import { session } from "../shell/session.js";
import { withUsername } from "./account.js";
import { panel } from "./parts.js";

export function removalSection() {
  const { username } = session.user;
  const fields = form({
    name: null,
    fields: [
      { name: "confirmation", label: t("profile.deleteConfirm"), required: true, autocapitalize: "none",
        spellcheck: "false", hint: phrase("profile.deleteConfirmHint", { name: username }),
        check: (text) => (text.normalize("NFKC").toLocaleLowerCase() === username.toLocaleLowerCase()
          ? null : t("profile.deleteMismatch")) },
      { name: "password", label: t("profile.password"), type: "password", required: true,
        autocomplete: "current-password", maxlength: 256 },
    ],
    submit: {
      label: t("profile.delete"), kind: "danger",
      async run({ password }) {
        await session.leave("deleted", () => remove("/v1/me", { body: { password } }));
      },
    },
  });
  return panel("delete", t("profile.delete"),
    make("p", { text: t("profile.deleteText") }),
    make("p", { class: "hint" }, `${t("profile.deleteHint")} `,
      make("a", { href: "/#profile/pins", text: t("profile.export") })),
    withUsername(fields, username));
}
