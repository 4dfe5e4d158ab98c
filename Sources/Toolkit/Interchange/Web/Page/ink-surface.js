// The sheet that is drawn on (F-001): mouse, finger or pen in, strokes out.
//
// While a pen is down, only the new piece of its line is drawn, once a frame, on a canvas above
// everything; the points that the browser predicts are drawn on a second one, which is cleared with
// the next frame. The layout is not read while the pen is down. When the pen is up, the stroke
// becomes an SVG outline in `world`, which scales, prints, follows the theme, and can be animated.

import { animate, make, setStyle } from "./dom.js";
import { InkTrace, nodesOfColumns, outline } from "./ink-trace.js";
import { carried, rounded, viewOf } from "./sheet-view.js";
import { StrayPresses, controls, slackOf } from "./stray-presses.js";

/** How long after a pen's event a touch counts as a palm, in milliseconds. */
const palmMilliseconds = 8000;
/**
 * A pen that rests for so long holds what is under it, in milliseconds; one that comes up before
 * taps. Of 603 dot-like late strokes of Quick, Draw!, one rests for longer within `holdSlack`.
 */
const holdMilliseconds = 800;
/** How far a pen that holds may move, in CSS pixels. */
const holdSlack = 3;
/** A touch wider than this is a palm, in CSS pixels. */
const palmWidth = 70;

