// Short messages instead of popups. Screen readers read them. They can have one action,
// stay while someone points at them, and disappear by themselves.

import { animate, appear, decorativeEmoji, focusHeading, make, spring, vanish } from "./dom.js";
import { icon } from "./icons.js";

/** How many toasts fit: fewer on a phone, in a low window, and below Train's sheet. */
function most() {
  if (matchMedia("(max-height: 480px)").matches) return 1;
  const isTrain = document.body.dataset.screen === "train";
  if (isTrain) return matchMedia("(min-width: 1100px)").matches ? 2 : 1;
  return matchMedia("(min-width: 760px)").matches ? 3 : 2;
}
const region = document.getElementById("toasts");
const spoken = document.getElementById("spoken");
const alarm = document.getElementById("alarm");

/** The shown toasts by element, with the functions that close, hold and release each. */
const shown = new Map();

/** Whether the pointer has drawn since it entered the sheet, and rests there to draw. */
let isDrawing = false;

/** Holds toasts under the pointer. Clicks pass through a toast, so the window listens instead. */
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
    const { clientX, clientY } = event;
    keep(element, clientX >= left && clientX <= right && clientY >= top && clientY <= bottom);
  }
}

for (const kind of ["pointerdown", "pointermove"]) addEventListener(kind, look, { passive: true });

/** Holds a toast while the pointer is over it. */
function keep(element, isOver) {
  if (isOver === (element.dataset.held === "pointer")) return;
  element.dataset.held = isOver ? "pointer" : "";
  if (isOver) shown.get(element).hold();
  else shown.get(element).wait();
}

/** Removes a toast at once. */
function drop(element) {
  shown.get(element)?.hold();
  shown.delete(element);
  element.remove();
}

/** What is behind the toasts makes room for them. */
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--toasts-height", `${region.offsetHeight}px`);
}).observe(region);

/** Announces a text to screen readers only. */
export function speak(text, { urgent = false } = {}) {
  const element = urgent ? alarm : spoken;
  // A repeated message must differ to be read again: by an invisible space.
  element.textContent = element.textContent === text ? `${text}\u00a0` : text;
}

/**
 * Shows a toast.
 * @param {string} text Its message.
 * @param {{kind?: "plain"|"good"|"bad", detail?: string, emoji?: string, action?: string,
 *   onaction?: Function, seconds?: number, topic?: string, isOfScreen?: boolean,
 *   isAside?: boolean}} options
 *   A toast replaces one of the same topic; one of a screen closes with the screen; an aside is
 *   only spoken where it would take the place of a toast with an action.
 * @returns {Function} Closes it.
 */
export function toast(text, options = {}) {
  const { kind = "plain", detail = "", action, onaction, topic = "", isOfScreen = false } = options;
  const announce = () => {
    speak(detail ? `${text} ${detail}` : text, { urgent: kind === "bad" });
  };
  const seconds = options.seconds ?? (action ? 10 : kind === "bad" ? 8 : 4);
  const isFormer = (each) => topic && each.dataset.topic === topic && shown.has(each);
  const former = [...region.children].find(isFormer);
  // The same message replaces the old one, except with Undo, which undoes something else each time.
  for (const old of [...region.children]) {
    if (old !== former && old.dataset.text === text && action !== "Undo") drop(old);
  }
  // The oldest goes first, unless it has the focus or the pointer.
  const idle = ":scope > :not(:focus-within, [data-held=pointer])";
  while (!former && region.children.length >= most()) {
    if (options.isAside) {
      const oldest = region.querySelector(`${idle}:not(:has(.toast-action))`);
      if (!oldest) {
        announce();
        return () => {};
      }
      drop(oldest);
    } else {
      drop(region.querySelector(idle) ?? region.firstElementChild);
    }
  }

  let timer = 0;
  let isGone = false;
  let before = null;
  const close = async () => {
    if (isGone) return;
    isGone = true;
    clearTimeout(timer);
    shown.delete(element);
    // The focus returns to where it came from.
    if (element.contains(document.activeElement)) {
      if (before?.isConnected) before.focus({ preventScroll: true });
      else focusHeading();
    }
    await vanish(element, "translateY(-8px) scale(.97)", 160);
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
    options.emoji && decorativeEmoji(options.emoji, "toast-emoji"),
    make("div", { class: "toast-words" },
      make("p", { text }), detail && [" ", make("p", { class: "toast-detail", text: detail })]),
    action && make("button", {
      class: "toast-action", type: "button", text: action,
      onclick: () => {
        // A double click counts once.
        if (isGone) return;
        close();
        onaction();
      },
    }),
    make("button", {
      class: "toast-close", type: "button", "aria-label": "Dismiss this message", onclick: close,
    }, icon("close")),
  );
  shown.set(element, { hold, wait, close, isOfScreen });
  if (former) {
    former.before(element);
    drop(former);
    const frames = [{ transform: "scale(1.03)" }, { transform: "none" }];
    animate(element, frames, { duration: 260, easing: spring });
  } else {
    region.append(element);
    appear(element, "translateY(-14px) scale(.96)", 260, spring);
  }
  announce();
  wait();
  return close;
}

/** Presses the newest Undo, for Ctrl+Z. Returns whether there was one. */
export function undoNewest() {
  const actions = [...shown.keys()].map((each) => each.querySelector(".toast-action"));
  const newest = actions.findLast((each) => each?.textContent === "Undo");
  newest?.click();
  return Boolean(newest);
}

/**
 * Shows an error: the requirement's message first, then what the server adds to it. What only the
 * owner may do is said in one sentence.
 */
export function showError(error, message, options = {}) {
  const said = error?.message ?? "";
  const wanted = error?.code === "ownerOnly" ? undefined : message;
  const first = wanted ?? (said || "Something went wrong. Please try again.");
  const more = [said, error?.detail].filter((each) => each && each !== first);
  const detail = [...new Set(more)].join(" ");
  toast(first, { kind: "bad", detail, ...options });
}

/** Closes the toasts of the screen that closes. */
export function leaveScreen() {
  for (const { close, isOfScreen } of [...shown.values()]) {
    if (isOfScreen) close();
  }
}
