// A sketch in color (TF-001): strokes, each with the color, width and tool that drew it.

import { later, make, timed } from "./dom.js";
import { keep, keptValue } from "./kept.js";

/** The twelve bold colors, black and white, as `SketchColor.bar` has them. */
export const colors = [
  ["Red", "#e53935"], ["Orange", "#fb8c00"], ["Amber", "#ffb300"], ["Yellow", "#fdd835"],
  ["Lime", "#8bc34a"], ["Green", "#2e9e4f"], ["Teal", "#00a99d"], ["Sky", "#29b6f6"],
  ["Blue", "#1e62d0"], ["Purple", "#8e44ad"], ["Pink", "#ec4899"], ["Brown", "#8d5a2b"],
  ["Black", "#000000"], ["White", "#ffffff"],
];

/** The widths, in five hundredths of the canvas's longer side. */
export const widths = [["Thin", 2.5], ["Medium", 5], ["Thick", 12]];

export const tools = [["pen", "Pen"], ["marker", "Marker"], ["eraser", "Eraser"]];

/** Markers let half of what is below through. */
const markerOpacity = 0.5;

const key = "drawml.sketch";

/** A sketch with its past and future; every change is kept for the next load of the page. */
export class Sketch {
  /** The drawing as it is: `canvas`, and `lines` of `{columns, color, width, tool}`. */
  now = { canvas: null, lines: [] };
  past = [];
  future = [];
  /** Whether the browser could keep it for the next load. */
  isKept = true;

  /** The sketch that this browser kept, or an empty one. */
  static kept() {
    const sketch = new Sketch();
    const kept = keptValue(key);
    try {
      // What is damaged throws.
      if (kept) sketch.now = { canvas: { ...kept.canvas }, lines: upToNow(kept.lines) };
      sketch.now.lines.forEach(linePath);
    } catch {
      sketch.now = { canvas: null, lines: [] };
    }
    return sketch;
  }

  /** A sketch as the server has it. */
  static of({ canvas, strokes, pens }) {
    const sketch = new Sketch();
    const lines = strokes.map(([xs, ys, ts], index) =>
      ({ columns: [xs, ys, ts ?? xs.map(() => 0)], ...pens[index] }));
    sketch.now = { canvas, lines: upToNow(lines) };
    return sketch;
  }

  get isEmpty() {
    return this.now.lines.length === 0;
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** Replaces the drawing; undo brings the one before back. */
  change(next) {
    this.past.push(this.now);
    this.future = [];
    this.now = next;
    this.keep();
  }

  add(line, canvas) {
    this.change({
      canvas: this.isEmpty ? canvas : this.now.canvas, lines: [...this.now.lines, line],
    });
  }

  clear() {
    this.change({ canvas: null, lines: [] });
  }

  undo() {
    if (!this.canUndo) return;
    this.future.push(this.now);
    this.now = this.past.pop();
    this.keep();
  }

  redo() {
    if (!this.canRedo) return;
    this.past.push(this.now);
    this.now = this.future.pop();
    this.keep();
  }

  keep() {
    this.isKept = keep(key, this.isEmpty ? null : JSON.stringify(this.now));
  }

  /** The sketch as requests send it: the text of a drawing with a pen for each stroke. */
  get content() {
    const { canvas, lines } = this.now;
    const pens = lines.map(({ color, width, tool }) => ({ color, width, tool }));
    return JSON.stringify({ canvas, strokes: timed(lines), pens });
  }
}

/**
 * The lines with their times in this load of the page, the last of them now: their order and their
 * pauses tell shapes apart.
 */
function upToNow(lines) {
  const last = Math.max(0, ...lines.map(({ columns: [, , ts] }) => ts.at(-1)));
  return lines.map((line) => later(line, performance.now() - last));
}

/** A line as the server paints it: of one width, with round ends. */
export function linePath({ columns: [xs, ys], color, width, tool }) {
  const points = xs.map((x, index) => `${x} ${ys[index]}`);
  // A line to the same place is a dot.
  if (points.length === 1) points.push(points[0]);
  return make("svg:path", {
    class: "art-line", d: `M${points.join("L")}`, "stroke-width": width,
    stroke: tool === "eraser" ? "#ffffff" : color,
    "stroke-opacity": tool === "marker" ? markerOpacity : null,
  });
}

/** The color of a tool's line on white paper. */
export function colorOnPaper({ color, tool }) {
  if (tool === "eraser") return "#ffffff";
  if (tool !== "marker") return color;
  const channels = [1, 3, 5].map((from) => parseInt(color.slice(from, from + 2), 16));
  const mixed = channels.map((value) => Math.round(255 + (value - 255) * markerOpacity));
  return `rgb(${mixed.join(" ")})`;
}

/** A small picture of a sketch. */
export function sketchPicture({ now: { canvas, lines } }) {
  return make("svg:svg", {
    class: "art-preview", viewBox: `0 0 ${canvas.width} ${canvas.height}`, role: "img",
    "aria-label": "Your sketch",
  }, lines.map(linePath));
}
