// Train Model (F-004): the button, the progress, and the report.

import { api } from "./api.js";
import {
  animate, appear, button, count, decorativeEmoji, fill, isWord, make, spring,
} from "./dom.js";
import { icon } from "./icons.js";
import { messages } from "./messages.js";
import { ReportView } from "./report.js";
import { headline, isRelabeled } from "./report-words.js";
import { coalesce } from "./refresh.js";
import { go } from "./router.js";
import { listen, load, store, tell } from "./store.js";
import { showError, speak, toast } from "./toasts.js";

/** The last report of each model that this page received, and the training that it is of. */
const reports = new Map();
/** The models without a stored report, and the training that it would be of. */
const missing = new Map();
/** The models whose report is open. */
const opened = new Set();
/** The maximum number of emojis that jump after a training. */
const mostGlad = 8;
/** The names of the models whose training was started here, by id. */
const begun = new Map();
/** The running training of the active model: the model, and when it was trained before. */
let running = null;
let isLooking = false;
/**
 * The trainings for corrections, by model: `ondone` of each correction that the running one has,
 * and of those that need another one because it had begun before them.
 */
const lessons = new Map();

/** Reports the ends of trainings on every screen (F-004). */
export function followTraining() {
  listen("training", (progress) => {
    if (progress.model === store.model.id) begins(progress);
  });
  listen("trained", ({ model, report }) => {
    if (store.isGuest) {
      ends(model, () => toast(`“${store.model.name}” has learned.`, {
        kind: "good", emoji: "✨",
        ...(document.body.dataset.screen === "playground" ? {}
          : { action: "Try it!", onaction: () => go("playground") }),
      }));
      return;
    }
    // Another training's end is announced, and begins that of the lessons which wait.
    const isLesson = lessons.get(model)?.now.length > 0;
    queueMicrotask(() => endLesson(model));
    if (report.samples === 0) {
      forget(model);
      ends(model, (name) => isLesson || reportForgotten(name, report.changes.removed));
      return;
    }
    // There are no events about another model's next training, which would make its report stale.
    if (model === store.model.id) reports.set(model, { report, lastTrained: null });
    else reports.delete(model);
    if (isLesson) {
      ends(model, () => {});
      return;
    }
    opened.add(model);
    // Renaming a label does not improve a model.
    const isNew = ({ change }) => change === "new" && !isRelabeled(report);
    const isSmarter = report.labels.some((row) => row.change === "better" || isNew(row));
    const words = isSmarter ? "got smarter." : "has learned.";
    const isEveryday = model === store.model.id && store.model.isEveryday;
    ends(model, (name) => {
      reportTrained(name, words, `“${headline(report, isEveryday)}”`);
      if (!name) tell("learned", report);
    });
  });
  listen("training-failed", ({ model, error }) => {
    lessons.delete(model);
    ends(model, () => store.isGuest || fail(error));
  });
  listen("model", ({ id, lastTrained }) => {
    // A report arrives before the model's new date of training.
    const kept = reports.get(id);
    if (kept?.lastTrained && !lastTrained) forget(id);
    else if (kept) kept.lastTrained ??= lastTrained;
  });
  listen("model", reportMissedEnd);
  if (store.training) begins(store.training);
}

/**
 * Trains a model for a correction, without messages except `ondone()`. One training serves all
 * corrections that were made before it began.
 */
export function learn(model, ondone) {
  const lesson = lessons.get(model);
  if (lesson) {
    lesson.next.push(ondone);
    return;
  }
  lessons.set(model, { now: [], next: [ondone] });
  beginLesson(model);
}

async function beginLesson(model) {
  const lesson = lessons.get(model);
  const { lastTrained } = store.model;
  const now = lesson.next;
  [lesson.now, lesson.next] = [now, []];
  try {
    await api.train(model);
    // Unless it has ended already.
    if (lesson.now === now && lessons.has(model) && model === store.model.id) {
      running ??= { model, lastTrained };
    }
  } catch (error) {
    if (error.code === "alreadyTraining") {
      // The end of that training begins this one, unless it was heard of before this answer.
      [lesson.now, lesson.next] = [[], [...now, ...lesson.next]];
      if (lessons.get(model) === lesson) return;
      lessons.set(model, lesson);
      beginLesson(model);
      return;
    }
    lessons.delete(model);
    // The only drawing was taken back before anything was learned.
    if (error.code !== "noSamples") fail(error);
  }
}

