// "Why this emoji?": the network's input for a drawing, and the nearest training samples.

import { api } from "./api.js";
import { button, certain, emoji, fill, identifier, make, meter, sure } from "./dom.js";
import { DrawingSheet } from "./drawing-sheet.js";
import { inkPicture, rasterPicture, thumbMark } from "./ink-picture.js";
import { teach } from "./lesson.js";
import { messages } from "./messages.js";
import { askLabel } from "./picker.js";
import { canTeach, listen, store } from "./store.js";
import { coalesce } from "./refresh.js";
import { showError } from "./toasts.js";

const reasons = {
  likeNothingTaught: "It looks like nothing that was taught.",
  betweenLabels: "It lies between two emojis.",
  tooLittleInk: "There is too little ink to tell.",
  nothingTaught: "The model was taught nothing yet. Add samples and train it first.",
};

const lead = "Draw something, or pick a past drawing, and see it with the model’s eyes.";
const guestLead = "Draw something, and see it with the model’s eyes.";

export class ExplainBox {
  /** @param {AbortSignal} signal Ends it. */
  constructor(signal) {
    this.sheet = new DrawingSheet({
      label: "Small sheet to ask about a drawing", hint: "Draw to ask", drawing: { strokes: [] },
      signal,
    });
    this.answer = make("div", { class: "explain-answer", role: "status" });
    this.past = make("ul", { class: "thumbs is-row" });
    const settings = { class: "card explain", id: "why", "aria-labelledby": "explain-title" };
    this.element = make("section", settings,
      make("h2", { id: "explain-title", text: "Why this emoji?" }),
      make("p", { class: "soft", text: store.isGuest ? guestLead : lead }),
      make("div", { class: "explain-grid" },
        make("div", { class: "explain-ask" },
          this.sheet.element,
          make("div", { class: "explain-tools" },
            button("is-primary", "Ask", () => this.ask()),
            button("is-quiet", "Clear", () => this.clear()))),
        this.answer),
      // The past has everybody's drawings, which are the owner's to see.
      !store.isGuest && [make("h3", { text: "From the past" }), this.past]);
    this.showNothing();
    // An answer is of the model that gave it.
    listen("model", ({ id }) => {
      if (this.asked && this.asked.model !== id) this.forget();
    }, signal);
    if (store.isGuest) return;
    const past = coalesce(() => this.askPast(), (error) => {
      if (!this.past.firstChild) this.showNone(error.message);
    });
    listen("model", past, signal);
    listen("changed", ({ what }) => what === "history" && past(), signal);
    past();
  }

  clear() {
    this.sheet.drawing.strokes = [];
    this.sheet.show();
    this.forget();
  }

  /** Forgets what was asked, and its answer. */
  forget() {
    this.asked = null;
    this.showNothing();
  }

  showNothing() {
    const text = "Here you see the model’s view, and the taught drawings most like yours.";
    fill(this.answer, make("p", { class: "soft explain-wait", text }));
  }

  showNone(text) {
    fill(this.past, make("li", { class: "thumbs-none", text }));
  }

  async askPast() {
    const predictions = await api.history(store.model.id, 24);
    if (predictions.length === 0) {
      this.showNone("Nothing was drawn in the Playground yet.");
      return;
    }
    fill(this.past, predictions.map((each) => {
      const label = each.decision === "recognized" ? each.label : null;
      const words = label ? `taken for ${label}` : "not recognized";
      return make("li", {}, make("button", {
        class: "thumb", type: "button", data: { key: each.id },
        "aria-label": `A past drawing, ${words}. Ask about it.`,
        onclick: () => this.explain({ canvas: each.canvas, strokes: each.strokes }, each.id),
      }, inkPicture(each.strokes), thumbMark(label)));
    }));
  }

  ask() {
    if (this.sheet.isEmpty) {
      fill(this.answer, make("p", { class: "explain-wait", text: "Draw a shape first." }));
      return;
    }
    this.explain(this.sheet.content);
  }

  /** @param {string} [id] The id of the sample that the drawing becomes if it is corrected. */
  async explain(drawing, id = identifier()) {
    const model = store.model.id;
    const asked = { model };
    this.asked = asked;
    let answer;
    try {
      answer = await api.classify(model, drawing, { explain: true });
    } catch (error) {
      showError(error, messages.notClassified);
      return;
    }
    // Meanwhile the sheet was cleared, another drawing was classified, or another model is in use.
    if (this.asked !== asked) return;
    const { raster, candidates, neighbors = [] } = answer;
    const correct = async (label) => {
      if (label) await teach(model, { ...drawing, id }, label);
    };
    fill(this.answer, make("p", { class: "verdict" }, verdict(answer)),
      canTeach() && make("div", { class: "explain-tools" },
        button("", "It is a …", async () =>
          correct(await askLabel("It is a …", answer.label ?? ""))),
        answer.decision === "recognized"
          && button("is-quiet", "Add as sample", () => correct(answer.label))),
      make("div", { class: "explain-parts" },
        raster && make("figure", { class: "explain-seen" },
          rasterPicture(raster, "The drawing as the model sees it"),
          make("figcaption", {
            class: "soft", text: `What it sees: ${raster.width} × ${raster.height} dots`,
          })),
        candidates.length > 0 && make("div", { class: "explain-candidates" },
          make("h3", { text: "It thought of" }),
          make("ul", {}, candidates.slice(0, 4).map(candidate)))),
      neighbors.length > 0 && make("div", { class: "explain-near" },
        make("h3", { text: "Most like yours" }),
        make("ul", { class: "thumbs is-row" }, neighbors.slice(0, 8).map(neighbor))));
  }
}

function verdict({ decision, label, confidence, reason }) {
  if (decision === "recognized") {
    const words = make("span", { text: sure(confidence, label) });
    return [emoji(label, { class: "verdict-emoji" }), words];
  }
  return [
    make("span", { class: "verdict-emoji is-none", "aria-hidden": "true", text: "?" }),
    make("span", { text: reasons[reason] ?? messages.notRecognized }),
  ];
}

function candidate({ label, confidence }) {
  return make("li", { class: "candidate" },
    emoji(label), meter(Math.max(0.01, confidence)),
    make("span", { class: "soft", text: certain(confidence, label) }));
}

function neighbor({ label, strokes }) {
  return make("li", {},
    make("div", { class: "thumb", role: "img", "aria-label": `A taught ${label}` },
      strokes && inkPicture(strokes), thumbMark(label)));
}
