extension PinsPage {
    /// Refusals shown at the fields that they name.
    static let formsScript = #"""
        const slotOf = (form, name) => {
          const control = form.elements[name];
          if (!control) return null;
          return form.querySelector(`[data-field="${CSS.escape(name)}"]`) ?? control.closest(".field");
        };

        function clearFaults(form) {
          for (const fault of form.querySelectorAll(".fault")) fault.remove();
          for (const control of form.querySelectorAll("[aria-invalid]")) {
            control.removeAttribute("aria-invalid");
            if (control.dataset.describedby) control.setAttribute("aria-describedby", control.dataset.describedby);
            else control.removeAttribute("aria-describedby");
          }
          const alert = form.querySelector(".alert");
          if (alert) alert.hidden = true;
        }

        function showAlert(form, text, calm = false) {
          const alert = form.querySelector(".alert");
          alert.hidden = false;
          alert.classList.toggle("calm", calm);
          alert.textContent = text;
        }

        /** Puts one message under its field and ties them for screen readers. */
        function showFault(form, name, message) {
          const slot = slotOf(form, name);
          if (!slot) return null;
          const label = slot.querySelector("label, legend").firstChild.textContent.trim();
          const id = `${form.id}-${name}-fault`;
          const control = slot.matches("fieldset") ? slot : slot.querySelector("input, select, textarea");
          const sentence = `${label} ${message}`.replace(/\.?$/, ".");
          slot.append(make("p", { class: "fault", id, text: sentence }));
          control.dataset.describedby = control.getAttribute("aria-describedby") ?? "";
          control.setAttribute("aria-invalid", "true");
          control.setAttribute("aria-describedby", `${control.dataset.describedby} ${id}`.trim());
          return slot.matches("fieldset") ? slot.querySelector("input") : control;
        }

        /** Shows a refusal: messages of fields at the fields, the rest on top; the first one gets the focus. */
        function showProblem(form, problem) {
          clearFaults(form);
          const elsewhere = [];
          let first = null;
          for (const { field, message } of problem.errors ?? []) {
            const control = showFault(form, field, message);
            if (control) first ??= control;
            else elsewhere.push(`${field} ${message}`);
          }
          if (elsewhere.length) showAlert(form, elsewhere.join(". "));
          else if (!first) showAlert(form, problem.message);
          first?.focus();
        }

        /** Runs a form's submission once at a time. */
        function onSubmit(form, run) {
          form.addEventListener("submit", async (event) => {
            event.preventDefault();
            const button = form.querySelector("[type=submit]");
            if (button.getAttribute("aria-disabled") === "true") return;
            clearFaults(form);
            button.setAttribute("aria-disabled", "true");
            try {
              await run();
            } catch (problem) {
              showProblem(form, problem);
            } finally {
              button.removeAttribute("aria-disabled");
            }
          });
        }

        /** Runs a button's action once at a time; a refusal is said at the foot of the window. */
        async function press(button, run) {
          if (button.getAttribute("aria-disabled") === "true") return;
          button.setAttribute("aria-disabled", "true");
          try {
            await run();
          } catch (problem) {
            toast(problem.message);
          } finally {
            button.removeAttribute("aria-disabled");
          }
        }
        """#
}
