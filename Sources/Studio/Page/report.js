// What a training changed: a summary in words, the drawings that look wrong, then each emoji.

import { api } from "./api.js";
import {
  button, count, decorativeEmoji, emoji, fill, isWord, make, meter, percent,
} from "./dom.js";
import { inkPicture } from "./ink-picture.js";
import { nameOf } from "./picker.js";
import { go } from "./router.js";
import { givenName, store, tell } from "./store.js";

/** The maximum number of shown drawings that look wrong. */
const mostMistaken = 12;

const verbs = { worse: "got worse", better: "got better", new: "is new" };
const marks = {
  new: "new", better: "better", same: "as before", worse: "worse", unknown: "too few",
};

/** A share as a number of drawings. */
function number(share, of) {
  return Math.round(share * of);
}

/** "37 of 40". */
function among(share, of) {
  return `${number(share, of)} of ${of}`;
}

/** Whether the previous training knew no drawing of the label that could be evaluated. */
function isNew({ judged, added }) {
  return added?.judged === judged;
}

/** Whether drawings were only relabeled since the previous training. */
export function isRelabeled({ changes }) {
  return changes?.added === 0 && changes.relabelled > 0;
}

/** A summary in words of what the model gets right, and what changed. */
export function summary(report) {
  const sentences = [];
  const relabeled = isRelabeled(report);
  if (relabeled) {
    const drawings = count(report.changes.relabelled, "drawing was", "drawings were");
    sentences.push(`${drawings} relabeled.`);
  }
  const sum = (value) => report.labels.reduce((total, row) => total + value(row), 0);
  const judged = sum((row) => row.judged);
  const right = sum((row) => number(row.recognizedShare ?? 0, row.judged));
  const how = right === judged ? `all ${judged}` : `${right} of ${judged}`;
  if (judged > 0) sentences.push(`It gets ${how} drawings right.`);
  const said = ({ change, ...row }) => change !== "new" || (isNew(row) && !relabeled);
  const changes = [];
  for (const [change, words] of Object.entries(verbs)) {
    const rows = report.labels.filter((row) => row.change === change && said(row));
    if (rows.length === 0) continue;
    const labels = rows.map(({ label }) => label).join(" ");
    const verb = rows.length > 1 ? words.replace("is ", "are ") : words;
    changes.push(`${rows.length > 4 ? count(rows.length, "emoji") : labels} ${verb}`);
  }
  if (changes.length > 0) sentences.push(`${changes.join(", ")}.`);
  return sentences.join(" ");
}

/** The fewest drawings with which an emoji is tested well. */
const enough = 5;
/** The maximum number of pieces of advice. */
const mostAdvice = 2;

/**
 * What to draw next, what matters most first: emojis that are taken for each other, then those
 * that are often refused, then those with few drawings. `labels` are the ones to draw.
 */
export function advice({ labels, mistaken }) {
  const rows = new Map(labels.map((row) => [row.label, row]));
  const pairs = new Map();
  const refused = new Map();
  for (const { label, takenFor } of mistaken.filter((each) => rows.has(each.label))) {
    if (takenFor === null) refused.set(label, (refused.get(label) ?? 0) + 1);
    else {
      // Both directions are the same confusion.
      const both = [label, takenFor].sort();
      const key = JSON.stringify(both);
      pairs.set(key, { both, number: (pairs.get(key)?.number ?? 0) + 1 });
    }
  }
  const most = (list) => list.sort((a, b) => b.number - a.number);
  const confused = most([...pairs.values()]).map(({ both, number }) => ({
    labels: both.filter((label) => rows.has(label)), number,
    text: (name) => `${name(both[0])} and ${name(both[1])} look alike to it:`
      + ` ${count(number, "drawing")}. Draw what tells them apart, some of each.`,
  }));
  const shy = most([...refused].map(([label, number]) => ({ label, number })))
    .filter(({ label, number }) => number >= 0.3 * rows.get(label).judged)
    .map(({ label, number }) => ({
      labels: [label],
      text: (name) => `It would refuse ${number} of ${rows.get(label).judged} of ${name(label)}.`
        + " Draw some as differently as you would from day to day.",
    }));
  const few = labels.filter(({ samples }) => samples < enough)
    .sort((a, b) => a.samples - b.samples)
    .map(({ label, samples }) => ({
      labels: [label],
      text: (name) => `${name(label)} has ${count(samples, "drawing")}; ${enough} are good.`,
    }));
  // Each emoji is named once.
  const named = new Set();
  return [...confused, ...shy, ...few].filter(({ labels: drawn }) => {
    const isNews = drawn.some((label) => !named.has(label));
    for (const label of drawn) named.add(label);
    return isNews;
  }).slice(0, mostAdvice);
}

/**
 * The mark of a label's change. New drawings that are mostly not right are no "as before": they may
 * be wrong, or of another kind.
 */
function markOf({ change, known, added }) {
  const isOdd = change === "same" && added && added.recognizedShare < 0.5
    && added.recognizedShare < (known?.shareAfter ?? 0);
  return isOdd ? { look: "worse", words: "new ones differ" }
    : { look: change, words: marks[change] ?? change };
}

