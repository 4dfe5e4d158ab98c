// "Why this emoji?": what the model sees of a drawing, and which drawings it was taught come nearest.

import { api } from "./api.js";
import { certain, emoji, fill, make, sure, timed } from "./dom.js";
import { inkPicture, rasterPicture } from "./ink-picture.js";
import { InkSurface } from "./ink-surface.js";
import { messages } from "./messages.js";
import { listen, store } from "./store.js";
import { whenQuiet } from "./refresh.js";
import { complain, toast } from "./toasts.js";

const reasons = {
  likeNothingTaught: "It looks like nothing that was taught.",
  betweenLabels: "It lies between two emojis.",
  tooLittleInk: "There is too little ink to tell.",
  nothingTaught: "The model was taught nothing yet. Add samples and train it first.",
};

export class ExplainBox {
  constructor() {
    this.strokes = [];
    this.surface = new InkSurface({
      label: "Small sheet to ask about a drawing",
      penSize: () => store.settings.penSize ?? 6,
      mostPoints: () => store.limits.points,
      onbegin: () => {
        this.hint.hidden = true;
      },
      onstroke: (stroke) => {
        this.strokes.push(stroke);
        this.show();
      },
      oncancel: (reason) => {
        this.show();
        if (reason === "lost") toast(messages.unreadable, { kind: "bad" });
      },
    });
    this.surface.isEmpty = () => this.strokes.length === 0;
    this.ink = make("svg:svg", { class: "ink" });
    this.surface.world.append(this.ink);
    this.hint = make("p", { class: "sheet-hint", "aria-hidden": "true", text: "Draw to ask" });
    this.surface.element.append(this.hint);
    this.answer = make("div", { class: "explain-answer", role: "status" });
    this.past = make("ul", { class: "thumbs is-row" });
    this.element = make("section", { class: "card explain", id: "why", "aria-labelledby": "explain-title" },
      make("h2", { id: "explain-title", text: "Why this emoji?" }),
      make("p", { class: "soft", text: "Draw something, or take a drawing of the past, and see it with the model’s eyes." }),
      make("div", { class: "explain-grid" },
        make("div", { class: "explain-ask" },
          this.surface.element,
          make("div", { class: "explain-tools" },
            make("button", { class: "button is-primary", type: "button", text: "Ask", onclick: () => this.ask() }),
            make("button", { class: "button is-quiet", type: "button", text: "Clear", onclick: () => this.clear() }))),
        this.answer),
      make("h3", { text: "From the past" }), this.past);
    const past = whenQuiet(() => this.askPast(), (error) => {
      if (!this.past.firstChild) fill(this.past, make("li", { class: "thumbs-none", text: error.message }));
    });
    this.ends = [listen("model", past), listen("changed", ({ what }) => what === "history" && past())];
    past();
    this.showNothing();
  }

  close() {
    this.surface.close();
    for (const end of this.ends) end();
  }

  show() {
    this.ink.setAttribute("viewBox", `0 0 ${this.surface.size.width} ${this.surface.size.height}`);
    fill(this.ink, this.strokes.map(({ path }) => make("svg:path", { class: "stroke", d: path })));
    this.hint.hidden = this.strokes.length > 0;
  }

  clear() {
    this.strokes = [];
    this.asked = null;
    this.show();
    this.showNothing();
  }

  showNothing() {
    fill(this.answer, make("p", { class: "soft explain-wait", text: "What it sees, and what comes nearest, stands here." }));
  }

  async askPast() {
    const predictions = await api.history(store.model.id, 24);
    if (predictions.length === 0) {
      fill(this.past, make("li", { class: "thumbs-none", text: "Nothing was drawn in the Playground yet." }));
      return;
    }
    fill(this.past, predictions.map((each) => {
      const words = each.decision === "recognized" ? `taken for ${each.label}` : "not recognized";
      return make("li", {}, make("button", {
        class: "thumb", type: "button", data: { key: each.id }, "aria-label": `A past drawing, ${words}. Ask about it.`,
        onclick: () => this.explain({ canvas: each.canvas, strokes: each.strokes }),
      }, inkPicture(each.strokes), each.decision === "recognized" ? emoji(each.label, { class: "thumb-emoji", "aria-hidden": "true" }) : make("span", { class: "thumb-emoji is-none", "aria-hidden": "true", text: "?" })));
    }));
  }

  ask() {
    if (this.strokes.length === 0) {
      fill(this.answer, make("p", { class: "explain-wait", text: "Draw a shape first." }));
      return;
    }
    this.explain({ canvas: { ...this.surface.size }, strokes: timed(this.strokes) });
  }

  async explain(drawing) {
    this.asked = drawing;
    let answer;
    try {
      answer = await api.classify(store.model.id, drawing, { explain: true });
    } catch (error) {
      complain(error, messages.notClassified);
      return;
    }
    // Another drawing was asked about meanwhile, or none is any more.
    if (this.asked !== drawing) return;
    const isKnown = answer.decision === "recognized";
    const verdict = isKnown
      ? make("p", { class: "verdict" }, emoji(answer.label, { class: "verdict-emoji" }), make("span", { text: sure(answer.confidence) }))
      : make("p", { class: "verdict" }, make("span", { class: "verdict-emoji is-none", "aria-hidden": "true", text: "?" }), make("span", { text: reasons[answer.reason] ?? messages.notRecognized }));
    const candidates = answer.candidates.slice(0, 4);
    fill(this.answer, verdict,
      make("div", { class: "explain-parts" },
        make("figure", { class: "explain-seen" }, answer.raster ? rasterPicture(answer.raster, "The drawing as the model sees it") : null,
          make("figcaption", { class: "soft", text: answer.raster ? `What it sees: ${answer.raster.width} × ${answer.raster.height} dots` : "" })),
        candidates.length > 0
          ? make("div", { class: "explain-candidates" }, make("h3", { text: "It weighed" }), make("ul", {}, candidates.map(bar)))
          : null),
      (answer.neighbors ?? []).length > 0
        ? make("div", { class: "explain-near" }, make("h3", { text: "Nearest drawings it was taught" }),
          make("ul", { class: "thumbs is-row" }, answer.neighbors.slice(0, 8).map((near) => make("li", {},
            make("div", { class: "thumb is-still", role: "img", "aria-label": `A taught ${near.label}` }, near.strokes ? inkPicture(near.strokes) : null, emoji(near.label, { class: "thumb-emoji", "aria-hidden": "true" }))))))
        : null);
  }
}

function bar({ label, confidence }) {
  const full = make("span", { class: "meter-after" });
  full.style.setProperty("width", `${Math.max(1, confidence * 100)}%`);
  return make("li", { class: "candidate" }, emoji(label), make("span", { class: "meter", "aria-hidden": "true" }, full), make("span", { class: "soft", text: certain(confidence) }));
}
