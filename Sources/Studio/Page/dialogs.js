// Dialogs, all of them `<dialog>`: the browser keeps the focus inside, Escape closes, and the focus goes back where it was.

import { animate, count, fill, focusHeading, focusKey, make } from "./dom.js";
import { icon } from "./icons.js";

const voice = document.getElementById("voice");

/** So few characters are left when the field begins to say how many. */
const narrow = 21;

let number = 0;

/**
 * Opens a dialog.
 * @param {object} options `title`, `class`, `body` (nodes), `actions` (nodes), `onclose`.
 * @returns {{element: HTMLDialogElement, close: Function, closed: Promise}}
 */
export function openDialog({ title, kind = "", body = [], actions = [], onclose, hasClose = true }) {
  number += 1;
  const heading = `dialog-title-${number}`;
  const key = document.activeElement?.dataset.key;
  let resolve;
  const closed = new Promise((done) => {
    resolve = done;
  });
  const close = (value) => {
    if (!element.open) return;
    answer = value;
    element.close();
  };
  let answer;
  const element = make("dialog", { class: `dialog ${kind}`, "aria-labelledby": heading },
    make("div", { class: "dialog-inside" },
      make("header", { class: "dialog-head" },
        make("h2", { id: heading, text: title, tabindex: "-1" }),
        hasClose
          ? make("button", { class: "round-button", type: "button", "aria-label": "Close", onclick: () => close() }, icon("close"))
          : null),
      make("div", { class: "dialog-body" }, body),
      actions.length > 0 ? make("footer", { class: "dialog-actions" }, actions) : null));
  // A click on the veil closes; one that began inside (a selection that slipped out) does not.
  let began = null;
  element.addEventListener("pointerdown", (event) => {
    began = event.target;
  });
  element.addEventListener("click", (event) => {
    if (event.target === element && began === element) close();
  });
  element.addEventListener("close", () => {
    ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(voice);
    element.remove();
    // What opened it may have been drawn anew meanwhile, or be gone.
    if (document.activeElement === document.body && !focusKey(key)) focusHeading();
    onclose?.(answer);
    resolve(answer);
  });
  document.body.append(element);
  element.showModal();
  // What lies behind a modal dialog is neither seen nor heard: messages come along.
  element.append(voice);
  animate(element, [{ opacity: 0, transform: "translateY(16px) scale(.97)" }, { opacity: 1, transform: "none" }], { duration: 240, easing: "cubic-bezier(.2,.9,.3,1.15)" });
  return { element, close, closed };
}

/** Asks before something goes. Resolves to whether the person said yes. */
export async function askSure({ title = "Are you sure?", body, yes = "Delete", no = "Keep it" }) {
  const stay = make("button", { class: "button", type: "button", text: no, autofocus: true });
  const go = make("button", { class: "button is-danger", type: "button", text: yes });
  const dialog = openDialog({ title, kind: "is-small", body: [body].flat().map(paragraph), actions: [stay, go], hasClose: false });
  stay.addEventListener("click", () => dialog.close(false));
  go.addEventListener("click", () => dialog.close(true));
  stay.focus();
  return (await dialog.closed) === true;
}

/**
 * Asks for one or more texts. `submit` gets the values and may throw: the dialog stays open and says why.
 * @param {object} options `title`, `fields` [{name, label, value, placeholder, most, hint}], `yes`, `submit`. What is longer than
 *   `most` characters is not cut: it is said, and not submitted.
 */
export function askText({ title, lead, fields, yes, submit, extra = [] }) {
  let isSubmitting = false;
  const complaint = make("p", { class: "field-complaint", role: "alert" });
  const inputs = fields.map((field) =>
    make("input", {
      class: `input ${field.class ?? ""}`, id: `field-${field.name}`, name: field.name, value: field.value ?? "",
      placeholder: field.placeholder ?? null, autocomplete: "off", spellcheck: "false",
      required: field.required !== false, "aria-describedby": field.hint ? `hint-${field.name}` : null,
      oninput: field.most ? () => showLength(field) : null,
    }));
  const lengths = new Map(fields.map((field) => [field.name, make("p", { class: "field-length", role: "status" })]));
  const excess = ({ name, most }) => (most ? lengthOf(form.elements[name].value) - most : 0);
  /** How much room is left, where it gets narrow. */
  const showLength = (field) => {
    const over = excess(field);
    const words = lengths.get(field.name);
    words.textContent = over > 0 ? `${count(over, "character")} too long: ${field.most} fit.` : over > -narrow ? `${-over} left` : "";
    words.classList.toggle("is-over", over > 0);
    form.elements[field.name].setAttribute("aria-invalid", String(over > 0));
  };
  const form = make("form", { class: "form", novalidate: true },
    lead ? make("p", { class: "soft", text: lead }) : null,
    fields.map((field, index) => make("div", { class: "field" },
      make("label", { for: `field-${field.name}`, text: field.label }), inputs[index], lengths.get(field.name),
      field.hint ? make("p", { class: "field-hint", id: `hint-${field.name}`, text: field.hint }) : null)),
    extra,
    complaint,
    make("div", { class: "dialog-actions" },
      make("button", { class: "button", type: "button", text: "Cancel", onclick: () => dialog.close() }),
      make("button", { class: "button is-primary", type: "submit", text: yes })));
  const dialog = openDialog({ title, kind: "is-small", body: [form] });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fill(complaint);
    const empty = inputs.find((input) => input.required && input.value.trim() === "");
    if (empty) {
      complaint.textContent = "Please fill this in.";
      empty.focus();
      return;
    }
    const long = fields.find((field) => excess(field) > 0);
    if (long) {
      showLength(long);
      form.elements[long.name].focus();
      return;
    }
    if (isSubmitting) return;
    isSubmitting = true;
    try {
      await submit(Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])));
      dialog.close(true);
    } catch (error) {
      complaint.textContent = [error.message, error.detail].filter(Boolean).join(" ");
    } finally {
      isSubmitting = false;
    }
  });
  inputs[0].focus();
  inputs[0].select();
  return { ...dialog, inputs };
}

/** Characters as people count them, without the white space around them, as the server counts. */
function lengthOf(text) {
  const name = text.trim().normalize("NFC");
  return typeof Intl.Segmenter === "function" ? [...new Intl.Segmenter().segment(name)].length : [...name].length;
}

function paragraph(words) {
  return typeof words === "string" ? make("p", { text: words }) : words;
}
