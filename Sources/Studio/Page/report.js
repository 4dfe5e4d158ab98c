// What a training brought, in words first: the drawings that look wrong, then each emoji.

import { api } from "./api.js";
import { count, emoji, fill, isWord, make, percent, setStyle } from "./dom.js";
import { inkPicture } from "./ink-picture.js";
import { nameOf } from "./picker.js";
import { store, tell } from "./store.js";

/** So many drawings that look wrong are shown. */
const mostMistaken = 12;

const marks = { new: "new", better: "better", same: "as before", worse: "worse", unknown: "too few" };

/** How many of a share's drawings that are. */
function number(share, of) {
  return Math.round(share * of);
}

/** "37 of 40". */
function among(share, of) {
  return `${number(share, of)} of ${of}`;
}

/** Whether the training before knew none of its drawings: one that it knew from a single drawing has nothing to compare, either. */
function isNew({ judged, added }) {
  return added?.judged === judged;
}

/** Two in one sentence: what it gets right, and what changed. */
export function summary(report) {
  const judged = report.labels.reduce((sum, row) => sum + row.judged, 0);
  const right = report.labels.reduce((sum, row) => sum + number(row.recognized ?? 0, row.judged), 0);
  const sentences = [];
  if (judged > 0) sentences.push(right === judged ? `It gets all ${judged} drawings right.` : `It gets ${right} of ${judged} drawings right.`);
  const changes = Object.entries({ worse: "got worse", better: "got better", new: "is new" }).map(([change, words]) => {
    const labels = report.labels.filter((row) => row.change === change && (change !== "new" || isNew(row))).map(({ label }) => label);
    if (labels.length === 0) return null;
    const verb = labels.length > 1 ? words.replace("is ", "are ") : words;
    return `${labels.length > 4 ? count(labels.length, "emoji") : labels.join(" ")} ${verb}`;
  }).filter(Boolean);
  if (changes.length > 0) sentences.push(`${changes.join(", ")}.`);
  return sentences.join(" ");
}

/** All of a report, for the model that is active. */
export class ReportView {
  constructor() {
    this.element = make("div", { class: "report", id: "report", role: "region", "aria-label": "What it learned" });
  }

  /** Shows a report, or none. */
  show(report) {
    if (report === this.shown) return;
    this.shown = report;
    if (!report) {
      fill(this.element);
      return;
    }
    const alone = report.labels.filter(({ judged }) => judged === 0);
    const mistaken = make("div", { class: "report-mistaken", hidden: true });
    fill(this.element,
      make("p", { class: "report-summary", text: summary(report) }),
      mistaken,
      make("ul", { class: "report-rows" }, inOrder(report.labels).map(row)),
      make("p", { class: "field-hint", text: `A drawing counts as right when a model that learned all the others recognizes it.${alone.length > 0 ? " An emoji needs two drawings before it can be tested." : ""}` }));
    if (report.mistaken.length > 0) this.showMistaken(report, mistaken);
  }

  /** The drawings that would be taken for something else or for nothing: worth a look, and perhaps worth deleting. */
  async showMistaken(report, place) {
    const wanted = new Map(report.mistaken.slice(0, mostMistaken).map((each) => [each.sample, each]));
    const found = new Map();
    try {
      for (const label of new Set([...wanted.values()].map((each) => each.label))) {
        let missing = [...wanted.values()].filter((each) => each.label === label).length;
        for (let before = ""; before !== null && missing > 0;) {
          const page = await api.samples(store.model.id, { label, before, limit: 500 });
          for (const sample of page.samples.filter(({ id }) => wanted.has(id))) {
            found.set(sample.id, sample);
            missing -= 1;
          }
          before = page.next;
        }
      }
    } catch {
      return;
    }
    // Some may have been mended or deleted since.
    const samples = [...wanted.keys()].map((id) => found.get(id)).filter(Boolean);
    if (samples.length === 0 || this.shown !== report) return;
    place.hidden = false;
    const rest = report.mistaken.length - wanted.size;
    fill(place,
      make("h3", { text: "Easily mistaken" }),
      make("p", { class: "field-hint", text: "Look at these first. Open one to change its emoji or delete it." }),
      make("ul", { class: "mistaken" }, samples.map((sample) => {
        const { takenFor } = wanted.get(sample.id);
        const words = takenFor ? `A ${sample.label} that looks like ${takenFor}` : `A ${sample.label} that looks like nothing it knows`;
        return make("li", {}, make("button", {
          class: "thumb", type: "button", "aria-label": `${words}. Open it.`, title: words, onclick: () => tell("open-sample", sample),
        }, inkPicture(sample.strokes), make("span", { class: "thumb-note", "aria-hidden": "true" },
          emoji(sample.label), "→", takenFor ? emoji(takenFor) : "?")));
      })),
      rest > 0 ? make("p", { class: "field-hint", text: `And ${rest} more.` }) : null);
  }
}

/** What needs a look comes first: what got worse, then what is seldom right; what could not be tested comes last. */
function inOrder(labels) {
  const rank = (each) => [each.change === "worse" ? 0 : 1, each.recognized ?? 2];
  return labels.map((each) => [rank(each), each])
    .sort(([[a, b]], [[c, d]]) => a - c || b - d).map(([, each]) => each);
}

function row({ label, name, samples, judged, recognized, known, added, change }) {
  const words = make("span", { class: "report-name", text: name ?? label });
  if (!name) {
    nameOf(label).then((found) => {
      words.textContent = found;
    });
  }
  const meter = make("span", { class: "meter", "aria-hidden": "true" });
  if (judged > 0) {
    const full = make("span", { class: "meter-after" });
    setStyle(full, { width: `${recognized * 100}%` });
    meter.append(full);
  }
  return make("li", { class: `report-row${isWord(label) ? " is-word" : ""}` },
    isWord(label) ? null : emoji(label, { class: "report-emoji", "aria-hidden": "true" }),
    words,
    make("span", { class: "report-share", text: judged > 0 ? percent(recognized) : "–" }),
    make("span", { class: `tag is-${change}`, text: marks[change] ?? change }),
    judged > 0 ? meter : null,
    make("span", { class: "report-words" }, facts({ samples, judged, recognized, known, added }).map((words) => make("span", { text: words }))));
}

/** A label's numbers in words: all of its drawings, those it knew before, and those that are new. */
function facts({ samples, judged, recognized, known, added }) {
  if (judged === 0) return [`${count(samples, "drawing")}: add another to test it`];
  const said = [`${among(recognized, judged)} right`];
  if (known && known.before !== known.after) {
    said.push(`those it knew: ${number(known.before, known.judged)} → ${among(known.after, known.judged)}`);
  }
  if (added && known) said.push(`new ones: ${among(added.recognized, added.judged)}`);
  return said;
}