function endLesson(model) {
  const lesson = lessons.get(model);
  if (!lesson) return;
  for (const ondone of lesson.now) ondone();
  lesson.now = [];
  if (lesson.next.length > 0) beginLesson(model);
  else lessons.delete(model);
}

function fail(error) {
  showError(error, undefined, { isOfScreen: true });
}

/** Drops the report of a model that no longer knows any labels. */
function forget(model) {
  reports.delete(model);
  opened.delete(model);
}

/**
 * Shows that a model has learned: the active one or, with a `name`, another. The summary is left
 * out if the report itself is on the screen.
 */
function reportTrained(name, words, detail = "") {
  const { id } = store.model;
  if (name) {
    toast(`“${name}” ${words}`, { kind: "good", emoji: "✨", detail });
    return;
  }
  const onaction = () => {
    opened.add(id);
    go("train");
    document.querySelector(".training")?.scrollIntoView({ block: "center" });
  };
  const isThere = document.querySelector(".training") !== null;
  const more = isThere ? {} : { detail, action: "Show it", onaction };
  toast(`Your model ${words}`, { kind: "good", emoji: "✨", ...more });
}

/** Shows that a model was trained without drawings: the active one or, with a `name`, another. */
function reportForgotten(name, drawings) {
  const who = name ? `“${name}”` : "Your model";
  const what = drawings === undefined ? "everything" : count(drawings, "drawing");
  toast(`${who} forgot ${what}.`, { kind: "good", detail: "It knows nothing now." });
}

function begins(progress) {
  store.training = progress;
  if (progress.model === store.model.id && running?.model !== progress.model) {
    running = { model: progress.model, lastTrained: store.model.lastTrained };
  }
}

/** @param {Function} say Reports the end; gets the model's name if it is not the active one. */
function ends(model, say) {
  if (running?.model === model) running = null;
  if (store.training?.model === model) store.training = null;
  const name = begun.get(model);
  begun.delete(model);
  if (model === store.model.id) say();
  else if (name !== undefined) say(name);
}

/** Reports the end of a training whose event was missed while no stream was open. */
async function reportMissedEnd() {
  const lost = running;
  if (!lost || store.training || isLooking || store.isGuest) return;
  isLooking = true;
  try {
    // The event may still arrive.
    await new Promise((done) => {
      setTimeout(done, 1000);
    });
    await load();
    if (running !== lost || store.training) return;
    if (store.model.id !== lost.model) {
      // Another model is in use, perhaps because this one was deleted.
      running = null;
      return;
    }
    const isLesson = lessons.get(lost.model)?.now.length > 0;
    endLesson(lost.model);
    ends(lost.model, () => {
      const { lastTrained } = store.model;
      if (lastTrained === lost.lastTrained) fail(new Error(messages.notTrained));
      else if (isLesson) return;
      else if (lastTrained) reportTrained(null, "has learned.");
      else reportForgotten();
    });
    tell("model", store.model);
  } catch {
    // Without a server the state is unknown; once it is back, the next state is checked again.
  } finally {
    isLooking = false;
  }
}

export class TrainingCard {
  /** @param {AbortSignal} signal Ends it. */
  constructor(signal) {
    this.status = make("p", { class: "training-status" });
    this.bar = make("progress", { class: "progress", max: "1", "aria-label": "Training" });
    this.stage = make("p", { class: "training-stage", "aria-hidden": "true" });
    this.running = make("div", { class: "training-running", hidden: true }, this.bar, this.stage);
    this.button = button("is-primary", "Train Model", () => this.train());
    this.tryIt = make("a", {
      class: "button is-primary try-it", href: "#playground", text: "Try it!",
      data: { key: "try it" },
    });
    this.joy = make("p", { class: "training-joy", "aria-hidden": "true" });
    this.view = new ReportView();
    this.toggle = button("is-quiet", ["What it learned", icon("open")], () => this.turn(), {
      "aria-controls": "report",
    });
    this.element = make("section", { class: "card training", "aria-labelledby": "training-title" },
      make("h2", { id: "training-title", text: "Learning" }), this.status, this.joy,
      make("div", { class: "training-tools" }, this.button, this.tryIt, this.toggle),
      this.running, this.view.element);
    this.ask = coalesce(() => this.askReport());
    for (const kind of ["model", "training", "training-failed"]) {
      listen(kind, () => this.show(), signal);
    }
    listen("names", () => this.view.rename(), signal);
    listen("learned", (report) => this.celebrate(report), signal);
    listen("trained", () => {
      this.show();
      this.appear();
    }, signal);
    this.show();
  }

