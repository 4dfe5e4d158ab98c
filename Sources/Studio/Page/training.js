// Train Model (F-004): the button, how far it is, and what got better or worse.

import { api } from "./api.js";
import { animate, count, make } from "./dom.js";
import { icon } from "./icons.js";
import { messages } from "./messages.js";
import { isRelabelled, ReportView, summary } from "./report.js";
import { whenQuiet } from "./refresh.js";
import { go } from "./router.js";
import { listen, load, store, tell } from "./store.js";
import { complain, speak, toast } from "./toasts.js";

/** The last report of each model that came to this page, and the training that it is of. */
const reports = new Map();
/** The models without a kept report, and the training that it would be of. */
const missing = new Map();
/** The models whose report is open. */
const opened = new Set();
/** The models whose training was begun here, by id, and their names. */
const begun = new Map();
/** The training that is known to run: which model, and when that was trained before. */
let running = null;
let isLooking = false;

/** Hears how trainings end, whichever screen is open (F-004). */
export function followTraining() {
  listen("training", (progress) => {
    if (progress.model === store.model.id) begins(progress);
  });
  listen("trained", ({ model, report }) => {
    if (report.samples === 0) {
      forget(model);
      ends(model, (name) => tellForgotten(name, report.changes.removed));
      return;
    }
    // Of another model nobody says here when it is trained the next time.
    if (model === store.model.id) reports.set(model, { report, lastTrained: null });
    else reports.delete(model);
    opened.add(model);
    // A label that was only renamed makes nothing smarter.
    const isSmarter = report.labels.some(({ change }) => change === "better" || (change === "new" && !isRelabelled(report)));
    ends(model, (name) => tellLearned(name, isSmarter ? "got smarter." : "has learned.", summary(report)));
  });
  listen("training-failed", ({ model, error }) => ends(model, () => complain(error, undefined, { isOfScreen: true })));
  listen("model", ({ id, lastTrained }) => {
    // A report that was heard of comes before the news that the model was trained.
    const kept = reports.get(id);
    if (kept?.lastTrained && !lastTrained) forget(id);
    else if (kept) kept.lastTrained ??= lastTrained;
  });
  listen("model", lookForTheEnd);
  if (store.training) begins(store.training);
}

/** A model that has forgotten all it knew has no report. */
function forget(model) {
  reports.delete(model);
  opened.delete(model);
}

/**
 * Says that a model has learned: the active one, or for a `name` another. Where its report stands, what it says need not be
 * said twice; another model's stands nowhere.
 */
function tellLearned(name, words, detail = "") {
  const { id } = store.model;
  if (name) {
    toast(`“${name}” ${words}`, { kind: "good", emoji: "✨", detail });
    return;
  }
  const isThere = document.querySelector(".training") !== null;
  toast(`Your model ${words}`, {
    kind: "good", emoji: "✨", ...(isThere ? {} : {
      detail, action: "Show it",
      onaction: () => {
        opened.add(id);
        go("train");
        document.querySelector(".training")?.scrollIntoView({ block: "center" });
      },
    }),
  });
}

/** Says that a model has no drawings any more and has forgotten them: the active one, or for a `name` another. */
function tellForgotten(name, drawings) {
  toast(`${name ? `“${name}”` : "Your model"} forgot ${drawings === undefined ? "all it knew" : count(drawings, "drawing")}.`, { kind: "good", detail: "It knows nothing now." });
}

function begins(progress) {
  store.training = progress;
  if (progress.model === store.model.id && running?.model !== progress.model) {
    running = { model: progress.model, lastTrained: store.model.lastTrained };
  }
}

