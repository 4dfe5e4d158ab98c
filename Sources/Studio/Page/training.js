// Train Model (F-004): the button, how far it is, and what got better or worse.

import { api } from "./api.js";
import { animate, count, emoji, fill, make, percent, setStyle } from "./dom.js";
import { inkPicture } from "./ink-picture.js";
import { messages } from "./messages.js";
import { listen, load, store, tell } from "./store.js";
import { complain, speak, toast } from "./toasts.js";

/** The last report of each model that came to this page, whichever screen was open. */
const reports = new Map();
/** The models whose training was begun here. */
const begun = new Set();
/** The training that is known to run: which model, and how often that was trained before. */
let running = null;
let isLooking = false;

/** Hears how trainings end, whichever screen is open (F-004). */
export function followTraining() {
  listen("training", (progress) => {
    if (progress.model === store.model.id) begins(progress);
  });
  listen("trained", ({ model, report }) => {
    reports.set(model, report);
    const isSmarter = report.labels.some(({ change }) => change === "new" || change === "better");
    ends(model, () => toast(isSmarter ? "Your model got smarter." : "Your model has learned.", {
      // Where the report stands, it need not be said twice.
      kind: "good", emoji: "✨", detail: document.querySelector(".training") ? "" : summary(report),
    }));
  });
  listen("training-failed", ({ model, error }) => ends(model, () => complain(error, messages.notTrained)));
  listen("model", lookForTheEnd);
  if (store.training) begins(store.training);
}

function begins(progress) {
  store.training = progress;
  if (progress.model === store.model.id && running?.model !== progress.model) {
    running = { model: progress.model, generation: store.model.generation };
  }
}

function ends(model, say) {
  if (running?.model === model) running = null;
  if (store.training?.model === model) store.training = null;
  if (begun.delete(model) || model === store.model.id) say();
}

/** A training that runs no more, and nobody said how it ended: that was said while the page did not listen. */
async function lookForTheEnd() {
  const lost = running;
  if (!lost || store.training || isLooking) return;
  isLooking = true;
  try {
    // It may be on its way.
    await new Promise((done) => {
      setTimeout(done, 1000);
    });
    await load();
    if (running !== lost || store.training || store.model.id !== lost.model) return;
    ends(lost.model, () => {
      if (store.model.generation > lost.generation) toast("Your model has learned.", { kind: "good", emoji: "✨" });
      else toast(messages.notTrained, { kind: "bad" });
    });
    tell("model", store.model);
  } catch {
    // Without a server nothing is known; its coming back asks again.
  } finally {
    isLooking = false;
  }
}

export class TrainingCard {
  constructor() {
    this.status = make("p", { class: "training-status" });
    this.bar = make("progress", { class: "progress", max: "1", "aria-label": "Training" });
    this.stage = make("p", { class: "training-stage", "aria-hidden": "true" });
    this.running = make("div", { class: "training-running", hidden: true }, this.bar, this.stage);
    this.button = make("button", { class: "button is-primary is-wide", type: "button", text: "Train Model", onclick: () => this.train() });
    this.report = make("div", { class: "report" });
    this.element = make("section", { class: "card training", "aria-labelledby": "training-title" },
      make("h2", { id: "training-title", text: "Learning" }), this.status, this.button, this.running, this.report);
    this.ends = ["model", "training", "training-failed"].map((kind) => listen(kind, () => this.show()));
    this.ends.push(listen("trained", () => {
      this.show();
      animate(this.report, [{ opacity: 0, transform: "translateY(8px)" }, { opacity: 1, transform: "none" }], { duration: 320, easing: "ease-out" });
    }));
    this.show();
  }

  close() {
    for (const end of this.ends) end();
  }

  get isRunning() {
    return store.training?.model === store.model.id;
  }

  show() {
    const model = store.model;
    const fresh = model.untrainedCount;
    let words = "Draw a shape, pick its emoji, and add a few samples.";
    if (model.sampleCount > 0) {
      words = "It knows all your drawings.";
      if (fresh > 0) words = model.lastTrained ? `${count(fresh, "change")} since it last learned.` : `${count(fresh, "drawing")} to learn.`;
    }
    this.status.textContent = words;
    this.element.classList.toggle("is-eager", fresh > 0);
    const { isRunning } = this;
    this.running.hidden = !isRunning;
    // A button that is disabled would lose the focus.
    this.button.setAttribute("aria-disabled", String(isRunning));
    this.button.textContent = isRunning ? "Training …" : "Train Model";
    const { done, total, stage } = isRunning ? store.training : {};
    if (total > 0) this.bar.value = done / total;
    else this.bar.removeAttribute("value");
    this.stage.textContent = stages[stage] ?? stage ?? "";
    const report = reports.get(model.id);
    if (report !== this.shown) {
      this.shown = report;
      this.showReport(report);
    }
  }

