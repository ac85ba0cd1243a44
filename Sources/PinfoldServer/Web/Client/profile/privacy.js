/** Who finds one, who may ask, and what friends are told. */

import { get, patch } from "../shell/api.js";
import { make } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { t } from "../shell/language.js";
import { toast } from "../shell/toast.js";
import { loading, panel } from "./parts.js";

export function privacySection() {
  return loading(() => get("/v1/me/privacy", { etag: true }), ({ value: settings, etag }) => {
    let match = etag;
    const note = make("p", { class: "alert calm", role: "status", hidden: true });
    const setting = (name) => ({
      name, label: t(`profile.privacy.${name}`), hint: t(`profile.privacy.${name}Hint`), value: settings[name],
    });
    const choice = (name, values) => ({
      ...setting(name), type: "select", required: true,
      options: values.map((value) => ({ value, label: t(`profile.privacy.${name}.${value}`) })),
    });
    const box = (name) => ({ ...setting(name), type: "checkbox" });
    const fields = form({
      name: null,
      fields: [
        choice("discoverable", ["everyone", "exact", "nobody"]),
        choice("requestsFrom", ["everyone", "invite", "nobody"]),
        choice("defaultAudience", ["friends", "private"]),
        box("presence"),
      ],
      submit: {
        label: t("profile.save"),
        async run(values) {
          try {
            ({ etag: match } = await patch("/v1/me/privacy", values, { ifMatch: match, etag: true }));
          } catch (problem) {
            if (problem.status !== 412) throw problem;
            match = (await get("/v1/me/privacy", { etag: true })).etag;
            note.textContent = t("profile.changedElsewhere");
            note.hidden = false;
            return;
          }
          note.hidden = true;
          toast(t("profile.saved"));
        },
      },
    });
    return panel("privacy", t("profile.privacy"), make("p", { class: "hint", text: t("profile.privacyText") }), note,
      fields);
  });
}
