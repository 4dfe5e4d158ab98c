// What the shape that is being drawn may become: bars beside the ink that move with each stroke.
// They can be hidden, and are not announced; only the decision is.

import { certain, emoji, fill, make, roundButton, setStyle, shownCertainty } from "./dom.js";
import { icon } from "./icons.js";
import { keep, keptText } from "./kept.js";
import { store } from "./store.js";

const key = "drawml.guesses";
/**
 * The model of everyday things changes its mind often: its guess is shown if it was the best one
 * before the newest stroke, too, and has at least this confidence. In 1,928 beginnings of real
 * drawings 65 % of such guesses stayed to the end, of all guesses 46 %.
 */
const leastOfEveryday = 0.5;

/** Whether guesses are wanted on this device. */
export function areGuessesShown() {
  return keptText(key) !== "hidden";
}

/** Stores whether guesses are wanted. */
export function showGuesses(isShown) {
  keep(key, isShown ? "shown" : "hidden");
}

export class LiveGuesses {
  constructor() {
    this.rows = make("ul", { class: "live-rows" });
    const hide = roundButton(icon("close"), "Hide guesses", () => {
      showGuesses(false);
      this.clear();
    });
    this.element = make("div", {
      class: "live-guesses", role: "group", "aria-label": "Guesses while you draw", hidden: true,
    }, this.rows, hide);
    this.shape = null;
    /** What was the first guess about a shape before its last stroke. */
    this.before = { shape: null, label: null };
  }

  /** Whether the first guess about a shape is likely to stay. */
  isLikelyToStay(shape, [{ label, confidence }]) {
    const { before } = this;
    this.before = { shape, label };
    if (!store.model.isEveryday) return true;
    const isSame = before.shape === shape && before.label === label;
    return isSame && confidence >= leastOfEveryday;
  }

  /**
   * Shows the guesses about a pending shape, if it has any, in the other half of a sheet of the
   * given height.
   */
  show({ shape, boundingBox: { y, height }, guesses = [] }, sheetHeight) {
    const isShown = guesses.length > 0 && areGuessesShown();
    if (!isShown || !this.isLikelyToStay(shape, guesses)) {
      this.clear();
      return;
    }
    // They stay where they are while the shape grows.
    if (shape !== this.shape) {
      this.element.classList.toggle("is-low", y + height / 2 < sheetHeight / 2);
    }
    this.shape = shape;
    this.element.hidden = false;
    // The rows stay, so that their bars move.
    while (this.rows.children.length > guesses.length) this.rows.lastElementChild.remove();
    guesses.forEach(({ label, confidence }, index) => {
      const row = this.rows.children[index] ?? this.rows.appendChild(make("li", {},
        make("span", { class: "live-face" }),
        make("span", { class: "meter" }, make("span", { class: "meter-after" })),
        make("span", { class: "soft live-share" })));
      const [face, bar, share] = row.children;
      if (face.textContent !== label) fill(face, emoji(label));
      setStyle(bar.firstElementChild, { width: `${shownCertainty(confidence, label) * 100}%` });
      share.textContent = certain(confidence, label);
    });
  }

  /** Removes the guesses about a shape that was decided on, or all. */
  clear(shape = this.shape) {
    if (shape !== this.shape) return;
    this.shape = null;
    this.element.hidden = true;
    fill(this.rows);
  }
}