/** @param {Function} say What is said then; its argument is the model's name where it is not the active one. */
function ends(model, say) {
  if (running?.model === model) running = null;
  if (store.training?.model === model) store.training = null;
  const name = begun.get(model);
  begun.delete(model);
  if (model === store.model.id) say();
  else if (name !== undefined) say(name);
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
      const { lastTrained } = store.model;
      if (lastTrained === lost.lastTrained) toast(messages.notTrained, { kind: "bad", isOfScreen: true });
      else if (lastTrained) tellLearned(null, "has learned.");
      else tellForgotten();
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
    this.button = make("button", { class: "button is-primary", type: "button", text: "Train Model", onclick: () => this.train() });
    this.view = new ReportView();
    this.toggle = make("button", { class: "button is-quiet", type: "button", "aria-controls": "report", onclick: () => this.turn() }, "What it learned", icon("open"));
    this.element = make("section", { class: "card training", "aria-labelledby": "training-title" },
      make("h2", { id: "training-title", text: "Learning" }), this.status,
      make("div", { class: "training-tools" }, this.button, this.toggle), this.running, this.view.element);
    this.ask = whenQuiet(() => this.askReport());
    this.ends = ["model", "training", "training-failed"].map((kind) => listen(kind, () => this.show()));
    this.ends.push(listen("names", () => this.view.rename()));
    this.ends.push(listen("trained", () => {
      this.show();
      this.appear();
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
    let words = model.sampleCount > 0 ? "It knows all your drawings." : "Draw a shape, pick its emoji, and add a few samples.";
    if (fresh > 0) words = model.lastTrained ? `${count(fresh, "change")} since it last learned.` : `${count(fresh, "drawing")} to learn.`;
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
    this.showReport();
  }

  /**
   * The report is there for every model that was trained, whoever trained it, unless it is known not to be kept; it is asked
   * for when it is opened.
   */
  showReport() {
    const { id, lastTrained } = store.model;
    const kept = reports.get(id);
    const isThere = Boolean(kept || (lastTrained && missing.get(id) !== lastTrained));
    const isOpen = isThere && opened.has(id);
    // A button that goes would take the focus with it.
    if (!isThere && document.activeElement === this.toggle) this.button.focus();
    this.toggle.hidden = !isThere;
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    this.view.element.hidden = !isOpen;
    this.view.show(isOpen ? kept?.report : null);
    if (isOpen && (!kept || (kept.lastTrained !== null && kept.lastTrained !== lastTrained))) this.ask();
  }

  turn() {
    const { id } = store.model;
    if (!opened.delete(id)) opened.add(id);
    this.showReport();
  }

  async askReport() {
    const { id, lastTrained } = store.model;
    let report;
    try {
      report = await api.report(id);
    } catch (error) {
      this.unanswered(error, { id, lastTrained });
      return;
    }
    reports.set(id, { report, lastTrained });
    if (store.model.id !== id) return;
    const isFirst = !this.view.shown;
    this.showReport();
    if (isFirst) this.appear();
  }

  /** Closes the report of the model that was asked for, which need not be the active one any more. */
  unanswered(error, { id, lastTrained }) {
    opened.delete(id);
    if (error.status === 404) {
      reports.delete(id);
      missing.set(id, lastTrained);
    }
    if (store.model.id !== id) return;
    this.showReport();
    if (error.status === 404) toast("What it learned was not kept.", { detail: "Train the model once more, and it is." });
    else complain(error);
  }

  appear() {
    animate(this.view.element, [{ opacity: 0, transform: "translateY(8px)" }, { opacity: 1, transform: "none" }], { duration: 320, easing: "ease-out" });
  }

  async train() {
    if (this.isRunning) return;
    const { id, name, lastTrained } = store.model;
    const asked = { model: id, isAsked: true };
    store.training = asked;
    begun.set(id, name);
    this.show();
    speak("Training has begun.");
    try {
      await api.train(id);
      // Unless it has ended already.
      if (begun.has(id)) running ??= { model: id, lastTrained };
    } catch (error) {
      if (error.code !== "alreadyTraining") ends(id, () => complain(error, undefined, { isOfScreen: true }));
      this.show();
    } finally {
      asked.isAsked = false;
    }
  }
}

/** What the server does, in words of the page. */
const stages = {
  waiting: "Waiting for its turn",
  teaching: "Looking at your drawings",
  adapting: "Learning what makes each special",
  judging: "Testing itself",
  saving: "Remembering",
};
