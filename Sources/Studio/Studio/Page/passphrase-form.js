// The adult's passphrase, which the adult's sheet of Calm and the art screen ask for (CL-021).

import { button, make } from "./dom.js";

/**
 * A form for the passphrase.
 * @param {(passphrase: string) => Promise<void>} enter Rejects with the server's answer to a wrong
 *   one, which is shown.
 * @param {HTMLElement} back The button beside Unlock.
 * @param {string} look The class of the row with both.
 */
export function passphraseForm(enter, back, look) {
  const complaint = make("p", { class: "field-complaint", role: "alert", id: "complaint" });
  const field = make("input", {
    class: "input", type: "password", id: "passphrase", autocomplete: "current-password",
    "aria-describedby": "complaint", required: true,
  });
  const unlock = button("is-primary", "Unlock", null, { type: "submit" });
  const submit = async (event) => {
    event.preventDefault();
    if (unlock.disabled) return;
    unlock.disabled = true;
    complaint.textContent = "";
    field.removeAttribute("aria-invalid");
    try {
      await enter(field.value);
    } catch (error) {
      complaint.textContent = complaintOf(error);
      field.setAttribute("aria-invalid", "true");
      field.select();
      unlock.disabled = false;
    }
  };
  return make("form", { onsubmit: submit },
    make("div", { class: "field" },
      make("label", { for: "passphrase", text: "Passphrase" }), field),
    complaint,
    make("div", { class: look }, back, unlock));
}

function complaintOf({ status, detail, message }) {
  if (status === 403) return "That is not it.";
  const seconds = Number.parseInt(detail, 10);
  return status === 429 && seconds > 0 ? `Wait ${seconds} seconds.` : message;
}
