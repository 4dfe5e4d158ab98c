// The menu of a shape on the sheet: other labels, the right label, and removal; and the frame
// around its emoji, whose corners move and resize it. A stroke over either is ink.

import { api } from "./api.js";
import {
  button, certain, decorativeEmoji, emoji, fill, make, roundButton, said, setStyle,
} from "./dom.js";
import { nameOf } from "./emojis.js";
import { icon } from "./icons.js";
import { messages } from "./messages.js";
import { isMoved, menuPlace, squareInside } from "./placement.js";
import { canTeach, store } from "./store.js";

/** How many other labels are offered. */
const mostGuesses = 3;
/** The share of the emoji's size by which a key moves or resizes it. */
const keyStep = 0.1;

/** The drawing of a shape, as a sample would be; null if its ink is no longer kept. */
export async function drawingOf(playground, shape) {
  const drawing = await api.shape(playground, shape.shape);
  return drawing.strokes.length > 0 ? { ...drawing, id: sampleIDOf(shape) } : null;
}

/**
 * The id of the sample that a shape becomes: by its strokes, so that a shape that was joined or
 * split is another sample. Undefined if its strokes have no ids.
 */
export function sampleIDOf({ ids }) {
  const first = ids?.[0] ?? undefined;
  if (first === undefined || ids.length === 1) return first;
  return `${first}-${ids.length}-${(ids.at(-1) ?? "").slice(-8)}`;
}

export class ShapeMenu {
  /**
   * @param {object} handlers `playground()` (its id), `onlabel(shape, label, drawing)`,
   *   `onask(shape, drawing)` for another label, `onreject(shape)`, `onremove(shape)`,
   *   `onjoin(shape)` for another shape to join it, `canJoin(shape)`,
   *   `onsplit(shape, drawing, numbers)` (of the drawing's strokes),
   *   `onplace(shape, placement)` (null: over its drawing), `onpreview(shape, placement)`,
   *   `onclose(shape)`, `view()` (the sheet's element, its size, and its scale and place there).
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.shape = null;
    this.drawing = null;
    this.title = make("h2", { id: "shape-title", tabindex: "-1" });
    this.guesses = make("div", {
      class: "shape-guesses", role: "group", "aria-label": "What else it may be",
    });
    this.actions = make("div", { class: "shape-actions" });
    this.element = make("div", {
      class: "card shape-menu", role: "dialog", "aria-labelledby": "shape-title", hidden: true,
      onkeydown: (event) => this.key(event),
    },
    make("header", { class: "shape-head" }, this.title,
      roundButton(icon("close"), "Close", () => this.close())),
    this.guesses, this.actions);
    this.corner = make("span", { class: "shape-corner", "aria-hidden": "true" });
    this.mover = make("span", { class: "shape-corner is-mover", "aria-hidden": "true" },
      icon("place"));
    this.frame = make("button", {
      class: "shape-frame", type: "button", hidden: true,
      "aria-label": "Move with the arrow keys, resize with plus and minus",
      onpointerdown: (event) => this.grab(event), onkeydown: (event) => this.key(event),
    }, this.mover, this.corner);
    // A press elsewhere closes it; on the sheet, the pressed element decides.
    this.outside = (event) => {
      const isInside = [this.element, this.frame].some((each) => each.contains(event.target));
      if (!isInside && !event.target.closest?.(".sheet, dialog, .toast")) this.close();
    };
  }

  get isOpen() {
    return this.shape !== null;
  }

  /** Opens the menu of a shape; `place` is its box in the window. */
  async open(shape, { focus = false } = {}) {
    if (!this.isOpen) addEventListener("pointerdown", this.outside, true);
    this.before = focus ? document.activeElement : null;
    [this.shape, this.drawing] = [shape, null];
    /** The numbers of the drawing's strokes. */
    this.numbers = shape.strokes;
    [this.sent, this.isDragging] = [0, false];
    fill(this.guesses);
    this.show();
    [this.element.hidden, this.frame.hidden] = [false, shape.state !== "recognized"];
    this.place();
    this.title.focus({ preventScroll: true });
    let drawing;
    let answer = null;
    try {
      drawing = await drawingOf(this.handlers.playground(), shape);
      if (drawing) answer = await api.classify(store.model.id, drawing);
    } catch {
      // Without the server, actions that need no answer still work.
    }
    if (this.shape?.shape !== shape.shape) return;
    if (drawing) this.drawing = drawing;
    this.showGuesses(answer);
    this.show();
    this.place();
  }

