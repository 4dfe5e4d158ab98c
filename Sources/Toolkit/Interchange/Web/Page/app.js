// The page: a sheet, and what the model takes the drawing on it for.

import { answer, hasEnoughInk } from "./decision.js";
import {
  certain, count, emoji, fill, make, meter, onUndoKey, sure, tool,
} from "./dom.js";
import { icon, wordmark } from "./icons.js";
import { showStrokes } from "./ink-picture.js";
import { InkSurface } from "./ink-surface.js";
import { run } from "./network.js";
import { unpack } from "./numbers.js";
import { look } from "./views.js";

const model = JSON.parse(document.getElementById("model").textContent);
const numbers = unpack(document.getElementById("numbers").textContent);

/** How many labels are shown at once; the others unfold. */
const mostLabels = 24;
const mostCandidates = 4;

/**
 * Classifies a drawing as `drawml classify` does: `strokes` are [[x, …], [y, …]], `canvas` its
 * width and height, if known. Resolves to decision, label, confidence, candidates, typicality and
 * reason.
 */
async function classify({ strokes, canvas = null }) {
  const loaded = await numbers;
  const drawn = strokes.filter(([xs]) => xs.length > 0)
    .map((axes) => axes.map((axis) => [...axis]));
  const hasInk = hasEnoughInk(drawn, canvas, model.leastExtent);
  const refused = { decision: "unrecognized", reason: "tooLittleInk" };
  if (drawn.length === 0 || !drawn.flat(2).every(Number.isFinite)) {
    return { ...refused, label: null, confidence: 0, candidates: [], typicality: null };
  }
  const inputs = model.inputs.map(({ name, shape, view }) =>
    [name, { values: look(drawn, view), shape }]);
  const values = run(model.steps, loaded, Object.fromEntries(inputs));
  const found = answer(values[model.embedding].values, model.terms, loaded);
  return hasInk ? found : { ...found, ...refused };
}

/** For the browser's console, and for pages that hold this one. */
globalThis.drawml = { classify };

class Page {
  constructor() {
    /** The strokes after each action, for Undo. */
    this.states = [[]];
    this.surface = new InkSurface({
      label: "Sheet to draw on",
      penSize: () => 6,
      mostPoints: () => 5000,
      onbegin: () => (this.hint.hidden = true),
      onstroke: (stroke) => this.change([...this.strokes, stroke]),
      oncancel: () => this.show(),
    });
    this.surface.isEmpty = () => this.strokes.length === 0;
    this.ink = make("svg:svg", { class: "ink" });
    this.surface.world.append(this.ink);
    this.hint = make("p", { class: "sheet-hint", "aria-hidden": "true", text: "Draw here" });
    this.surface.element.append(this.hint);
    this.undoTool = tool(icon("undo"), "Undo", () => this.undo());
    this.clearTool = tool(icon("clear"), "Clear", () => this.clear());
    this.verdict = make("div", { class: "verdict-line", role: "status" });
    this.candidates = make("ul", { class: "candidates" });
    onUndoKey(() => this.undo());
    document.title = model.title;
    document.body.prepend(this.header(), this.main(), this.footer());
    this.show();
    this.tell(null);
  }

  get strokes() {
    return this.states[this.states.length - 1];
  }

  header() {
    return make("header", { class: "page-head" }, wordmark(),
      make("h1", { text: model.title }),
      make("p", { class: "soft", text: `It knows ${count(model.terms.labels.length, "shape")} `
        + "and says so when it does not know. Draw one of them, or something else." }));
  }

  main() {
    const known = model.terms.labels.map((label) => make("li", {}, emoji(label)));
    return make("main", { class: "page-main" },
      make("section", { class: "sheet-frame", "aria-label": "Drawing" }, this.surface.element,
        make("div", { class: "sheet-tools" }, this.undoTool, this.clearTool)),
      make("section", { class: "card", "aria-label": "Answer" }, this.verdict, this.candidates),
      make("section", { class: "card known" }, make("h2", { text: "It knows" }),
        make("ul", { class: "labels" }, known.slice(0, mostLabels)),
        known.length > mostLabels && make("details", {},
          make("summary", { text: `and ${known.length - mostLabels} more` }),
          make("ul", { class: "labels" }, known.slice(mostLabels)))));
  }

  footer() {
    return make("footer", { class: "page-foot soft" },
      make("p", { text: "This page works offline. What you draw stays in it." }));
  }

  change(strokes) {
    this.states.push(strokes);
    this.show();
    this.ask();
  }

  undo() {
    if (this.states.length === 1) return;
    this.states.pop();
    this.show();
    this.ask();
  }

  clear() {
    if (this.strokes.length > 0) this.change([]);
  }

  show() {
    showStrokes(this.ink, this.surface.size, this.strokes);
    this.hint.hidden = this.strokes.length > 0;
    this.undoTool.setAttribute("aria-disabled", String(this.states.length === 1));
    this.clearTool.setAttribute("aria-disabled", String(this.strokes.length === 0));
  }

  async ask() {
    const { strokes } = this;
    if (strokes.length === 0) {
      this.tell(null);
      return;
    }
    // First the browser draws the stroke.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    if (strokes !== this.strokes) return;
    const columns = strokes.map(({ columns: [xs, ys] }) => [xs, ys]);
    try {
      const found = await classify({ strokes: columns, canvas: this.surface.size });
      if (strokes === this.strokes) this.tell(found);
    } catch {
      this.say("This page needs a browser from 2023 or later.");
    }
  }

  say(text) {
    fill(this.verdict, make("p", { class: "soft", text }));
    fill(this.candidates);
  }

  /** Shows an answer; null without a drawing. */
  tell(found) {
    if (!found) {
      this.say("The answer appears here.");
      return;
    }
    const isRecognized = found.decision === "recognized";
    fill(this.verdict,
      isRecognized
        ? emoji(found.label, { class: "answer-face" })
        : make("span", { class: "answer-face is-none", "aria-hidden": "true", text: "?" }),
      make("p", {},
        make("strong", { text: isRecognized ? sure(found.confidence) : "I don’t know." }),
        !isRecognized && make("span", { class: "soft answer-reason" }, reason(found))));
    const others = found.candidates.slice(isRecognized ? 1 : 0).slice(0, mostCandidates);
    fill(this.candidates, others.map(({ label, confidence }) => make("li", {}, emoji(label),
      meter(confidence), make("span", { class: "soft", text: certain(confidence) }))));
  }
}

function reason({ reason: why, between }) {
  switch (why) {
    case "tooLittleInk": return "There is too little ink to tell.";
    case "betweenLabels":
      return ["It lies between ", emoji(between[0]), " and ", emoji(between[1]), "."];
    default: return "It looks like nothing that I was taught.";
  }
}

/** The browser compiles what runs often: the first answer should not wait for that. */
async function warmUp() {
  for (let time = 0; time < 3; time += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await classify({ strokes: [[[0, 1, 2], [0, 3, 1]]] });
  }
}

new Page();
warmUp().catch(() => {}); // what is missing is said when somebody draws
