// A sheet for one drawing: what Train, Trace and "Why this emoji?" draw on.

import { make, timed, vanish } from "./dom.js";
import { showStrokes } from "./ink-picture.js";
import { InkSurface } from "./ink-surface.js";
import { messages } from "./messages.js";
import { store } from "./store.js";
import { speak, toast } from "./toasts.js";

export class DrawingSheet {
  /**
   * @param {object} options
   * @param {string} options.label Its name for screen readers.
   * @param {object} options.drawing `canvas`, `strokes` and `cleared`, which an undo brings back.
   *   Code that changes them calls `change` or `show`.
   * @param {string} [options.hint] What an empty sheet says.
   * @param {(how?: "stroke"|"undo"|"clear") => void} [options.onchange] The drawing has changed.
   * @param {() => void} [options.onfit] The size of the sheet has changed.
   * @param {AbortSignal} options.signal Ends it; a stroke that is being drawn is finished.
   */
  constructor({ label, drawing, hint, onchange, onfit, signal }) {
    Object.assign(this, { drawing, onchange });
    this.surface = new InkSurface({
      label,
      onfit,
      penSize: () => store.settings.penSize ?? 6,
      mostPoints: () => store.limits.points,
      onbegin: () => {
        this.hint.hidden = true;
      },
      onstroke: (stroke) => this.add(stroke),
      oncancel: (reason) => {
        this.draw();
        if (reason === "lost") toast(messages.unreadable, { kind: "bad" });
      },
    });
    this.surface.isEmpty = () => this.isEmpty;
    this.ink = make("svg:svg", { class: "ink" });
    this.surface.world.append(this.ink);
    this.hint = make("p", { class: "sheet-hint", "aria-hidden": "true", text: hint });
    this.element = this.surface.element;
    if (hint) this.element.append(this.hint);
    signal.addEventListener("abort", () => this.surface.close());
  }

  get isEmpty() {
    return this.drawing.strokes.length === 0;
  }

  /** The drawing as requests send it. */
  get content() {
    return { canvas: this.drawing.canvas, strokes: timed(this.drawing.strokes) };
  }

  add(stroke) {
    const { drawing, surface } = this;
    if (!fits(drawing.strokes, stroke)) {
      this.draw();
      return;
    }
    if (this.isEmpty) drawing.canvas = { ...surface.size };
    drawing.strokes = [...drawing.strokes, stroke];
    drawing.cleared = null;
    this.draw();
    this.onchange?.("stroke");
  }

  /** Undoes the last stroke or the clear; returns whether there was one. */
  undo() {
    const { drawing } = this;
    if (!this.isEmpty) drawing.strokes = drawing.strokes.slice(0, -1);
    else if (drawing.cleared) [drawing.strokes, drawing.cleared] = [drawing.cleared, null];
    else return false;
    this.change("undo");
    return true;
  }

  clear() {
    if (this.isEmpty) return;
    const old = this.ink.cloneNode(true);
    this.surface.world.append(old);
    vanish(old, "translateY(10px)", 200);
    Object.assign(this.drawing, { cleared: this.drawing.strokes, strokes: [] });
    this.change("clear");
    speak("The sheet is clear. Undo brings the drawing back.");
  }

  /** Shows a changed drawing and notifies the listener. */
  change(how) {
    this.show();
    this.onchange?.(how);
  }

  /** Shows the drawing in its canvas; an empty sheet has its own size. */
  show() {
    if (this.isEmpty) this.surface.fit();
    else this.surface.setCanvas(this.drawing.canvas);
    this.draw();
  }

  draw() {
    // An empty sheet may have another size than when its ink was shown.
    showStrokes(this.ink, this.surface.size, this.drawing.strokes);
    this.hint.hidden = !this.isEmpty;
  }
}

/** Whether a stroke still fits into a drawing; shows a message if not. */
function fits(strokes, stroke) {
  const { strokes: most, points: mostPoints } = store.limits;
  const points = [...strokes, stroke].reduce((sum, { columns }) => sum + columns[0].length, 0);
  const excess = strokes.length >= most ? "strokes" : points > mostPoints ? "points" : null;
  if (!excess) return true;
  const detail = `Those are too many ${excess} for one drawing.`;
  toast(messages.unreadable, { kind: "bad", detail });
  return false;
}
