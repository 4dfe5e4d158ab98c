// The dial "How sure must I be?": shows which past drawings would be rejected at each setting, and
// changes the model only on request.

import { api } from "./api.js";
import { animate, button, count, fill, make, setStyle, shake } from "./dom.js";
import { inkPicture, thumbMark } from "./ink-picture.js";
import { listen, setModel, store } from "./store.js";
import { showError, toast } from "./toasts.js";

/** The dial's steps: refusal rates, with that of new models in the middle. */
const steps = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5];
const words = [
  "A wild guess is fine", "Very bold", "Quite bold", "Bold", "Rather bold", "Balanced",
  "Rather careful", "Careful", "Very careful", "Only when sure", "Only when completely sure",
];

export class CertaintyDial {
  /** @param {AbortSignal} signal Ends it. */
  constructor(signal) {
    this.shaking = new Set();
    this.input = make("input", {
      class: "range", type: "range", id: "certainty", min: "0", max: String(steps.length - 1),
      step: "1", "aria-describedby": "certainty-words", oninput: () => this.turned(),
    });
    this.words = make("p", { class: "certainty-words", id: "certainty-words" });
    this.result = make("p", { class: "certainty-result", role: "status" });
    this.grid = make("ul", { class: "thumbs is-small" });
    this.save = button("is-primary", "Use this", () => this.keep());
    const lead = "Turn the dial to see which of your drawings would shake. "
      + "Nothing changes until you press “Use this”.";
    const settings = { class: "card certainty", "aria-labelledby": "certainty-title" };
    this.element = make("section", settings,
      make("h2", { id: "certainty-title" },
        make("label", { for: "certainty", text: "How sure must I be?" })),
      make("p", { class: "soft", text: lead }),
      make("div", { class: "certainty-dial" }, this.gauge(), this.words, this.input,
        make("p", { class: "certainty-ends", "aria-hidden": "true" },
          make("span", { text: "guess" }), make("span", { text: "be sure" }))),
      this.result, this.grid, make("div", { class: "certainty-tools" }, this.save));
    listen("model", (model) => this.follow(model), signal);
    signal.addEventListener("abort", () => this.close());
    this.follow(store.model);
  }

  close() {
    this.asked?.abort();
    clearTimeout(this.timer);
  }

  /** The dial's face: one tick per step on a half circle, and a needle. */
  gauge() {
    this.ticks = steps.map((_, index) => {
      const angle = Math.PI * (1 - index / (steps.length - 1));
      const [x, y] = [Math.cos(angle), -Math.sin(angle)];
      const at = (radius) => `${(120 + x * radius).toFixed(1)} ${(118 + y * radius).toFixed(1)}`;
      return make("svg:path", { class: "gauge-tick", d: `M${at(88)}L${at(106)}` });
    });
    this.needle = make("svg:g", { class: "gauge-needle" },
      make("svg:path", { d: "M114 118c0-4 4-66 6-74 2 8 6 70 6 74a6 6 0 0 1-12 0Z" }));
    return make("svg:svg", { class: "gauge", viewBox: "0 0 240 132", "aria-hidden": "true" },
      this.ticks, this.needle);
  }

  get rate() {
    return this.rates[Number(this.input.value)];
  }

  follow(model) {
    const known = model && `${model.id} ${model.refusalRate} ${model.lastTrained}`;
    if (!model || this.known === known) return;
    this.known = known;
    const distances = steps.map((rate) => Math.abs(rate - model.refusalRate));
    const nearest = distances.indexOf(Math.min(...distances));
    // The model's own rate, also one that another program has set, is a step of its dial.
    this.rates = steps.with(nearest, model.refusalRate);
    this.input.value = String(nearest);
    this.show();
    this.ask();
  }

  turned() {
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), 120);
  }

  show() {
    const step = Number(this.input.value);
    const name = words[step];
    this.ticks.forEach((tick, index) => tick.classList.toggle("is-on", index <= step));
    setStyle(this.needle, { transform: `rotate(${(step / (steps.length - 1)) * 180 - 90}deg)` });
    this.words.textContent = name;
    this.input.setAttribute("aria-valuetext", name);
    this.isKept = Math.abs(this.rate - store.model.refusalRate) < 1e-9;
    this.save.setAttribute("aria-disabled", String(this.isKept));
  }

  async ask() {
    this.asked?.abort();
    this.asked = new AbortController();
    let answer;
    try {
      answer = await api.certainty(store.model.id, this.rate, this.asked.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.result.textContent = error.message;
      return;
    }
    const { drawings } = answer;
    this.result.textContent = drawings.length === 0
      ? "There are no past drawings yet: train the model, and play a little."
      : `${answer.shaking} of ${count(answer.of, "past drawing")} would shake.`;
    fill(this.grid, drawings.slice(0, 120).map((each) => {
      const answer = each.shakes ? "would shake" : "would be recognized";
      const said = each.label ? `${each.label}: ${answer}` : answer;
      const look = `thumb${each.shakes ? " is-shaking" : ""}`;
      const element = make("li", {}, make("div", { class: look, role: "img", "aria-label": said },
        inkPicture(each.strokes), thumbMark(each.shakes ? null : each.label)));
      if (each.shakes && !this.shaking.has(each.id)) animate(element, shake, { duration: 420 });
      return element;
    }));
    this.shaking = new Set(drawings.filter(({ shakes }) => shakes).map(({ id }) => id));
  }

  async keep() {
    if (this.isKept) return;
    try {
      const model = await api.updateModel(store.model.id, { refusalRate: this.rate });
      setModel(model);
      this.show();
      toast(`From now on: ${words[Number(this.input.value)].toLowerCase()}.`, { kind: "good" });
    } catch (error) {
      showError(error);
    }
  }
}