  get isRunning() {
    return store.training?.model === store.model.id;
  }

  show() {
    const model = store.model;
    const fresh = model.untrainedCount;
    let words = "Draw a shape, pick its emoji, and add a few samples.";
    if (fresh > 0 && model.lastTrained) words = `${count(fresh, "change")} since it last learned.`;
    else if (fresh > 0) words = `${count(fresh, "drawing")} to learn.`;
    else if (model.sampleCount > 0) words = "It knows all your drawings.";
    this.status.textContent = words;
    this.element.classList.toggle("is-eager", fresh > 0);
    this.tryIt.hidden = !model.lastTrained;
    // The end of a training arrives before the model's new counts.
    if (fresh === 0) this.isSettled = true;
    if (this.glad !== model.id || (fresh > 0 && this.isSettled)) fill(this.joy);
    const { isRunning } = this;
    this.running.hidden = !isRunning;
    // A disabled button would lose the focus.
    this.button.setAttribute("aria-disabled", String(isRunning));
    this.button.textContent = isRunning ? "Training …" : "Train Model";
    const { done, total, stage } = isRunning ? store.training : {};
    if (total > 0) this.bar.value = done / total;
    else this.bar.removeAttribute("value");
    this.stage.textContent = stages[stage] ?? stage ?? "";
    this.showReport();
  }

  /**
   * Every trained model has a report, unless it is known not to be stored; it is loaded when it is
   * opened.
   */
  showReport() {
    const { id, lastTrained } = store.model;
    const kept = reports.get(id);
    const isThere = Boolean(kept || (lastTrained && missing.get(id) !== lastTrained));
    const isOpen = isThere && opened.has(id);
    // A hidden button would lose the focus.
    if (!isThere && document.activeElement === this.toggle) this.button.focus();
    this.toggle.hidden = !isThere;
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    this.view.element.hidden = !isOpen;
    this.view.show(isOpen ? kept?.report : null);
    const isStale = kept?.lastTrained !== null && kept?.lastTrained !== lastTrained;
    if (isOpen && (!kept || isStale)) this.ask();
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

  /** Closes the report that could not be loaded; its model may no longer be the active one. */
  unanswered(error, { id, lastTrained }) {
    opened.delete(id);
    if (error.status === 404) {
      reports.delete(id);
      missing.set(id, lastTrained);
    }
    if (store.model.id !== id) return;
    this.showReport();
    const detail = "Train again to see it.";
    if (error.status === 404) toast("The report was not kept.", { detail });
    else showError(error);
  }

  appear() {
    appear(this.view.element, "translateY(8px)", 320);
  }

  /** The learned emojis jump for joy; with reduced motion they just appear. */
  celebrate({ labels }) {
    this.glad = store.model.id;
    this.isSettled = false;
    const faces = labels.filter(({ label }) => !isWord(label)).slice(0, mostGlad)
      .map(({ label }) => decorativeEmoji(label));
    fill(this.joy, faces);
    const frames = [
      { transform: "translateY(1.5rem) scale(0)", easing: "ease-out" },
      { transform: "translateY(-1.25rem) scale(1.25) rotate(-12deg)", offset: 0.4 },
      { transform: "none", offset: 0.65, easing: "ease-out" },
      { transform: "translateY(-.5rem) rotate(8deg)", offset: 0.82, easing: "ease-in" },
      { transform: "none" },
    ];
    faces.forEach((face, index) => animate(face, frames, {
      duration: 1100, delay: index * 90, easing: spring, fill: "backwards",
    }));
    animate(this.tryIt, [{ transform: "scale(.8)" }, { transform: "none" }], {
      duration: 420, delay: 300, easing: spring,
    });
  }

  async train() {
    if (this.isRunning) return;
    const { id, name, lastTrained, sampleCount } = store.model;
    if (sampleCount === 0 && !lastTrained) {
      toast("There is nothing to learn yet.", {
        detail: "Draw a shape, pick its emoji, and add a few samples.", topic: "empty",
      });
      return;
    }
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
      if (error.code !== "alreadyTraining") ends(id, () => fail(error));
      this.show();
    } finally {
      asked.isAsked = false;
    }
  }
}

/** The stages of a training, in words. */
const stages = {
  waiting: "Waiting for its turn",
  teaching: "Looking at your drawings",
  adapting: "Learning what makes each special",
  judging: "Testing itself",
  saving: "Remembering",
};
