/** One's own profile, e-mail address and password. */

import { get, patch, put } from "../shell/api.js";
import { button, make } from "../shell/elements.js";
import { form, hasDraft } from "../shell/form.js";
import { t } from "../shell/language.js";
import { session } from "../shell/session.js";
import { toast } from "../shell/toast.js";
import { handle } from "../friends/names.js";
import { loading, panel } from "./parts.js";

/** What others see: name and words about oneself; and the phone number, which is one's own. */
export function youSection() {
  return loading(() => get("/v1/me", { etag: true }), ({ value: me, etag }) => {
    let match = etag;
    const note = make("p", { class: "alert calm", role: "status", hidden: true });
    const unsaved = hasDraft("profile") ? unsavedNote(() => {
      fields.discard();
      for (const name of ["displayName", "bio", "phone"]) fields.set(name, me[name] ?? "");
    }) : null;
    const fields = form({
      name: "profile",
      fields: [
        { name: "displayName", label: t("profile.displayName"), value: me.displayName ?? "", required: true,
          autocomplete: "name", maxlength: 100 },
        { name: "bio", label: t("profile.bio"), type: "textarea", value: me.bio ?? "", maxlength: 1000,
          hint: t("profile.bioHint") },
        { name: "phone", label: t("profile.phone"), type: "tel", value: me.phone ?? "", autocomplete: "tel",
          maxlength: 40, hint: t("profile.phoneHint") },
      ],
      submit: {
        label: t("profile.save"),
        async run(values) {
          const body = {
            displayName: values.displayName.trim(), bio: values.bio.trim() ? values.bio : null,
            phone: values.phone.trim() || null,
          };
          try {
            await patch("/v1/me", body, { ifMatch: match });
          } catch (problem) {
            if (problem.status !== 412) throw problem;
            // Another window was faster. What is typed stays; the next press means it.
            match = (await get("/v1/me", { etag: true })).etag;
            note.textContent = t("profile.changedElsewhere");
            note.hidden = false;
            return;
          }
          note.hidden = true;
          unsaved?.remove();
          match = (await get("/v1/me", { etag: true })).etag;
          await session.reload();
          toast(t("profile.saved"));
        },
      },
    });
    return panel("you", t("profile.you"),
      make("p", { class: "hint" }, t("profile.username"), " ",
        handle(me)), unsaved, note, fields);
  });
}

/** Says that a form shows what was typed before and not saved, with a way to what is saved. */
function unsavedNote(discard) {
  const note = make("div", { class: "alert calm unsaved", role: "status" }, make("p", { text: t("profile.unsaved") }),
    button({ label: t("profile.discard"), kind: "quiet small", run: () => {
      discard();
      note.remove();
    } }));
  return note;
}

/** E-mail address and password, each behind the present password. */
export function accountSection() {
  return make("div", { class: "stack" }, emailPanel(), passwordPanel());
}

function emailPanel() {
  const now = make("p", { class: "hint" });
  const say = (address) => now.replaceChildren(t("profile.emailNow"), " ", make("bdi", { text: address }));
  const element = loading(() => get("/v1/me"), (me) => {
    say(me.email);
    const fields = form({
      name: "email",
      fields: [
        { name: "email", label: t("profile.emailNew"), type: "email", required: true, autocomplete: "email",
          maxlength: 254 },
        { name: "currentPassword", label: t("profile.passwordCurrent"), type: "password", required: true,
          autocomplete: "current-password", maxlength: 256 },
      ],
      submit: {
        label: t("profile.emailChange"),
        async run(values) {
          const changed = await patch("/v1/me",
            { email: values.email.trim(), currentPassword: values.currentPassword });
          say(changed.email);
          fields.reset();
          await session.reload();
          toast(t("profile.emailChanged"));
        },
      },
    });
    return panel("email", t("profile.email"), now, make("p", { class: "hint", text: t("profile.emailHint") }),
      withUsername(fields, me.username));
  });
  return element;
}

function passwordPanel() {
  const fields = form({
    name: "password",
    fields: [
      { name: "current", label: t("profile.passwordCurrent"), type: "password", required: true,
        autocomplete: "current-password", maxlength: 256 },
      { name: "new", label: t("profile.passwordNew"), type: "password", required: true,
        autocomplete: "new-password", minlength: 8, maxlength: 256, hint: t("profile.passwordHint") },
    ],
    submit: {
      label: t("profile.passwordChange"),
      async run(values) {
        await put("/v1/me/password", { current: values.current, new: values.new });
        fields.reset();
        toast(t("profile.passwordChanged"));
      },
    },
  });
  return panel("password", t("profile.password"), withUsername(fields, session.user?.username ?? ""));
}

/** Tells password managers whose password it is. */
export function withUsername(fields, username) {
  fields.prepend(make("div", { class: "unseen", "aria-hidden": "true" }, make("input", {
    type: "text", autocomplete: "username", value: username, readonly: true, tabindex: "-1",
    "aria-label": t("profile.username"),
  })));
  return fields;
}