  /**
   * The shape to show for one that the server tells of: an emoji that is being moved stays where it
   * is by now.
   */
  follow(shape, isOwn) {
    if (this.shape?.shape !== shape.shape) return shape;
    if (isOwn && this.sent > 0) this.sent -= 1;
    const isMoving = this.isDragging || this.sent > 0;
    const { placement } = this.shape;
    return isMoving && shape.placement ? { ...shape, placement } : shape;
  }

  /** Shows a change of its shape. */
  update(shape) {
    if (this.shape?.shape !== shape.shape) return;
    if (shape.state === "pending") {
      this.close();
      return;
    }
    this.shape = shape;
    this.frame.hidden = shape.state !== "recognized";
    this.show();
    this.place();
  }

  close() {
    if (!this.isOpen) return;
    const { shape, before } = this;
    const focused = document.activeElement;
    const hadFocus = this.element.contains(focused) || this.frame.contains(focused);
    removeEventListener("pointerdown", this.outside, true);
    this.shape = null;
    [this.element.hidden, this.frame.hidden] = [true, true];
    if (hadFocus && before?.isConnected) before.focus({ preventScroll: true });
    this.handlers.onclose(shape, hadFocus && !before?.isConnected);
  }

  // MARK: What it offers

  show() {
    const { shape, drawing } = this;
    const isEmoji = shape.state === "recognized";
    const words = make("span", { text: isEmoji ? shape.label : messages.notRecognized });
    fill(this.title, isEmoji ? decorativeEmoji(shape.label, "shape-emoji") : null, words);
    if (isEmoji) {
      nameOf(shape.label).then((name) => {
        words.textContent = `${name}, ${said(shape.confidence, shape.label)}`;
      });
    }
    const one = (look, text, call, isThere = true) => isThere && button(look, text, () => {
      const { shape: now, drawing: its } = this;
      call(now, its);
    }, { data: { key: text } });
    const { onask, onlabel, onreject, onplace, onremove } = this.handlers;
    const { onjoin, canJoin, onsplit } = this.handlers;
    fill(this.actions,
      one("is-primary", "It is a …", (now, its) => onask(now, its), drawing !== null),
      one("", "Add as sample", (now, its) => this.done(() => onlabel(now, now.label, its)),
        isEmoji && drawing !== null && canTeach()),
      one("", "Not this", (now) => this.done(() => onreject(now)), isEmoji && drawing !== null),
      one("", "Belongs with …", (now) => this.done(() => onjoin(now)), canJoin(shape)),
      one("", "Two things …", (now, its) => this.done(() => onsplit(now, its, this.numbers)),
        drawing !== null && shape.strokes.length > 1),
      one("", "Put back", (now) => onplace(now, null), isEmoji && isMoved(shape)),
      one("is-danger", "Take away", (now) => this.done(() => onremove(now))));
  }

  /** Shows the labels that come next, if the model knows any. */
  showGuesses(answer) {
    const { shape, drawing } = this;
    const own = shape.state === "recognized" ? shape.label : null;
    const others = (answer?.candidates ?? []).filter(({ label }) => label !== own);
    fill(this.guesses, others.slice(0, mostGuesses).map(({ label, confidence }) => {
      const guess = button("is-quiet shape-guess", [
        emoji(label, { "aria-hidden": "true" }), make("span", { text: certain(confidence, label) }),
      ], () => this.done(() => this.handlers.onlabel(this.shape ?? shape, label, drawing)));
      guess.setAttribute("aria-label", `It is ${label}, ${certain(confidence, label)}`);
      nameOf(label).then((name) => {
        guess.setAttribute("aria-label", `It is ${name}, ${certain(confidence, label)}`);
      });
      return guess;
    }));
  }

