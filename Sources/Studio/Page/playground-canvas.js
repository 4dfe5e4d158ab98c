// The shapes on the playground's sheet: ink that waits, ink that was refused, and the emojis that took ink's place.

import { animate, emoji, fill, isWord, make, setStyle, shake } from "./dom.js";
import { nameOf } from "./picker.js";

/** An emoji is a little wider than its font's size; measured once, as fonts differ. */
let emojiWidth = 0;

function widthOfEmoji() {
  if (emojiWidth > 0) return emojiWidth;
  const context = document.createElement("canvas").getContext("2d");
  context.font = '100px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif';
  emojiWidth = Math.max(0.8, context.measureText("😀").width / 100);
  return emojiWidth;
}

/** Words are no smaller than this on the screen, and where their square is smaller no longer, in CSS pixels. */
const leastWords = 12;
const mostWords = 116;

let wordMeasure = null;

/** The width of words in the page's letters, in ems. */
function widthOfWords(words) {
  if (!wordMeasure) {
    wordMeasure = document.createElement("canvas").getContext("2d");
    wordMeasure.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  }
  return wordMeasure.measureText(words).width / 100;
}

/** Words on two lines of about the same length; on one where there is but one word. */
function linesOf(label) {
  const words = label.split(/\s+/u);
  const splits = words.slice(1).map((_, index) => [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")]);
  const longest = (lines) => Math.max(...lines.map((line) => line.length));
  return splits.reduce((best, lines) => (best.length === 1 || longest(lines) < longest(best) ? lines : best), [label]);
}

/** The square of a shape's emoji. */
function placeOf({ placement, boundingBox: { x, y, width, height } }) {
  return placement ?? { x, y, side: Math.max(width, height) };
}

function letters(text) {
  return typeof Intl.Segmenter === "function" ? [...new Intl.Segmenter().segment(text)].length : [...text].length;
}

export class PlaygroundCanvas {
  /** @param {object} handlers `pathOf(columns)`, `onbubble(shape)`, `canJudge()`, `onuntaught()`. */
  constructor(handlers) {
    this.handlers = handlers;
    this.emojis = make("div", { class: "placed" });
    this.svg = make("svg:svg", { class: "ink" });
    this.loose = make("svg:g", { class: "shape is-pending" });
    this.svg.append(this.loose);
    this.shapes = new Map();
    this.ink = new Map();
    this.paths = new Map();
    /** What was drawn on this page, by its id. */
    this.own = new Map();
    this.width = 0;
    this.scale = 1;
  }

  /** The sheet's size, and how many pixels one of its units has on the screen. */
  setSize({ width, height }, scale) {
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const isOther = this.width !== width || this.scale !== scale;
    Object.assign(this, { width, scale });
    if (isOther) for (const record of this.shapes.values()) this.fitWords(record);
  }

  /** Whether there is nothing on it. */
  get isEmpty() {
    return this.shapes.size === 0 && this.loose.childElementCount === 0;
  }

  // MARK: Ink that the server has not told of yet

  /** A stroke that was just drawn. */
  addLoose(stroke) {
    stroke.element = make("svg:path", { class: "stroke", d: stroke.path });
    this.loose.append(stroke.element);
    this.own.set(stroke.id, stroke);
  }

  dropLoose(stroke) {
    stroke.element.remove();
    this.own.delete(stroke.id);
  }

  // MARK: Shapes

  /** Everything anew, as the server has it; `waiting` strokes are not known to it yet, `known` ones are this page's where it has them. */
  show(snapshot, waiting, known = []) {
    const numbers = new Set(snapshot.shapes.map(({ shape }) => shape));
    for (const [number, record] of this.shapes) {
      if (numbers.has(number)) fill(record.group);
      else this.remove(number);
    }
    this.paths.clear();
    // What is needed comes with the shapes.
    this.ink.clear();
    const there = new Set(snapshot.shapes.flatMap(({ ids }) => ids ?? []));
    this.own = new Map([...this.own.values(), ...known].filter(({ id }) => there.has(id)).map((stroke) => [stroke.id, { ...stroke, element: null }]));
    fill(this.loose);
    for (const stroke of waiting) this.addLoose(stroke);
    for (const shape of snapshot.shapes) this.put(shape, { isQuiet: true });
  }

  /** What was drawn here of shapes that were not decided on, in the order of drawing. */
  get held() {
    const pending = [...this.shapes.values()].filter(({ state }) => state === "pending");
    return pending.flatMap(({ shape: { strokes, ids } }) => strokes.map((number, index) => ({ number, stroke: this.own.get(ids?.[index]) })))
      .filter(({ stroke }) => stroke).sort((a, b) => a.number - b.number).map(({ stroke }) => stroke);
  }

  /** The ink of a shape: what was drawn here keeps its line, and what was not gets one. */
  learn({ strokes, ids, ink }) {
    strokes.forEach((number, index) => {
      const { element } = this.own.get(ids?.[index]) ?? {};
      if (element?.parentNode === this.loose) {
        this.paths.get(number)?.remove();
        this.paths.set(number, element);
        this.ink.set(number, element.getAttribute("d"));
      } else if (ink?.[index] && !this.ink.has(number)) {
        this.ink.set(number, this.handlers.pathOf(ink[index]));
      }
    });
  }

  /** A shape is new, or has changed. */
  put(shape, { isQuiet = false } = {}) {
    this.learn(shape);
    let record = this.shapes.get(shape.shape);
    if (!record) {
      record = { group: make("svg:g", { class: "shape", data: { shape: String(shape.shape) } }), face: null, state: null };
      this.shapes.set(shape.shape, record);
      this.svg.insertBefore(record.group, this.loose);
    }
    const before = record.state;
    Object.assign(record, { shape, state: shape.state });
    for (const number of shape.strokes) this.gather(record, number);
    // A stroke that moved to another shape is drawn there.
    for (const path of [...record.group.children]) {
      if (!shape.strokes.includes(Number(path.dataset.stroke))) path.remove();
    }
    record.group.setAttribute("class", `shape is-${shape.state}`);
    if (shape.state === "recognized") this.become(record, isQuiet || before === "recognized");
    else this.unbecome(record, isQuiet);
    if ((shape.state === "unrecognized" || shape.state === "confused") && !isQuiet && before !== shape.state) this.refuse(record);
  }

  gather(record, number) {
    let path = this.paths.get(number);
    if (!path && this.ink.has(number)) {
      path = make("svg:path", { class: "stroke", d: this.ink.get(number) });
      this.paths.set(number, path);
    }
    if (!path) return;
    path.dataset.stroke = String(number);
    if (path.parentNode !== record.group) record.group.append(path);
  }

  remove(number) {
    const record = this.shapes.get(number);
    if (!record) return;
    this.take(record);
    this.shapes.delete(number);
  }

  /** Takes a stroke off. The next one may get its number. */
  removeStroke(number) {
    this.paths.get(number)?.remove();
    this.paths.delete(number);
    this.ink.delete(number);
  }

  take(record) {
    record.group.remove();
    record.face?.remove();
  }

  /** All goes, gently. Resolves when it is gone. */
  async clear() {
    const going = [];
    for (const record of this.shapes.values()) {
      const { group, face } = record;
      for (const element of [group, face].filter(Boolean)) {
        going.push(animate(element, [{ opacity: 1 }, { opacity: 0, transform: `${element === face ? `${face.dataset.place} ` : ""}translateY(14px)` }], { duration: 220, easing: "ease-in" })
          .then(() => element.remove()));
      }
    }
    this.shapes.clear();
    this.paths.clear();
    // What the server has not told of yet was drawn behind the clearing.
    for (const [id, { element }] of this.own) {
      if (element?.parentNode !== this.loose) this.own.delete(id);
    }
    await Promise.all(going);
  }

  // MARK: What happens to a shape

  /** Ink becomes its emoji, in its place and as large as it (F-006). */
  become(record, isQuiet) {
    const { shape, group } = record;
    const { x, y, side } = placeOf(shape);
    const isNew = record.face === null || record.label !== shape.label;
    if (isNew) {
      record.face?.remove();
      record.label = shape.label;
      const settings = { class: "face", role: "img", "aria-label": shape.label, data: { shape: String(shape.shape) } };
      if (isWord(shape.label)) {
        record.face = make("span", { ...settings, class: "face is-word", title: shape.label }, make("span", { class: "face-words", text: shape.label }));
      } else {
        record.face = emoji(shape.label, settings);
      }
      const { face } = record;
      nameOf(shape.label).then((name) => face.setAttribute("aria-label", name));
      this.emojis.append(record.face);
    }
    const place = `translate(${x}px, ${y}px)`;
    record.face.dataset.place = place;
    const length = letters(shape.label);
    const size = length === 1 ? side / widthOfEmoji() : side / Math.max(1.4, length * 0.62);
    setStyle(record.face, { width: `${side}px`, height: `${side}px`, "font-size": `${size}px`, transform: place });
    this.fitWords(record);
    if (isQuiet || !isNew) {
      group.classList.add("is-gone");
      return;
    }
    const box = shape.boundingBox;
    const centre = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
    setStyle(group, { "transform-origin": centre });
    animate(group,
      [{ opacity: 1, transform: "scale(1)" }, { opacity: 0.9, transform: "scale(1.05)", offset: 0.25 }, { opacity: 0, transform: "scale(.62) rotate(-5deg)" }],
      { duration: 300, easing: "cubic-bezier(.4,0,.5,1)" }, [{ opacity: 1 }, { opacity: 0 }])
      .then(() => {
        if (record.state === "recognized") group.classList.add("is-gone");
      });
    animate(record.face,
      [{ opacity: 0, transform: `${place} scale(.35) rotate(-14deg)` }, { opacity: 1, transform: `${place} scale(1.12) rotate(4deg)`, offset: 0.62 },
        { opacity: 1, transform: `${place} scale(.97) rotate(-1deg)`, offset: 0.82 }, { opacity: 1, transform: `${place} scale(1)` }],
      { duration: 460, delay: 90, easing: "cubic-bezier(.3,.7,.4,1)", fill: "backwards" }, [{ opacity: 0 }, { opacity: 1 }]);
    this.sparkle(x + side / 2, y + side / 2, side);
  }

  /**
   * Words that stand for a drawing are as large as its square allows, on one line or two, and never too small to be read: a
   * short square has a longer plate in its middle, and an ellipsis where even that is too short.
   */
  fitWords({ face, shape }) {
    const plate = face?.querySelector(".face-words");
    if (!plate) return;
    const { x, side } = placeOf(shape);
    const least = leastWords / this.scale;
    const lines = linesOf(shape.label).map((words) => ({ words, width: widthOfWords(words) }));
    // A plate has half a letter's height on either side.
    const sizeOf = (widths) => Math.min(side / (Math.max(...widths) + 1), side / (widths.length * 1.15 + 0.5), side * 0.3);
    const one = sizeOf([widthOfWords(shape.label)]);
    const two = lines.length === 2 ? sizeOf(lines.map(({ width }) => width)) : 0;
    const isOne = one >= two || two < least;
    const size = Math.max(least, isOne ? one : two);
    const most = Math.max(side, mostWords / this.scale);
    const width = isOne ? Math.min(most, size * (widthOfWords(shape.label) + 1)) : size * (Math.max(...lines.map((line) => line.width)) + 1);
    plate.textContent = isOne ? shape.label : lines.map(({ words }) => words).join("\n");
    // Beside the paper nothing is seen.
    const middle = x + side / 2;
    const shift = Math.max(width / 2, Math.min(this.width - width / 2, middle)) - middle;
    setStyle(plate, { "font-size": `${size}px`, "max-width": `${Math.ceil(most)}px`, transform: `translateX(${this.width > width ? shift : 0}px)` });
  }

  /** A few strokes of the pencil around a fresh emoji. */
  sparkle(x, y, side) {
    const rays = Array.from({ length: 9 }, (_, index) => {
      const angle = (index / 9) * 2 * Math.PI + 0.35;
      const [from, to] = [side * 0.6, side * (index % 2 === 0 ? 0.78 : 0.7)];
      return `M${x + Math.cos(angle) * from} ${y + Math.sin(angle) * from}L${x + Math.cos(angle) * to} ${y + Math.sin(angle) * to}`;
    });
    const burst = make("svg:path", { class: "burst", d: rays.join("") });
    setStyle(burst, { "transform-origin": `${x}px ${y}px`, "stroke-width": `${Math.max(2.5, side * 0.03)}px` });
    this.svg.append(burst);
    animate(burst, [{ opacity: 0, transform: "scale(.7)" }, { opacity: 1, transform: "scale(1)", offset: 0.4 }, { opacity: 0, transform: "scale(1.18)" }], { duration: 520, delay: 180, fill: "backwards", easing: "ease-out" })
      .then(() => burst.remove());
  }

  /** A later stroke belongs to it: the ink is back. */
  unbecome(record, isQuiet) {
    const { group, face } = record;
    group.classList.remove("is-gone");
    if (!face) return;
    record.face = null;
    if (isQuiet) {
      face.remove();
      return;
    }
    const place = face.dataset.place;
    animate(face, [{ opacity: 1, transform: place }, { opacity: 0, transform: `${place} scale(.6)` }], { duration: 160 }).then(() => face.remove());
    animate(group, [{ opacity: 0 }, { opacity: 1 }], { duration: 160 });
  }

  /** It shakes its head (F-013). */
  refuse(record) {
    if (record.shape.reason === "nothingTaught" || !this.handlers.canJudge()) {
      this.handlers.onuntaught();
      return;
    }
    animate(record.group, shake, { duration: 520, easing: "ease-in-out" }, [{ opacity: 0.3 }, { opacity: 1 }]);
    this.handlers.onbubble(record.shape);
  }
}
