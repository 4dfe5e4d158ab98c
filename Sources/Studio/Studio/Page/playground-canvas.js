// The shapes on the playground's sheet: pending ink, rejected ink, and the emojis that replaced
// ink.

import {
  animate, emoji, fill, focusHeading, graphemes, isWord, make, nextByKey, rove, setStyle, shake,
  vanish,
} from "./dom.js";
import { nameOf } from "./emojis.js";
import { strokePath } from "./ink-picture.js";
import { handlePlace, squareOf, wordsPlace } from "./placement.js";

/** The width of an emoji in ems; measured once, as fonts differ. */
let emojiWidth = 0;

function widthOfEmoji() {
  if (emojiWidth > 0) return emojiWidth;
  const context = document.createElement("canvas").getContext("2d");
  context.font = '100px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif';
  emojiWidth = Math.max(0.8, context.measureText("😀").width / 100);
  return emojiWidth;
}

let wordMeasure = null;

/** The width of words in the page's font, in ems. */
function widthOfWords(words) {
  if (!wordMeasure) {
    wordMeasure = document.createElement("canvas").getContext("2d");
    wordMeasure.font = `600 1000px ${getComputedStyle(document.body).fontFamily}`;
  }
  return wordMeasure.measureText(words).width / 1000;
}

/** How far from the ink of a refused shape a tap means that shape, in pixels. */
const nearInk = 10;
/** The smallest emoji for a finger, in pixels. */
const leastTarget = 44;

/** A shape's element can be focused, to open its menu. */
const asButton = { role: "button", tabindex: "-1", "aria-haspopup": "dialog" };

/** The element of a shape's emoji, or of its label of words. */
function faceOf({ label, shape }) {
  const settings = { ...asButton, "aria-label": label, data: { shape: String(shape) } };
  if (!isWord(label)) return emoji(label, { ...settings, class: "face" });
  return make("span", { ...settings, class: "face is-word", title: label },
    make("span", { class: "face-words", text: label }));
}

/** The radius of the "?" of a refused shape, in CSS pixels. */
const markRadius = 10;
/** How long a shape may continue after its decision: until then, a tap on it is a dot. */
const freshMilliseconds = 3000;

function isRefused({ state }) {
  return state === "unrecognized" || state === "confused";
}