export class InkSurface {
  /**
   * @param {object} options
   * @param {string} options.label Its name for screen readers.
   * @param {() => number} options.penSize The pen's width in CSS pixels.
   * @param {() => number} options.mostPoints How many points a stroke may have.
   * @param {(begun: object) => void} [options.onbegin] A pen went down.
   * @param {(stroke: object) => void} options.onstroke A pen came up: `columns` [[x], [y], [t]] in
   *   canvas units and page milliseconds, `path` (its outline), `pen`, `milliseconds`.
   * @param {(tap: object) => boolean} [options.ontap] A pen tapped without drawing, at `left`,
   *   `top` of the element, in pixels. True if it was no dot: the stroke is canceled ("tap").
   * @param {(place: object) => boolean} [options.onrest] A pen rests at `left`, `top`; returns
   *   whether it holds something.
   * @param {(place: object) => void} [options.onhold] A pen that held something comes up there, and
   *   has not moved on: the stroke is canceled ("tap").
   * @param {() => void} [options.ondraw] A pen moves on: what it draws is a line.
   * @param {() => void} [options.onfit] The size of the element or the canvas has changed.
   * @param {() => boolean} [options.onmargin] A pen went down beside the sheet, in its element.
   *   True if the sheet has another size now.
   * @param {() => void} [options.onmiss] It came up there, too.
   * @param {() => boolean} [options.isForPens] Whether fingers do not draw, but scroll.
   * @param {(reason: string, stroke: object) => void} options.oncancel A stroke was canceled: by
   *   the system ("lost"), as a palm's ("palm"), or as no stroke ("tap").
   */
  constructor(options) {
    this.options = options;
    this.size = { width: 300, height: 300 };
    this.view = { scale: 1, x: 0, y: 0, width: 300, height: 300 };
    this.isEmpty = () => true;
    this.active = null;
    this.penSeen = -Infinity;
    this.missing = null;
    this.isStale = false;
    this.frame = 0;
    this.dirty = null;

    this.world = make("div", { class: "world" });
    this.wet = make("canvas", { class: "wet", "aria-hidden": "true" });
    this.tail = make("canvas", { class: "wet", "aria-hidden": "true" });
    const { label, role = "img" } = options;
    this.element = make("div", { class: "sheet", role, "aria-label": label },
      this.world, this.wet, this.tail);
    for (const [name, listener] of Object.entries({
      pointerdown: this.down,
      pointermove: this.move,
      pointerup: this.up,
      pointercancel: this.cancel,
      lostpointercapture: this.cancel,
      pointerenter: this.notice,
      contextmenu: this.quiet,
      touchstart: this.quiet,
    })) {
      this.element.addEventListener(name, listener.bind(this), { passive: false });
    }
    this.strays = new StrayPresses(this);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.element);
  }

  /** Stops observing the page. A stroke that is being drawn is finished. */
  close() {
    this.observer.disconnect();
    this.strays.close();
    cancelAnimationFrame(this.frame);
    if (this.active) this.finish();
  }

  /** Whether a pen is down. */
  get isDrawing() {
    return this.active !== null;
  }

  /** When the current pen went down, in page milliseconds. */
  get drawingSince() {
    return this.active?.ts[0] ?? performance.now();
  }

  /** Gives the sheet a canvas of the given size; ink is drawn in its units. */
  setCanvas({ width, height }) {
    this.size = { width, height };
    this.fit({ isKept: true });
  }

  /**
   * Follows the element's size: an empty sheet takes it over; one with ink is scaled to fit. The
   * stroke that is being drawn keeps the view in which it began.
   * @param {{isKept?: boolean}} [options] Whether an empty sheet keeps its size, too.
   */
  fit({ isKept = false } = {}) {
    const box = this.element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return;
    const isOwn = !isKept && this.isEmpty() && !this.active;
    if (isOwn) this.size = { width: box.width, height: box.height };
    this.view = viewOf(this.size, box);
    setStyle(this.world, {
      width: `${this.size.width}px`, height: `${this.size.height}px`,
      transform: `translate(${this.view.x}px, ${this.view.y}px) scale(${this.view.scale})`,
    });
    // Resizing a canvas clears it.
    this.isStale = this.active !== null;
    if (!this.isStale) {
      const density = Math.min(3, devicePixelRatio || 1);
      for (const canvas of [this.wet, this.tail]) {
        canvas.width = Math.round(box.width * density);
        canvas.height = Math.round(box.height * density);
        const context = canvas.getContext("2d");
        context.setTransform(density, 0, 0, density, 0, 0);
        // A line that leaves the sheet is clipped.
        const { x, y, width, height } = this.paper;
        context.beginPath();
        context.rect(x, y, width, height);
        context.clip();
      }
    }
    this.element.classList.toggle("is-letterboxed", this.view.x > 0.5 || this.view.y > 0.5);
    this.options.onfit?.();
  }

  /** The sheet's box in its element, in pixels. */
  get paper() {
    const { x, y, scale } = this.view;
    return { x, y, width: this.size.width * scale, height: this.size.height * scale };
  }

  /** Whether a point of the element, in pixels, is on the sheet. */
  isPaper(left, top) {
    const { x, y, width, height } = this.paper;
    return left >= x - 1 && left <= x + width + 1 && top >= y - 1 && top <= y + height + 1;
  }

  /** The outline of a stroke given as columns, in canvas units. */
  pathOf(columns) {
    return outline(nodesOfColumns(columns, this.options.penSize() / this.view.scale));
  }

  /** Converts columns from another view of the sheet; they keep their place on the screen. */
  carry(columns, from) {
    return carried(columns, from, this.view);
  }

  // MARK: The pen

  /** A hovering pen already excludes touches as a palm's. */
  notice(event) {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
  }

  /** Keeps the browser's own menus and gestures from ink; controls on the sheet keep theirs. */
  quiet(event) {
    if (event.type === "touchstart" && this.options.isForPens?.()) return;
    if (event.cancelable && !event.target.closest(controls)) event.preventDefault();
  }

  /** Whether a touch is a palm's. */
  isPalm({ pointerType, timeStamp, width, height }) {
    if (pointerType !== "touch") return false;
    return timeStamp - this.penSeen < palmMilliseconds || Math.max(width, height) > palmWidth;
  }

  down(event) {
    if (event.pointerType === "pen") {
      this.penSeen = event.timeStamp;
      if (this.active?.type === "touch") this.drop("palm");
    }
    // A pointer cannot go down twice: its "up" was missed.
    if (this.active?.pointer === event.pointerId) this.finish();
    if (this.active || event.button !== 0 || this.isPalm(event)) return;
    if (event.pointerType === "touch" && this.options.isForPens?.()) return;
    // A press on something over the sheet; if the pen moves on, it draws (`StrayPresses`).
    if (event.target.closest(controls)) return;
    event.preventDefault();
    if (this.isBeside(event) && !(this.options.onmargin?.() && !this.isBeside(event))) {
      // It may still enter (`StrayPresses`).
      this.missing = event.pointerId;
      return;
    }
    this.begin([event]);
  }

  /** Shows that ink beside the paper is not a stroke. */
  miss() {
    const edge = { outlineColor: "var(--accent-deep)" };
    const options = { duration: 700, easing: "ease-out" };
    animate(this.world, [{ ...edge, outlineWidth: "4px" }, {}], options, [edge, {}]);
    this.options.onmiss?.();
  }

  /** Whether an event is beside the paper. */
  isBeside({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return !this.isPaper(clientX - left, clientY - top);
  }

  /** Begins a stroke with the pen's points so far; returns whether the pen is still down. */
  begin(events) {
    const event = events.at(-1);
    try {
      this.element.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone, and there will be no "up".
      return false;
    }
    // What is selected would be dragged.
    getSelection()?.removeAllRanges();
    const box = this.element.getBoundingClientRect();
    this.element.classList.add("is-drawing");
    this.active = {
      pointer: event.pointerId, type: event.pointerType, left: box.left, top: box.top,
      color: getComputedStyle(this.element).getPropertyValue("--ink").trim() || "#000",
      trace: new InkTrace(this.options.penSize()), xs: [], ys: [], ts: [],
      drawn: 0, predicted: [], size: this.size, view: this.view, isLine: false, isHeld: false,
    };
    for (const each of events) this.take(each);
    const { xs: [x], ys: [y] } = this.active;
    this.options.onbegin?.({ milliseconds: events[0].timeStamp, pen: 0, x, y });
    this.follow();
    if (this.options.onrest) this.holding = setTimeout(() => this.rest(), holdMilliseconds);
    this.ask();
    return true;
  }

  move(event) {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
    const active = this.active;
    if (!active || event.pointerId !== active.pointer) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length > 0 ? all : [event]) this.take(each);
    active.predicted = event.getPredictedEvents?.() ?? [];
    this.follow();
    this.ask();
  }

  /** The pen moves on: it draws a line. */
  follow() {
    const { active } = this;
    if (active.isLine || this.isWithin(slackOf({ pointerType: active.type }))) return;
    Object.assign(active, { isLine: true, isHeld: false });
    this.options.ondraw?.();
  }

  /** A pen that is down has rested. */
  rest() {
    const { active } = this;
    if (!active || !this.isWithin(holdSlack)) return;
    active.isHeld = this.options.onrest(this.start);
  }

  up(event) {
    const active = this.active;
    if (!active && event.pointerId === this.missing) this.miss();
    this.missing = null;
    if (!active || event.pointerId !== active.pointer) return;
    this.take(event);
    // Some dots begin with a rest.
    const isHold = active.isHeld && this.isWithin(holdSlack);
    if (isHold) this.options.onhold(this.start);
    if (isHold || (this.isTap(event) && this.options.ontap?.(this.start))) this.drop("tap");
    else this.finish(event.timeStamp);
  }

  /** Whether a pen that comes up has hardly moved, and not for long. */
  isTap({ timeStamp }) {
    const { ts, isLine } = this.active;
    return !isLine && timeStamp - ts[0] <= holdMilliseconds;
  }

  /** Whether the pen is still close to where it went down. */
  isWithin(slack) {
    const { points } = this.active.trace;
    const [first] = points;
    return points.every(({ x, y }) => Math.hypot(x - first.x, y - first.y) <= slack);
  }

  /** Where the pen went down, in the element. */
  get start() {
    const [{ x, y }] = this.active.trace.points;
    return { left: x, top: y };
  }

  cancel(event) {
    if (this.active && event.pointerId === this.active.pointer) this.drop("lost");
  }

  /** Adds a point of the pen: in canvas units for the model, in pixels for the display. */
  take(event) {
    const active = this.active;
    if (active.xs.length >= this.options.mostPoints()) return;
    const x = event.clientX - active.left;
    const y = event.clientY - active.top;
    const t = Math.max(event.timeStamp, active.ts[active.ts.length - 1] ?? 0);
    const last = active.xs.length - 1;
    const cx = rounded((x - active.view.x) / active.view.scale);
    const cy = rounded((y - active.view.y) / active.view.scale);
    if (!Number.isFinite(cx) || !Number.isFinite(cy)) return;
    if (last >= 0 && active.xs[last] === cx && active.ys[last] === cy) return;
    active.xs.push(cx);
    active.ys.push(cy);
    active.ts.push(Math.round(t * 10) / 10);
    active.trace.add(x, y, t, pressureOf(event, active));
  }

  finish(milliseconds = performance.now()) {
    const active = this.active;
    this.active = null;
    active.trace.end();
    this.release(active);
    // A new size of the element does not change the canvas's units; a new canvas does.
    const { width, height } = active.size;
    const isOther = width !== this.size.width || height !== this.size.height;
    const view = isOther ? this.view : active.view;
    const nodes = active.trace.nodes.map(({ x, y, r }) => ({
      x: (x - view.x) / view.scale, y: (y - view.y) / view.scale, r: r / view.scale,
    }));
    const drawn = [active.xs, active.ys, active.ts];
    const columns = isOther ? this.carry(drawn, active.view) : drawn;
    // The outline appears in the frame in which the wet ink disappears: nothing flickers.
    this.options.onstroke({ columns, path: outline(nodes), pen: 0, milliseconds });
    this.wipe();
  }

  drop(reason) {
    const active = this.active;
    this.active = null;
    this.release(active);
    this.wipe();
    const milliseconds = active.ts[active.ts.length - 1] ?? performance.now();
    const columns = [active.xs, active.ys, active.ts];
    this.options.oncancel(reason, { columns, pen: 0, milliseconds });
  }

  release(active) {
    clearTimeout(this.holding);
    this.element.classList.remove("is-drawing");
    const { element } = this;
    if (element.hasPointerCapture?.(active.pointer)) element.releasePointerCapture(active.pointer);
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
    paint(context, nodes, active.drawn, active.color);
    active.drawn = nodes.length;

    const over = this.tail.getContext("2d");
    if (this.dirty) over.clearRect(...this.dirty);
    const tail = active.trace.tail(active.predicted.map((event) => ({
      x: event.clientX - active.left, y: event.clientY - active.top, t: event.timeStamp,
      pressure: pressureOf(event, active),
    })));
    paint(over, tail, 0, active.color);
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

/** A pen's pressure; null for others, as a mouse always has 0.5 and a finger often 0 or 1. */
function pressureOf({ pressure }, { type }) {
  return type === "pen" && pressure > 0 ? pressure : null;
}

/** Draws the nodes from an index on, joined to those before. */
function paint(context, nodes, from, color) {
  if (nodes.length === 0) return;
  context.strokeStyle = color;
  context.fillStyle = color;
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
