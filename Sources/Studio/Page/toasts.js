// Short messages instead of popups. They are read out, can hold one action, wait while somebody looks at them, and go.

import { animate, emoji, focusHeading, make } from "./dom.js";
import { icon } from "./icons.js";

/** A phone's window has room for one less. */
const most = () => (matchMedia("(min-width: 760px)").matches ? 3 : 2);
const region = document.getElementById("toasts");
const spoken = document.getElementById("spoken");
const alarm = document.getElementById("alarm");

/** The toasts that are shown: their elements, and what makes each go or wait. */
const shown = new Map();

/** Whether the pointer has drawn since it came to the sheet on which it is: then it rests to draw on, and not to read. */
let isDrawing = false;

/** A toast waits while one looks at it; the pointer goes through it, so it is the window that notices. No pen is measured. */
function look(event) {
  const isPressed = event.buttons !== 0;
  if (!event.target.closest?.(".sheet")) isDrawing = false;
  else if (isPressed && !isDrawing) {
    isDrawing = true;
    for (const element of shown.keys()) keep(element, false);
  }
  if (isPressed || isDrawing) return;
  for (const element of shown.keys()) {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    keep(element, event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom);
  }
}

for (const kind of ["pointerdown", "pointermove"]) addEventListener(kind, look, { passive: true });

/** Keeps a toast while the pointer is over it, and no longer. */
function keep(element, isOver) {
  if (isOver === (element.dataset.held === "pointer")) return;
  element.dataset.held = isOver ? "pointer" : "";
  if (isOver) shown.get(element).hold();
  else shown.get(element).wait();
}

/** Takes a toast away at once. */
function drop(element) {
  shown.get(element)?.hold();
  shown.delete(element);
  element.remove();
}

/** Says something to screen readers only. */
export function speak(text, { urgent = false } = {}) {
  const element = urgent ? alarm : spoken;
  // The same words twice are two messages: an invisible space makes them differ.
  element.textContent = element.textContent === text ? `${text}\u00a0` : text;
}

/**
 * Shows a toast.
 * @param {string} text What it says.
 * @param {{kind?: "plain"|"good"|"bad", detail?: string, emoji?: string, action?: string, onaction?: Function, seconds?: number, topic?: string,
 *   isOfScreen?: boolean}} options One of the same topic takes the old one's place; one of a screen goes with it.
 * @returns {Function} Takes it away.
 */
export function toast(text, options = {}) {
  const { kind = "plain", detail = "", action, onaction, topic = "", isOfScreen = false } = options;
  const seconds = options.seconds ?? (action ? 10 : kind === "bad" ? 8 : 4);
  const former = topic ? [...region.children].find((each) => each.dataset.topic === topic && shown.has(each)) : null;
  // The same words again take the place of the old ones; but each Undo is of something else.
  for (const old of [...region.children]) {
    if (old !== former && old.dataset.text === text && action !== "Undo") drop(old);
  }
  // The oldest gives way, but for one that somebody is about to use.
  while (!former && region.children.length >= most()) drop(region.querySelector(":scope > :not(:focus-within, [data-held=pointer])") ?? region.firstElementChild);

  let timer = 0;
  let isGone = false;
  let before = null;
  const close = async () => {
    if (isGone) return;
    isGone = true;
    clearTimeout(timer);
    shown.delete(element);
    // The focus goes back to where it came from.
    if (element.contains(document.activeElement)) {
      if (before?.isConnected) before.focus({ preventScroll: true });
      else focusHeading();
    }
    await animate(element, [{ opacity: 1 }, { opacity: 0, transform: "translateY(-8px) scale(.97)" }], { duration: 160, easing: "ease-in" });
    element.remove();
  };
  const hold = () => clearTimeout(timer);
  const wait = () => {
    hold();
    if (!isGone) timer = setTimeout(close, seconds * 1000);
  };
  const element = make("div", {
    class: `toast is-${kind}`, data: { text, topic },
    onfocusin: (event) => {
      hold();
      if (!element.contains(event.relatedTarget)) before = event.relatedTarget;
    },
    onfocusout: wait,
  },
    options.emoji ? emoji(options.emoji, { class: "toast-emoji", "aria-hidden": "true" }) : null,
    make("div", { class: "toast-words" }, make("p", { text }), detail ? make("p", { class: "toast-detail", text: detail }) : null),
    action
      ? make("button", {
        class: "toast-action", type: "button", text: action,
        onclick: () => {
          // Two clicks are one.
          if (isGone) return;
          close();
          onaction();
        },
      })
      : null,
    make("button", { class: "toast-close", type: "button", "aria-label": "Dismiss this message", onclick: close }, icon("close")),
  );
  shown.set(element, { hold, wait, close, isOfScreen });
  if (former) {
    former.before(element);
    drop(former);
  } else region.append(element);
  speak(detail ? `${text} ${detail}` : text, { urgent: kind === "bad" });
  animate(element, former ? [{ transform: "scale(1.03)" }, { transform: "none" }] : [{ opacity: 0, transform: "translateY(-14px) scale(.96)" }, { opacity: 1, transform: "none" }], { duration: 260, easing: "cubic-bezier(.34,1.5,.5,1)" });
  wait();
  return close;
}

/** Presses the newest Undo that is shown, for whoever does so with keys (Ctrl+Z). */
export function undoNewest() {
  [...shown.keys()].map((each) => each.querySelector(".toast-action")).filter((each) => each?.textContent === "Undo").at(-1)?.click();
}

/** Shows what went wrong: the requirement's words first, then what the server adds to them. */
export function complain(error, message, options = {}) {
  const said = error?.message ?? "";
  const first = message ?? (said || "Something went wrong. Please try again.");
  const detail = said && said !== first ? said : (error?.detail ?? "");
  toast(first, { kind: "bad", detail, ...options });
}

/** Another screen comes: what was said of the one before goes with it. */
export function leaveScreen() {
  for (const { close, isOfScreen } of [...shown.values()]) {
    if (isOfScreen) close();
  }
}