/** The expected error rates on new drawings, in words; empty if they are unknown. */
function prospect({ knownRefused, unknownAccepted }) {
  const about = ({ count, of, lower, upper }) =>
    `about ${percent(count / of)} (${percent(lower)} to ${percent(upper)})`;
  const parts = [
    knownRefused && `of new drawings of these emojis, ${about(knownRefused)} will shake`,
    unknownAccepted
      && `of drawings of anything else, ${about(unknownAccepted)} will be taken for one of them`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join("; ")}.`.replace("of", "Of") : "";
}

/** The report of the active model. */
export class ReportView {
  constructor() {
    this.element = make("div", {
      class: "report", id: "report", role: "region", "aria-label": "What it learned",
    });
    this.names = [];
  }

  /** Shows a report; null for none. */
  show(report) {
    if (report === this.shown) return;
    this.shown = report;
    this.names = [];
    if (!report) {
      fill(this.element);
      return;
    }
    const isAlone = report.labels.some(({ judged }) => judged === 0);
    const hint = "A drawing counts as right when a model that learned all the others recognizes it."
      + (isAlone ? " An emoji needs two drawings before it can be tested." : "");
    const mistaken = make("div", { class: "report-mistaken", hidden: true });
    const hope = prospect(report);
    fill(this.element,
      make("p", { class: "report-summary", text: summary(report) }),
      hope ? make("p", { class: "report-prospect", text: hope }) : null,
      this.advice(report),
      mistaken,
      make("ul", { class: "report-rows" }, inOrder(report.labels).map((each) => this.row(each))),
      make("p", { class: "field-hint", text: hint }));
    if (report.mistaken.length > 0) this.showMistaken(report, mistaken);
  }

  /** Shows the labels' current names. */
  rename() {
    for (const name of this.names) name();
  }

  /** What to draw next, with the way there. */
  advice(report) {
    const given = advice(report);
    if (given.length === 0) return null;
    const names = new Map(report.labels.map(({ label, name }) => [label, name]));
    return make("div", { class: "report-advice" }, make("h3", { text: "Draw next" }),
      given.map(({ labels, text }) => {
        const words = make("p");
        const call = () => {
          words.textContent = text((label) => givenName(label) ?? names.get(label) ?? label);
        };
        call();
        this.names.push(call);
        return make("div", { class: "report-next" }, words, labels.map((label) =>
          button("is-quiet", ["Draw ", emoji(label)], () => go("train", label))));
      }));
  }

  row(row) {
    const { label, name, judged, recognizedShare } = row;
    const mark = markOf(row);
    const words = make("span", { class: "report-name" });
    const call = async () => {
      const given = () => givenName(label) ?? name;
      words.textContent = given() ?? label;
      if (given()) return;
      const found = await nameOf(label);
      words.textContent = given() ?? found;
    };
    call();
    this.names.push(call);
    return make("li", { class: `report-row${isWord(label) ? " is-word" : ""}` },
      isWord(label) ? null : decorativeEmoji(label, "report-emoji"),
      words,
      make("span", { class: "report-share", text: judged > 0 ? percent(recognizedShare) : "–" }),
      make("span", { class: `tag is-${mark.look}`, text: mark.words }),
      judged > 0 ? meter(recognizedShare) : null,
      make("span", { class: "report-words" }, facts(row).map((text) => make("span", { text }))));
  }

  /** The drawings that the model would misread or reject, to review and perhaps delete. */
  async showMistaken(report, place) {
    const first = report.mistaken.slice(0, mostMistaken);
    const wanted = new Map(first.map((each) => [each.sample, each]));
    let samples;
    try {
      samples = await api.samplesOf(store.model.id, [...wanted.keys()]);
    } catch {
      return;
    }
    // Some may have been relabeled since.
    samples = samples.filter(({ id, label }) => wanted.get(id).label === label);
    if (samples.length === 0 || this.shown !== report) return;
    place.hidden = false;
    const rest = report.mistaken.length - wanted.size;
    const hint = (text) => make("p", { class: "field-hint", text });
    fill(place,
      make("h3", { text: "Easily mistaken" }),
      hint("Look at these first. Open one to change its emoji or delete it."),
      make("ul", { class: "mistaken" },
        samples.map((sample) => this.mistake(sample, wanted.get(sample.id).takenFor))),
      rest > 0 ? hint(`And ${rest} more.`) : null);
  }

  /** A drawing, its label, and the model's label for it; null if it would be rejected. */
  mistake(sample, takenFor) {
    const open = () => tell("open-sample", sample);
    const button = make("button", { class: "thumb", type: "button", onclick: open },
      inkPicture(sample.strokes),
      make("span", { class: "thumb-note", "aria-hidden": "true" },
        emoji(sample.label), "→", takenFor ? emoji(takenFor) : "?"));
    const call = () => {
      const [is, seems] = [sample.label, takenFor].map((label) => givenName(label) ?? label);
      const words = `A ${is} that looks like ${seems ?? "nothing it knows"}`;
      button.setAttribute("aria-label", `${words}. Open it.`);
      button.title = words;
    };
    call();
    this.names.push(call);
    return make("li", {}, button);
  }
}

/** Labels that got worse first, then those with the lowest shares; untested ones last. */
function inOrder(labels) {
  const rank = ({ change, recognizedShare: share }) => (change === "worse" ? 0 : 3) + (share ?? 2);
  return labels.toSorted((a, b) => rank(a) - rank(b));
}

/** A label's counts in words: all of its drawings, those it knew before, and the new ones. */
function facts({ samples, judged, recognizedShare, known, added }) {
  if (judged === 0) return [`${count(samples, "drawing")}: add another to test it`];
  const said = [`${among(recognizedShare, judged)} right`];
  if (known && (added || known.shareBefore !== known.shareAfter)) {
    const { shareBefore, shareAfter, judged: of } = known;
    const before = shareBefore === shareAfter ? "" : `${number(shareBefore, of)} → `;
    said.push(`those it knew: ${before}${among(shareAfter, of)}`);
  }
  if (added && known) said.push(`new ones: ${among(added.recognizedShare, added.judged)}`);
  return said;
}
