// Dialogs, as `<dialog>`: the browser traps the focus, closes on Escape and restores the focus.

import {
  appear, button, count, fill, focusHeading, focusKey, graphemes, make, roundButton,
} from "./dom.js";
import { icon } from "./icons.js";
import { messages } from "./messages.js";

const voice = document.getElementById("voice");

/** A field shows how many characters are left from this number on. */
const narrow = 21;

let number = 0;

/**
 * Opens a dialog.
 * @param {object} options `title`, `kind` (a class), `body` and `actions` (nodes), `onclose`.
 * @returns {{element: HTMLDialogElement, close: Function, closed: Promise}}
 */
export function openDialog(options) {
  const { title, kind = "", body = [], actions = [], onclose, hasClose = true } = options;
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
        hasClose ? roundButton(icon("close"), "Close", () => close()) : null),
      make("div", { class: "dialog-body" }, body),
      actions.length > 0 ? make("footer", { class: "dialog-actions" }, actions) : null));
  // A click on the backdrop closes; a drag that began inside, as to select text, does not.
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
    // The element that opened it may have been replaced or removed meanwhile.
    if (document.activeElement === document.body && !focusKey(key)) focusHeading();
    onclose?.(answer);
    resolve(answer);
  });
  document.body.append(element);
  element.showModal();
  // Everything behind a modal dialog is inert, so the toasts move into it.
  element.append(voice);
  appear(element, "translateY(16px) scale(.97)", 240, "cubic-bezier(.2,.9,.3,1.15)");
  return { element, close, closed };
}

/** Asks before something is deleted. Resolves to whether the person agreed. */
export async function askConfirmation(
  { title = messages.sure, body, yes = "Delete", no = "Keep it" },
) {
  const stay = button("", no, () => dialog.close(false), { autofocus: true });
  const go = button("is-danger", yes, () => dialog.close(true));
  const dialog = openDialog({
    title, kind: "is-small", hasClose: false, actions: [stay, go],
    body: [body].flat().map((text) => make("p", { text })),
  });
  stay.focus();
  return (await dialog.closed) === true;
}

/**
 * Asks for one or more texts. `submit` gets the values; if it throws, the dialog stays open and
 * shows the error.
 * @param {object} options `title`, `fields` [{name, label, value, placeholder, most, required}],
 *   `yes`, `submit`. A text of more than `most` characters is not cut, but cannot be submitted.
 */
export function askText({ title, fields, yes, submit, extra = [] }) {
  let isSubmitting = false;
  const complaint = make("p", { class: "field-complaint", role: "alert" });
  const inputs = fields.map((field) =>
    make("input", {
      class: "input", id: `field-${field.name}`, name: field.name, value: field.value ?? "",
      placeholder: field.placeholder ?? null, autocomplete: "off", spellcheck: "false",
      required: field.required !== false, oninput: () => showLength(field),
    }));
  const lengths = new Map(
    fields.map(({ name }) => [name, make("p", { class: "field-length", role: "status" })]),
  );
  const excess = ({ name, most }) => lengthOf(form.elements[name].value) - most;
  /** Shows how many characters are left, if only a few. */
  const showLength = (field) => {
    const over = excess(field);
    const words = lengths.get(field.name);
    words.textContent = over > -narrow ? `${-over} left` : "";
    if (over > 0) words.textContent = `${count(over, "character")} too long: ${field.most} fit.`;
    words.classList.toggle("is-over", over > 0);
    form.elements[field.name].setAttribute("aria-invalid", String(over > 0));
  };
  const go = button("is-primary", yes, null, { type: "submit" });
  const form = make("form", { class: "form", novalidate: true },
    fields.map(({ name, label }, index) => make("div", { class: "field" },
      make("label", { for: `field-${name}`, text: label }), inputs[index], lengths.get(name))),
    extra,
    complaint,
    make("div", { class: "dialog-actions" },
      button("", "Cancel", () => dialog.close()),
      go));
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
    go.setAttribute("aria-busy", "true");
    try {
      await submit(Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])));
      dialog.close(true);
    } catch (error) {
      complaint.textContent = [error.message, error.detail].filter(Boolean).join(" ");
    } finally {
      isSubmitting = false;
      go.removeAttribute("aria-busy");
    }
  });
  inputs[0].focus();
  inputs[0].select();
  return { ...dialog, inputs };
}

/** The length of a text as the server counts it: trimmed, in NFC, in grapheme clusters. */
function lengthOf(text) {
  return graphemes(text.trim().normalize("NFC"));
}
