// What a training changed: a summary in words, the drawings that look wrong, then each emoji.

import { api } from "./api.js";
import { count, decorativeEmoji, emoji, fill, isWord, make, meter, percent } from "./dom.js";
import { inkPicture } from "./ink-picture.js";
import { nameOf } from "./picker.js";
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
      mistaken,
      make("ul", { class: "report-rows" }, inOrder(report.labels).map((each) => this.row(each))),
      make("p", { class: "field-hint", text: hint }));
    if (report.mistaken.length > 0) this.showMistaken(report, mistaken);
  }

  /** Shows the labels' current names. */
  rename() {
    for (const name of this.names) name();
  }

  row(row) {
    const { label, name, judged, recognizedShare, change } = row;
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
      make("span", { class: `tag is-${change}`, text: marks[change] ?? change }),
      judged > 0 ? meter(recognizedShare) : null,
      make("span", { class: "report-words" }, facts(row).map((text) => make("span", { text }))));
  }

  /** The drawings that the model would misread or reject, to review and perhaps delete. */
  async showMistaken(report, place) {
    const first = report.mistaken.slice(0, mostMistaken);
    const wanted = new Map(first.map((each) => [each.sample, each]));
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
    // Some may have been relabeled or deleted since.
    const samples = [...wanted.keys()].map((id) => found.get(id)).filter(Boolean);
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
