// The projector view: the sheet alone, with the last guess in large letters, in full screen where
// the browser can. Escape and a button in the corner leave it.

import { emoji, fill, isWord, make, roundButton, said } from "./dom.js";
import { nameOf } from "./emojis.js";
import { icon } from "./icons.js";
import { speak } from "./toasts.js";

const key = "F9";

export class Projector {
  /** @param {AbortSignal} signal Ends it. */
  constructor(signal) {
    this.button = roundButton(icon("system"), "Project", () => this.enter(), {
      class: "round-button projector-button", title: `Project (${key})`, "aria-keyshortcuts": key,
    });
    this.corner = roundButton(icon("close"), "Leave the projector view", () => this.leave(), {
      class: "round-button projector-corner",
    });
    this.guess = make("p", { class: "projector-guess", "aria-hidden": "true" });
    this.element = make("div", { class: "projector" }, this.guess, this.corner);
    addEventListener("keydown", (event) => this.press(event), { signal });
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement) this.leave();
    }, { signal });
    signal.addEventListener("abort", () => this.leave());
  }

  get isOn() {
    return document.body.dataset.view === "projector";
  }

  press(event) {
    // An open menu takes the first Escape.
    if (event.defaultPrevented || event.target.closest?.("dialog")) return;
    const isWanted = event.key === key || (this.isOn && event.key === "Escape");
    if (!isWanted || event.repeat) return;
    event.preventDefault();
    if (this.isOn) this.leave();
    else this.enter();
  }

  enter() {
    document.body.dataset.view = "projector";
    this.corner.focus({ preventScroll: true });
    speak("Projector view. Press Escape to leave it.");
    // Without full screen the view fills the window.
    if (document.fullscreenEnabled) {
      document.documentElement.requestFullscreen()
        .then(() => {
          if (!this.isOn) document.exitFullscreen();
        })
        .catch(() => {});
    }
  }

  leave() {
    if (!this.isOn) return;
    delete document.body.dataset.view;
    this.button.focus({ preventScroll: true });
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  /** Shows the newest emoji, or nothing. */
  show(shape) {
    if (!shape) {
      fill(this.guess);
      return;
    }
    const { label, confidence } = shape;
    const name = make("span", { class: isWord(label) ? "unseen" : "" });
    nameOf(label).then((words) => {
      name.textContent = words;
    });
    fill(this.guess, emoji(label), make("span", { class: "projector-words" },
      name, make("span", { class: "soft", text: said(confidence, label) })));
  }
}