  async train() {
    if (this.isRunning) return;
    const { id, generation } = store.model;
    store.training = { model: id };
    begun.add(id);
    this.show();
    speak("Training has begun.");
    try {
      await api.train(id);
      // Unless it has ended already.
      if (begun.has(id)) running ??= { model: id, generation };
    } catch (error) {
      if (error.code !== "alreadyTraining") ends(id, () => complain(error, messages.notTrained));
      this.show();
    }
  }

  showReport(report) {
    if (!report) {
      fill(this.report);
      return;
    }
    const measured = report.labels.filter((row) => row.after !== null && row.after !== undefined);
    fill(this.report,
      make("h3", { text: "What it learned" }),
      make("p", { class: "soft", text: summary(report) }),
      make("ul", { class: "report-rows" }, report.labels.map(row)),
      measured.length < report.labels.length
        ? make("p", { class: "field-hint", text: "An emoji needs two drawings before it can be tested." })
        : null,
      make("p", { class: "field-hint", text: "Each number is the share of an emoji’s drawings that the model gets right when it has not seen them." }));
    if (report.mistaken.length > 0) this.showMistaken(report);
  }

  /** The drawings that would be taken for something else: worth a look, and perhaps worth deleting. */
  async showMistaken(report) {
    const wanted = new Map(report.mistaken.slice(0, 12).map((each) => [each.sample, each]));
    const found = [];
    try {
      for (const label of new Set([...wanted.values()].map((each) => each.label))) {
        const isWanted = (each) => wanted.has(each.id);
        let missing = [...wanted.values()].filter((each) => each.label === label).length;
        for (let before = ""; before !== null && missing > 0;) {
          const page = await api.samples(store.model.id, { label, before, limit: 500 });
          found.push(...page.samples.filter(isWanted));
          missing -= page.samples.filter(isWanted).length;
          before = page.next;
        }
      }
    } catch {
      return;
    }
    if (found.length === 0 || this.shown !== report) return;
    this.report.append(
      make("h3", { text: "Easily mistaken" }),
      make("ul", { class: "mistaken" }, found.map((sample) => {
        const { takenFor } = wanted.get(sample.id);
        const words = takenFor ? `A ${sample.label} that looks like ${takenFor}` : `A ${sample.label} that looks like nothing it knows`;
        return make("li", {}, make("button", {
          class: "thumb", type: "button", "aria-label": `${words}. Open it.`, onclick: () => tell("open-sample", sample),
        }, inkPicture(sample.strokes), make("span", { class: "thumb-note", "aria-hidden": "true" },
          emoji(sample.label), "→", takenFor ? emoji(takenFor) : "?")));
      })));
  }
}

/** "2 emojis got better, 1 got worse, 1 is new." */
function summary(report) {
  const of = (change) => report.labels.filter((row) => row.change === change).length;
  const parts = [];
  if (of("new") > 0) parts.push(`${of("new")} new`);
  if (of("better") > 0) parts.push(`${of("better")} better`);
  if (of("worse") > 0) parts.push(`${of("worse")} worse`);
  if (of("same") > 0) parts.push(`${of("same")} as before`);
  const share = typeof report.accuracyAfter === "number" ? ` It gets ${percent(report.accuracyAfter)} of your drawings right.` : "";
  return `${count(report.labels.length, "emoji")}: ${parts.join(", ") || "nothing new"}.${share}`;
}

/** What the server does, in words of the page. */
const stages = {
  waiting: "Waiting for its turn",
  teaching: "Looking at your drawings",
  adapting: "Learning what makes each special",
  judging: "Testing itself",
  saving: "Remembering",
};

const marks = { new: "new", better: "better", worse: "worse", same: "as before", unknown: "too few" };

function row({ label, samples, before, after, change }) {
  const isMeasured = typeof after === "number";
  const had = typeof before === "number";
  const words = isMeasured ? (had && before !== after ? `${percent(before)} → ${percent(after)}` : percent(after)) : "–";
  const meter = make("span", { class: "meter", "aria-hidden": "true" });
  if (isMeasured) {
    const full = make("span", { class: "meter-after" });
    setStyle(full, { width: `${after * 100}%` });
    meter.append(full);
    if (had && before !== after) {
      const tick = make("span", { class: "meter-before" });
      setStyle(tick, { left: `${before * 100}%` });
      meter.append(tick);
    }
  }
  return make("li", { class: "report-row" },
    emoji(label, { class: "report-emoji" }),
    make("span", { class: "report-count", text: count(samples, "drawing") }),
    meter,
    make("span", { class: "report-share", text: words }),
    make("span", { class: `tag is-${change}`, text: marks[change] ?? change }));
}