export class PlaygroundCanvas {
  /**
   * @param {object} handlers `pathOf(columns)`, `onbubble(shape, guesses)`, `canJudge()`,
   *   `onuntaught()`, `onopen(shape, isByKey)` (by a key, or by the newest emoji's handle).
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.emojis = make("div", { class: "placed" });
    this.svg = make("svg:svg", { class: "ink" });
    this.loose = make("svg:g", { class: "shape is-pending" });
    this.svg.append(this.loose);
    for (const layer of [this.emojis, this.svg]) {
      layer.addEventListener("keydown", (event) => this.key(event));
    }
    // Keys open the emoji itself.
    this.handle = make("span", {
      class: "shape-handle", "aria-hidden": "true", text: "⋯", hidden: true,
      onclick: () => this.handlers.onopen(this.newest.shape, false),
    });
    this.shapes = new Map();
    /** The outlines of the shapes' strokes, by number. */
    this.paths = new Map();
    /** The strokes in `loose`, by id. */
    this.unconfirmed = new Map();
    [this.width, this.height] = [0, 0];
    this.scale = 1;
  }

  /** Sets the sheet's size, and the scale from its units to pixels. */
  setSize({ width, height }, scale) {
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const isOther = this.width !== width || this.height !== height || this.scale !== scale;
    Object.assign(this, { width, height, scale });
    if (!isOther) return;
    this.placeHandle();
    for (const record of this.shapes.values()) {
      this.fitWords(record);
      this.mark(record);
    }
  }

  /** Whether it has no ink and no emojis. */
  get isEmpty() {
    return this.shapes.size === 0 && this.loose.childElementCount === 0;
  }

  // MARK: Shapes as buttons

  /** The elements of decided shapes, in the order in which they were begun. */
  get targets() {
    const records = [...this.shapes.entries()].sort(([a], [b]) => a - b).map(([, each]) => each);
    return records.map((record) => this.targetOf(record)).filter(Boolean);
  }

  targetOf({ face, group, state }) {
    if (state === "recognized") return face;
    return state === "pending" ? null : group;
  }

  /** The decided shapes are one tab stop: the newest, unless another had the focus. */
  keepTabStop() {
    const { targets } = this;
    if (!targets.some((each) => each.getAttribute("tabindex") === "0")) {
      targets.at(-1)?.setAttribute("tabindex", "0");
    }
  }

  key(event) {
    const { targets } = this;
    const target = targets.find((each) => each === event.target);
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      this.handlers.onopen(this.shapes.get(Number(target.dataset.shape)).shape, true);
    } else {
      // One after the other, however they lie on the sheet.
      const key = { ArrowDown: "ArrowRight", ArrowUp: "ArrowLeft" }[event.key] ?? event.key;
      const next = nextByKey(targets, targets.indexOf(target), key);
      if (!next) return;
      for (const each of targets) each.setAttribute("tabindex", "-1");
      rove(this.emojis, next, { focus: true });
    }
    event.preventDefault();
  }

  /** Focuses a shape; returns whether it is there. */
  focus(number) {
    const record = this.shapes.get(number);
    const target = record && this.targetOf(record);
    target?.focus({ preventScroll: true });
    return Boolean(target);
  }

  /** Whether some shape may still continue: a tap is then a dot. */
  get isOpen() {
    return this.loose.childElementCount > 0
      || [...this.shapes.values()].some(({ state }) => state === "pending");
  }

  /** The decided shape at a point in the sheet's units; null for none. The newest is on top. */
  shapeAt(x, y) {
    const records = [...this.shapes.entries()].sort(([a], [b]) => b - a).map(([, each]) => each);
    const isOn = ({ state, shape, group }) => {
      if (state === "recognized") {
        const { x: left, y: top, side } = squareOf(shape);
        const slack = Math.max(0, leastTarget / this.scale - side) / 2;
        return x >= left - slack && x <= left + side + slack
          && y >= top - slack && y <= top + side + slack;
      }
      return state !== "pending" && this.isNearInk(group, x, y);
    };
    return records.find(isOn)?.shape ?? null;
  }

  /** Whether a decided shape may still continue: a tap on it is ink. */
  isFresh(number) {
    return performance.now() - (this.shapes.get(number)?.since ?? -Infinity) < freshMilliseconds;
  }

  /** A shape may continue from now on, or no longer. */
  setFresh(number, isFresh) {
    const record = this.shapes.get(number);
    if (record) record.since = isFresh ? performance.now() : -Infinity;
  }

  isNearInk(group, x, y) {
    const far = nearInk / this.scale;
    const around = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => index * (Math.PI / 4));
    const places = [[x, y], ...[far / 2, far].flatMap((radius) =>
      around.map((angle) => [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius]))];
    return [...group.children].some((path) =>
      places.some(([left, top]) => path.isPointInFill(new DOMPoint(left, top))));
  }

  /** Whether there is a decided shape other than the given one. */
  hasOther(number) {
    return [...this.shapes].some(([each, { state }]) => each !== number && state !== "pending");
  }

  /** Shows that another shape is to join this one; null: none. */
  choose(number) {
    for (const [each, { face, group }] of this.shapes) {
      face?.classList.toggle("is-chosen", each === number);
      group.classList.toggle("is-chosen", each === number);
    }
  }

  /** Shows that a shape is held. */
  nudge(number) {
    const { face, group } = this.shapes.get(number);
    const options = { duration: 240, easing: "ease-out" };
    animate(face ?? group, [{ opacity: 1 }, { opacity: 0.55 }, { opacity: 1 }], options,
      [{ opacity: 0.55 }, { opacity: 1 }]);
  }

  /** Shows an emoji elsewhere or larger, before the server knows. */
  preview(number, placement) {
    const record = this.shapes.get(number);
    if (!record?.face) return;
    this.placeFace(record, placement);
    this.placeHandle(placement);
  }

  /** A quiet sign beside an emoji that its correction was learned. */
  async showLearned(number) {
    const record = this.shapes.get(number);
    if (!record?.face) return;
    const { x, y, side } = squareOf(record.shape);
    const sign = make("span", {
      class: "learned", "aria-hidden": "true", text: "✓ learned",
      style: { left: `${x + side / 2}px`, top: `${y + side}px`, scale: String(1 / this.scale) },
    });
    this.emojis.append(sign);
    record.learned?.remove();
    record.learned = sign;
    const frames = [
      { opacity: 0, offset: 0 }, { opacity: 1, offset: 0.12 }, { opacity: 1, offset: 0.8 },
      { opacity: 0, offset: 1 },
    ];
    await animate(sign, frames, { duration: 2600 }, frames);
    sign.remove();
  }

  /** The sign goes with the correction. */
  unlearned({ shape: { state, confidence }, learned }) {
    if (state !== "recognized" || confidence !== 1) learned?.remove();
  }

  // MARK: Ink that the server has not confirmed

  /** A stroke that was just drawn. */
  addLoose(stroke) {
    stroke.element = strokePath(stroke.path);
    this.loose.append(stroke.element);
    this.unconfirmed.set(stroke.id, stroke);
  }

  dropLoose(stroke) {
    stroke.element.remove();
    this.unconfirmed.delete(stroke.id);
  }

  // MARK: Shapes

  /**
   * Replaces everything by a snapshot of the server. `waiting` are strokes that the server does not
   * have yet.
   */
  show(snapshot, waiting) {
    const numbers = new Set(snapshot.shapes.map(({ shape }) => shape));
    for (const [number, record] of this.shapes) {
      if (numbers.has(number)) fill(record.group);
      else this.remove(number);
    }
    // The shapes come with their ink.
    this.paths.clear();
    this.unconfirmed.clear();
    fill(this.loose);
    for (const stroke of waiting) this.addLoose(stroke);
    for (const shape of snapshot.shapes) this.put(shape, { isQuiet: true });
  }

  /** Takes the ink of a shape: strokes of this page keep their elements, others get outlines. */
  learn({ strokes, ids, ink }) {
    strokes.forEach((number, index) => {
      const own = this.unconfirmed.get(ids?.[index]);
      if (own) {
        this.unconfirmed.delete(own.id);
        this.paths.get(number)?.remove();
        this.paths.set(number, own.element);
      } else if (ink?.[index] && !this.paths.has(number)) {
        this.paths.set(number, strokePath(this.handlers.pathOf(ink[index])));
      }
    });
  }

  /** Shows a new or changed shape. */
  put(shape, { isQuiet = false } = {}) {
    this.learn(shape);
    let record = this.shapes.get(shape.shape);
    if (!record) {
      const group = make("svg:g", { class: "shape", data: { shape: String(shape.shape) } });
      record = { group, face: null, state: null, since: -Infinity, guesses: [] };
      this.shapes.set(shape.shape, record);
      this.svg.insertBefore(record.group, this.loose);
    }
    const before = record.state;
    const had = record.shape?.strokes.length;
    Object.assign(record, { shape, state: shape.state });
    if (shape.guesses?.length > 0) record.guesses = shape.guesses;
    this.unlearned(record);
    const isNews = before !== shape.state || had !== shape.strokes.length;
    if (isNews && !isQuiet && shape.state !== "pending") this.setFresh(shape.shape, true);
    for (const number of shape.strokes) this.gather(record, number);
    // A stroke that belongs to another shape now is drawn there.
    for (const path of [...record.group.children]) {
      if (!shape.strokes.includes(Number(path.dataset.stroke))) path.remove();
    }
    record.group.setAttribute("class", `shape is-${shape.state}`);
    this.makeTarget(record);
    if (shape.state === "recognized") this.become(record, isQuiet || before === "recognized");
    else this.unbecome(record, isQuiet);
    this.mark(record);
    if (isRefused(record) && !isQuiet && before !== shape.state) this.refuse(record);
    this.keepTabStop();
    this.placeHandle();
  }

  /** The newest emoji; undefined without any. */
  get newest() {
    const emojis = [...this.shapes.values()].filter(({ state }) => state === "recognized");
    return emojis.sort((one, other) => one.shape.shape - other.shape.shape).at(-1);
  }

  /** The newest emoji has a handle outside of its corner, where that is on the paper. */
  placeHandle(placement) {
    const { newest, handle } = this;
    handle.hidden = newest === undefined;
    if (!newest) return;
    const [cx, cy] = handlePlace(placement ?? squareOf(newest.shape), this);
    const place = `translate(${cx}px, ${cy}px) translate(-50%, -50%)`;
    setStyle(handle, { transform: `${place} scale(${1 / this.scale})` });
  }

  /** The ink of a refused shape is a button. */
  makeTarget({ group, state }) {
    const isTarget = isRefused({ state });
    if (isTarget === (group.getAttribute("role") === "button")) return;
    const settings = { ...asButton, "aria-label": "A drawing that was not recognized" };
    for (const [key, value] of Object.entries(settings)) {
      if (isTarget) group.setAttribute(key, value);
      else group.removeAttribute(key);
    }
  }

  gather(record, number) {
    const path = this.paths.get(number);
    if (!path) return;
    path.dataset.stroke = String(number);
    if (path.parentNode !== record.group) record.group.append(path);
  }

  remove(number) {
    const record = this.shapes.get(number);
    if (!record) return;
    const hadFocus = [record.group, record.face].includes(document.activeElement);
    record.group.remove();
    record.face?.remove();
    record.mark?.remove();
    record.learned?.remove();
    this.shapes.delete(number);
    this.placeHandle();
    this.keepTabStop();
    if (!hadFocus) return;
    const next = this.targets.at(-1);
    if (next) next.focus({ preventScroll: true });
    else focusHeading();
  }

  /** Removes a stroke. The next one may get its number. */
  removeStroke(number) {
    this.paths.get(number)?.remove();
    this.paths.delete(number);
  }

  /** Fades everything out. Resolves when it is gone. */
  async clear() {
    const going = [];
    for (const record of this.shapes.values()) {
      const { group, face, mark, learned } = record;
      mark?.remove();
      learned?.remove();
      going.push(vanish(group, "translateY(14px)", 220));
      if (face) going.push(vanish(face, `${face.dataset.place} translateY(14px)`, 220));
    }
    this.shapes.clear();
    this.placeHandle();
    this.paths.clear();
    await Promise.all(going);
  }

  // MARK: Changes of a shape

  /** Replaces ink by its emoji, of the same place and size (F-006). */
  become(record, isQuiet) {
    const { shape, group } = record;
    const { x, y, side } = squareOf(shape);
    const hadFocus = document.activeElement === record.face || document.activeElement === group;
    const isNew = record.face === null || record.label !== shape.label;
    if (isNew) {
      record.face?.remove();
      record.label = shape.label;
      const face = faceOf(shape);
      record.face = face;
      nameOf(shape.label).then((name) => face.setAttribute("aria-label", name));
      this.emojis.append(face);
    }
    const place = this.placeFace(record, { x, y, side });
    if (hadFocus) record.face.focus({ preventScroll: true });
    this.fitWords(record);
    if (isQuiet || !isNew) {
      group.classList.add("is-gone");
      return;
    }
    const box = shape.boundingBox;
    const center = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
    setStyle(group, { "transform-origin": center });
    const going = [
      { opacity: 1, transform: "scale(1)" },
      { opacity: 0.9, transform: "scale(1.05)", offset: 0.25 },
      { opacity: 0, transform: "scale(.62) rotate(-5deg)" },
    ];
    const pace = { duration: 300, easing: "cubic-bezier(.4,0,.5,1)" };
    animate(group, going, pace, [{ opacity: 1 }, { opacity: 0 }]).then(() => {
      if (record.state === "recognized") group.classList.add("is-gone");
    });
    const coming = [
      { opacity: 0, transform: `${place} scale(.35) rotate(-14deg)` },
      { opacity: 1, transform: `${place} scale(1.12) rotate(4deg)`, offset: 0.62 },
      { opacity: 1, transform: `${place} scale(.97) rotate(-1deg)`, offset: 0.82 },
      { opacity: 1, transform: `${place} scale(1)` },
    ];
    const easing = "cubic-bezier(.3,.7,.4,1)";
    const later = { duration: 460, delay: 90, easing, fill: "backwards" };
    animate(record.face, coming, later, [{ opacity: 0 }, { opacity: 1 }]);
    this.sparkle(x + side / 2, y + side / 2, side);
  }

  /** Puts an emoji into a square. Returns its transform. */
  placeFace({ face, label }, { x, y, side }) {
    const place = `translate(${x}px, ${y}px)`;
    face.dataset.place = place;
    const length = graphemes(label);
    const size = length === 1 ? side / widthOfEmoji() : side / Math.max(1.4, length * 0.62);
    setStyle(face, {
      width: `${side}px`, height: `${side}px`, "font-size": `${size}px`, transform: place,
    });
    return place;
  }

  /**
   * Sets a label of words as large as its square allows, on one or two lines, but never too small
   * to read: on a small square the plate is wider, with an ellipsis if that is not enough.
   */
  fitWords({ face, shape }) {
    const plate = face?.querySelector(".face-words");
    if (!plate) return;
    const place = wordsPlace(shape.label, squareOf(shape), this, widthOfWords);
    plate.textContent = place.lines.join("\n");
    setStyle(plate, {
      "font-size": `${place.size}px`, "max-width": `${Math.ceil(place.most) + 1}px`,
      transform: `translateX(${place.shift}px)`,
    });
  }

  /** Draws rays around a new emoji. */
  sparkle(x, y, side) {
    const rays = Array.from({ length: 9 }, (_, index) => {
      const angle = (index / 9) * 2 * Math.PI + 0.35;
      const at = (share) =>
        `${x + Math.cos(angle) * side * share} ${y + Math.sin(angle) * side * share}`;
      return `M${at(0.6)}L${at(index % 2 === 0 ? 0.78 : 0.7)}`;
    });
    const burst = make("svg:path", {
      class: "burst", d: rays.join(""),
      style: {
        "transform-origin": `${x}px ${y}px`, "stroke-width": `${Math.max(2.5, side * 0.03)}px`,
      },
    });
    this.svg.append(burst);
    const frames = [
      { opacity: 0, transform: "scale(.7)" },
      { opacity: 1, transform: "scale(1)", offset: 0.4 },
      { opacity: 0, transform: "scale(1.18)" },
    ];
    const options = { duration: 520, delay: 180, fill: "backwards", easing: "ease-out" };
    animate(burst, frames, options).then(() => burst.remove());
  }

  /** Shows the ink again, as after a later stroke that belongs to the shape. */
  unbecome(record, isQuiet) {
    const { group, face } = record;
    group.classList.remove("is-gone");
    if (!face) return;
    record.face = null;
    if (isQuiet) {
      face.remove();
      return;
    }
    vanish(face, `${face.dataset.place} scale(.6)`, 160, "linear");
    animate(group, [{ opacity: 0 }, { opacity: 1 }], { duration: 160 });
  }

  /** A refused drawing keeps a small "?" at its corner. */
  mark(record) {
    if (!isRefused(record)) {
      record.mark?.remove();
      record.mark = null;
      return;
    }
    if (!record.mark) {
      record.mark = make("span", { class: "refused-mark", "aria-hidden": "true", text: "?" });
      this.emojis.append(record.mark);
    }
    const { x, y, width } = record.shape.boundingBox;
    const inset = markRadius / this.scale;
    const left = Math.max(inset, Math.min(this.width - inset, x + width));
    const place = `translate(${left}px, ${Math.max(inset, y)}px) translate(-50%, -50%)`;
    setStyle(record.mark, { transform: `${place} scale(${1 / this.scale})` });
  }

  /** Shakes a rejected drawing (F-013). */
  refuse(record) {
    if (record.shape.reason === "nothingTaught" || !this.handlers.canJudge()) {
      this.handlers.onuntaught();
      return;
    }
    const options = { duration: 520, easing: "ease-in-out" };
    animate(record.group, shake, options, [{ opacity: 0.3 }, { opacity: 1 }]);
    this.handlers.onbubble(record.shape, record.guesses);
  }
}