  /** Does what ends the menu. */
  done(call) {
    call();
    this.close();
  }

  // MARK: Place and size

  /** The square of its emoji, or its ink's box, in the window. */
  box(placement = this.shape.placement) {
    const { boundingBox: ink } = this.shape;
    const { x, y, width, height } = placement
      ? { ...placement, width: placement.side, height: placement.side } : ink;
    const view = this.handlers.view();
    return {
      left: view.x + x * view.scale, top: view.y + y * view.scale,
      width: width * view.scale, height: height * view.scale,
    };
  }

  /** Puts the frame around its emoji, and the menu beside it or, on a phone, at an edge. */
  place() {
    if (!this.isOpen) return;
    const box = this.box();
    this.setFrame(box);
    const sheet = this.handlers.view().element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const { isLow, left, top } = menuPlace(
      { ...box, left: sheet.left + box.left, top: sheet.top + box.top }, { width, height },
      { width: innerWidth, height: innerHeight },
    );
    this.element.classList.toggle("is-top", isLow);
    const isPhone = matchMedia("(max-width: 759px)").matches;
    const place = { left: `${left}px`, top: `${top}px` };
    setStyle(this.element, isPhone ? { left: "", top: "" } : place);
  }

  setFrame(box) {
    setStyle(this.frame, Object.fromEntries(
      Object.entries(box).map(([side, length]) => [side, `${length}px`])));
  }

  /** A square as the server will place it. */
  inside(square) {
    return squareInside(square, this.handlers.view().size);
  }

  /** Sends a new place, unless it is the old one. */
  put(placement, before) {
    this.preview(placement);
    if (["x", "y", "side"].every((key) => placement[key] === before[key])) return;
    this.shape = { ...this.shape, placement };
    this.sent += 1;
    this.place();
    this.handlers.onplace(this.shape, placement);
  }

  /** Drags the emoji by one corner, or resizes it by the other. */
  grab(event) {
    event.stopPropagation();
    if (event.button !== 0) return;
    event.preventDefault();
    this.frame.focus({ preventScroll: true });
    const isCorner = this.corner.contains(event.target);
    const { placement } = this.shape;
    const { scale } = this.handlers.view();
    let next = null;
    const move = ({ clientX, clientY }) => {
      const [dx, dy] = [(clientX - event.clientX) / scale, (clientY - event.clientY) / scale];
      const { x, y, side } = placement;
      next = this.inside(isCorner
        ? { x, y, side: side + Math.max(dx, dy) } : { x: x + dx, y: y + dy, side });
      this.preview(next);
    };
    const end = ({ type }) => {
      this.frame.removeEventListener("pointermove", move);
      this.frame.removeEventListener("pointerup", end);
      this.frame.removeEventListener("pointercancel", end);
      this.isDragging = false;
      if (!next || !this.isOpen) return;
      if (type === "pointerup") this.put(next, placement);
      else this.preview(placement);
    };
    this.isDragging = true;
    this.frame.setPointerCapture(event.pointerId);
    this.frame.addEventListener("pointermove", move);
    this.frame.addEventListener("pointerup", end);
    this.frame.addEventListener("pointercancel", end);
  }

  preview(placement) {
    this.setFrame(this.box(placement));
    this.handlers.onpreview(this.shape, placement);
  }

  key(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
      return;
    }
    if (event.currentTarget !== this.frame) return;
    const { placement } = this.shape;
    const step = placement.side * keyStep;
    const [dx, dy, ds] = {
      ArrowLeft: [-step, 0, 0], ArrowRight: [step, 0, 0], ArrowUp: [0, -step, 0],
      ArrowDown: [0, step, 0], "+": [-step / 2, -step / 2, step], "-": [step / 2, step / 2, -step],
    }[event.key] ?? [];
    if (dx === undefined) return;
    event.preventDefault();
    const { x, y, side } = placement;
    this.put(this.inside({ x: x + dx, y: y + dy, side: side + ds }), placement);
  }
}
