// The sheet that is drawn on (F-001): mouse, finger or pen in, strokes out.
//
// While a pen is down only the new piece of its line is drawn, once a frame, on a canvas of its own that lies over
// everything; what the system thinks comes next stands on a second one and is wiped with the next frame. Nothing reads the layout
// between the pen's going down and coming up. When the pen is up the stroke becomes an SVG outline in the `world`, which
// scales, prints, takes the theme's colours, and can be animated.

import { animate, make, setStyle } from "./dom.js";
import { InkTrace, nodesOfColumns, outline } from "./ink-trace.js";

/** A hand that rests beside a pen comes within this time of the pen, in milliseconds. */
const palmMilliseconds = 8000;
/** A contact wider than this is a hand, not a finger, in CSS pixels. */
const palmWidth = 70;

export class InkSurface {
  /**
   * @param {object} options
   * @param {string} options.label What screen readers call it.
   * @param {() => number} options.penSize The pen's width in CSS pixels.
   * @param {() => number} options.mostPoints How many points a stroke may have.
   * @param {(begun: object) => void} [options.onbegin] A pen went down.
   * @param {(stroke: object) => void} options.onstroke A pen came up: `columns` [[x], [y], [t]] in canvas units and page
   *   milliseconds, `path` (its outline), `pen`, `milliseconds`.
   * @param {() => void} [options.onfit] The sheet follows another size of its element or canvas.
   * @param {() => void} [options.onmargin] Somebody would draw beside the sheet, where it has another shape than its element.
   * @param {(reason: string, stroke: object) => void} options.oncancel A stroke was taken away by the system ("lost") or was
   *   a palm's ("palm").
   */
  constructor(options) {
    this.options = options;
    this.size = { width: 300, height: 300 };
    this.view = { scale: 1, x: 0, y: 0, width: 300, height: 300 };
    this.isEmpty = () => true;
    this.active = null;
    this.penSeen = -Infinity;
    this.isStale = false;
    this.frame = 0;
    this.dirty = null;

    this.world = make("div", { class: "world" });
    this.wet = make("canvas", { class: "wet", "aria-hidden": "true" });
    this.tail = make("canvas", { class: "wet", "aria-hidden": "true" });
    this.element = make("div", { class: "sheet", role: options.role ?? "img", "aria-label": options.label }, this.world, this.wet, this.tail);
    for (const [name, listener] of Object.entries({
      pointerdown: this.down, pointermove: this.move, pointerup: this.up, pointercancel: this.cancel,
      lostpointercapture: this.cancel, pointerenter: this.notice, contextmenu: this.quiet, touchstart: this.quiet,
    })) {
      this.element.addEventListener(name, listener.bind(this), { passive: false });
    }
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.element);
  }

  /** Ends it: nothing observes the page any more. A line that is being drawn ends here, and stays. */
  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    if (this.active) this.finish();
  }

  /** Whether a pen is down. */
  get isDrawing() {
    return this.active !== null;
  }

  /** When the pen went down that is down, in page milliseconds. */
  get drawingSince() {
    return this.active?.ts[0] ?? performance.now();
  }

  /** Gives the sheet a canvas of the given size; ink is drawn in its units. */
  setCanvas({ width, height }) {
    this.size = { width, height };
    this.fit({ isKept: true });
  }

  /**
   * Follows the element's size: an empty sheet takes it over, one with ink is shown as large as fits. Nothing of the line
   * that is being drawn changes: it keeps the view in which it was begun.
   * @param {{isKept?: boolean}} [options] Whether the sheet's size stays though it is empty.
   */
  fit({ isKept = false } = {}) {
    const box = this.element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return;
    if (!isKept && this.isEmpty() && !this.active) this.size = { width: box.width, height: box.height };
    const scale = Math.min(box.width / this.size.width, box.height / this.size.height);
    this.view = {
      scale,
      x: (box.width - this.size.width * scale) / 2,
      y: (box.height - this.size.height * scale) / 2,
      width: box.width,
      height: box.height,
    };
    setStyle(this.world, {
      width: `${this.size.width}px`, height: `${this.size.height}px`,
      transform: `translate(${this.view.x}px, ${this.view.y}px) scale(${scale})`,
    });
    // A canvas that is resized is wiped.
    this.isStale = this.active !== null;
    if (!this.isStale) {
      const density = Math.min(3, devicePixelRatio || 1);
      for (const canvas of [this.wet, this.tail]) {
        canvas.width = Math.round(box.width * density);
        canvas.height = Math.round(box.height * density);
        const context = canvas.getContext("2d");
        context.setTransform(density, 0, 0, density, 0, 0);
        // A line that leaves the sheet is seen as far as there is sheet.
        const { x, y, width, height } = this.paper;
        context.beginPath();
        context.rect(x, y, width, height);
        context.clip();
      }
    }
    this.element.classList.toggle("is-letterboxed", this.view.x > 0.5 || this.view.y > 0.5);
    this.options.onfit?.();
  }

  /** Where the sheet lies in its element, in pixels. */
  get paper() {
    const { x, y, scale } = this.view;
    return { x, y, width: this.size.width * scale, height: this.size.height * scale };
  }

  /** Whether a place in the element, in pixels, is on the sheet. */
  isPaper(left, top) {
    const { x, y, width, height } = this.paper;
    return left >= x - 1 && left <= x + width + 1 && top >= y - 1 && top <= y + height + 1;
  }

  /** The outline of a stroke that is kept as columns, in canvas units. */
  pathOf(columns) {
    return outline(nodesOfColumns(columns, this.options.penSize() / this.view.scale));
  }

  /** The columns of a stroke that was drawn in another view of the sheet: it stays where it was seen. */
  carry([xs, ys, ts], from) {
    const to = this.view;
    return [
      xs.map((x) => round((x * from.scale + from.x - to.x) / to.scale)),
      ys.map((y) => round((y * from.scale + from.y - to.y) / to.scale)), ts,
    ];
  }

  // MARK: The pen

  /** A pen that hovers keeps the hand away before it touches. */
  notice(event) {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
  }

  quiet(event) {
    if (event.cancelable) event.preventDefault();
  }

  down(event) {
    if (event.pointerType === "pen") {
      this.penSeen = event.timeStamp;
      if (this.active?.type === "touch") this.drop("palm");
    }
    // The same pointer cannot go down twice: its "up" was missed.
    if (this.active?.pointer === event.pointerId) this.finish();
    if (this.active || event.button !== 0) return;
    if (event.pointerType === "touch") {
      const isPalm = event.timeStamp - this.penSeen < palmMilliseconds || Math.max(event.width, event.height) > palmWidth;
      if (isPalm) return;
    }
    event.preventDefault();
    const box = this.element.getBoundingClientRect();
    if (!this.isPaper(event.clientX - box.left, event.clientY - box.top)) {
      animate(this.world, [{ outlineColor: "var(--accent-deep)", outlineWidth: "4px" }, {}], { duration: 700, easing: "ease-out" }, [{ outlineColor: "var(--accent-deep)" }, {}]);
      this.options.onmargin?.();
      return;
    }
    try {
      this.element.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone, and its "up" will not come.
      return;
    }
    this.element.classList.add("is-drawing");
    this.active = {
      pointer: event.pointerId, type: event.pointerType, left: box.left, top: box.top,
      colour: getComputedStyle(this.element).getPropertyValue("--ink").trim() || "#000",
      trace: new InkTrace(this.options.penSize()), xs: [], ys: [], ts: [], drawn: 0, guesses: [], size: this.size, view: this.view,
    };
    this.take(event);
    this.options.onbegin?.({ milliseconds: event.timeStamp, pen: 0 });
    this.ask();
  }

  move(event) {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
    const active = this.active;
    if (!active || event.pointerId !== active.pointer) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length > 0 ? all : [event]) this.take(each);
    active.guesses = event.getPredictedEvents?.() ?? [];
    this.ask();
  }

  up(event) {
    const active = this.active;
    if (!active || event.pointerId !== active.pointer) return;
    this.take(event);
    this.finish(event.timeStamp);
  }

  cancel(event) {
    if (this.active && event.pointerId === this.active.pointer) this.drop("lost");
  }

  /** One point of the pen, in the units of the canvas for the model, in pixels for the eye. */
  take(event) {
    const active = this.active;
    if (active.xs.length >= this.options.mostPoints()) return;
    const x = event.clientX - active.left;
    const y = event.clientY - active.top;
    const t = Math.max(event.timeStamp, active.ts[active.ts.length - 1] ?? 0);
    // A mouse always says 0.5, a finger often 0 or 1: only a pen's pressure means something.
    const pressure = active.type === "pen" && event.pressure > 0 ? event.pressure : null;
    const last = active.xs.length - 1;
    const [cx, cy] = [round((x - active.view.x) / active.view.scale), round((y - active.view.y) / active.view.scale)];
    if (!Number.isFinite(cx) || !Number.isFinite(cy)) return;
    if (last >= 0 && active.xs[last] === cx && active.ys[last] === cy) return;
    active.xs.push(cx);
    active.ys.push(cy);
    active.ts.push(Math.round(t * 10) / 10);
    active.trace.add(x, y, t, pressure);
  }

  finish(milliseconds = performance.now()) {
    const active = this.active;
    this.active = null;
    active.trace.end();
    this.release(active);
    // The element may have another size by now: the canvas's units are the same. Another canvas has other units.
    const isOther = active.size.width !== this.size.width || active.size.height !== this.size.height;
    const { scale, x, y } = isOther ? this.view : active.view;
    const nodes = active.trace.nodes.map((node) => ({ x: (node.x - x) / scale, y: (node.y - y) / scale, r: node.r / scale }));
    const columns = [active.xs, active.ys, active.ts];
    // The outline stands before the wet ink goes, in one frame: nothing flickers.
    this.options.onstroke({ columns: isOther ? this.carry(columns, active.view) : columns, path: outline(nodes), pen: 0, milliseconds });
    this.wipe();
  }

  drop(reason) {
    const active = this.active;
    this.active = null;
    this.release(active);
    this.wipe();
    const milliseconds = active.ts[active.ts.length - 1] ?? performance.now();
    this.options.oncancel(reason, { columns: [active.xs, active.ys, active.ts], pen: 0, milliseconds });
  }

  release(active) {
    this.element.classList.remove("is-drawing");
    if (this.element.hasPointerCapture?.(active.pointer)) this.element.releasePointerCapture(active.pointer);
  }

  // MARK: The wet line

  ask() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.active) this.draw();
    });
  }

  draw() {
    const active = this.active;
    const nodes = active.trace.nodes;
    const context = this.wet.getContext("2d");
    paint(context, nodes, active.drawn, active.colour);
    active.drawn = nodes.length;

    const over = this.tail.getContext("2d");
    if (this.dirty) over.clearRect(...this.dirty);
    const guesses = active.guesses.map((event) => ({
      x: event.clientX - active.left, y: event.clientY - active.top, t: event.timeStamp,
      pressure: active.type === "pen" && event.pressure > 0 ? event.pressure : null,
    }));
    const tail = active.trace.tail(guesses);
    paint(over, tail, 0, active.colour);
    this.dirty = around(tail);
  }

  wipe() {
    this.dirty = null;
    if (this.isStale) {
      this.fit();
      return;
    }
    for (const canvas of [this.wet, this.tail]) {
      canvas.getContext("2d").clearRect(0, 0, this.view.width, this.view.height);
    }
  }
}

function round(value) {
  return Math.round(value * 100) / 100;
}

/** Draws the nodes from the given one on, and the piece that joins them to what is there. */
function paint(context, nodes, from, colour) {
  if (nodes.length === 0) return;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineCap = "round";
  if (nodes.length === 1) {
    context.beginPath();
    context.arc(nodes[0].x, nodes[0].y, nodes[0].r, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  for (let index = Math.max(1, from); index < nodes.length; index += 1) {
    const [a, b] = [nodes[index - 1], nodes[index]];
    context.lineWidth = a.r + b.r;
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.stroke();
  }
}

function around(nodes) {
  if (nodes.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, r } of nodes) {
    left = Math.min(left, x - r);
    right = Math.max(right, x + r);
    top = Math.min(top, y - r);
    bottom = Math.max(bottom, y + r);
  }
  return [left - 3, top - 3, right - left + 6, bottom - top + 6];
}
