// What a training brought, in words first: the drawings that look wrong, then each emoji.

import { api } from "./api.js";
import { count, emoji, fill, isWord, make, percent, setStyle } from "./dom.js";
import { inkPicture } from "./ink-picture.js";
import { nameOf } from "./picker.js";
import { givenName, store, tell } from "./store.js";

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

/** Whether no drawing came since the training before, and some have another label: a label that is new then was only renamed. */
export function isRelabelled({ changes }) {
  return changes?.added === 0 && changes.relabelled > 0;
}

/** Two in one sentence: what it gets right, and what changed. */
export function summary(report) {
  const judged = report.labels.reduce((sum, row) => sum + row.judged, 0);
  const right = report.labels.reduce((sum, row) => sum + number(row.recognizedShare ?? 0, row.judged), 0);
  const sentences = [];
  if (judged > 0) sentences.push(right === judged ? `It gets all ${judged} drawings right.` : `It gets ${right} of ${judged} drawings right.`);
  const relabelled = isRelabelled(report);
  if (relabelled) sentences.unshift(`${count(report.changes.relabelled, "drawing was", "drawings were")} relabelled.`);
  const changes = Object.entries({ worse: "got worse", better: "got better", new: "is new" }).map(([change, words]) => {
    const labels = report.labels.filter((row) => row.change === change && (change !== "new" || (isNew(row) && !relabelled))).map(({ label }) => label);
    if (labels.length === 0) return null;
    const verb = labels.length > 1 ? words.replace("is ", "are ") : words;
    return `${labels.length > 4 ? count(labels.length, "emoji") : labels.join(" ")} ${verb}`;
  }).filter(Boolean);
  if (changes.length > 0) sentences.push(`${changes.join(", ")}.`);
  return sentences.join(" ");
}

/** What new drawings can hope for: "Of new drawings of these emojis about 10 % shake (6 to 15 %); …"; empty where nobody knows. */
export function prospect({ knownRefused, unknownAccepted }) {
  const about = ({ count, of, lower, upper }) => `about ${percent(count / of)} (${percent(lower)} to ${percent(upper)})`;
  const parts = [];
  if (knownRefused) parts.push(`Of new drawings of these emojis, ${about(knownRefused)} will shake`);
  if (unknownAccepted) parts.push(`${parts.length > 0 ? "of" : "Of"} drawings of anything else, ${about(unknownAccepted)} will be taken for one of them`);
  return parts.length > 0 ? `${parts.join("; ")}.` : "";
}

/** All of a report, for the model that is active. */
export class ReportView {
  constructor() {
    this.element = make("div", { class: "report", id: "report", role: "region", "aria-label": "What it learned" });
    this.names = [];
  }

  /** Shows a report, or none. */
  show(report) {
    if (report === this.shown) return;
    this.shown = report;
    this.names = [];
    if (!report) {
      fill(this.element);
      return;
    }
    const alone = report.labels.filter(({ judged }) => judged === 0);
    const mistaken = make("div", { class: "report-mistaken", hidden: true });
    const hope = prospect(report);
    fill(this.element,
      make("p", { class: "report-summary", text: summary(report) }),
      hope ? make("p", { class: "report-prospect", text: hope }) : null,
      mistaken,
      make("ul", { class: "report-rows" }, inOrder(report.labels).map((each) => this.row(each))),
      make("p", { class: "field-hint", text: `A drawing counts as right when a model that learned all the others recognizes it.${alone.length > 0 ? " An emoji needs two drawings before it can be tested." : ""}` }));
    if (report.mistaken.length > 0) this.showMistaken(report, mistaken);
  }

  /** Calls labels what they are called now. */
  rename() {
    for (const name of this.names) name();
  }

  row({ label, name, samples, judged, recognizedShare, known, added, change }) {
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
    const meter = make("span", { class: "meter", "aria-hidden": "true" });
    if (judged > 0) {
      const full = make("span", { class: "meter-after" });
      setStyle(full, { width: `${recognizedShare * 100}%` });
      meter.append(full);
    }
    return make("li", { class: `report-row${isWord(label) ? " is-word" : ""}` },
      isWord(label) ? null : emoji(label, { class: "report-emoji", "aria-hidden": "true" }),
      words,
      make("span", { class: "report-share", text: judged > 0 ? percent(recognizedShare) : "–" }),
      make("span", { class: `tag is-${change}`, text: marks[change] ?? change }),
      judged > 0 ? meter : null,
      make("span", { class: "report-words" }, facts({ samples, judged, recognizedShare, known, added }).map((each) => make("span", { text: each }))));
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
        const button = make("button", { class: "thumb", type: "button", onclick: () => tell("open-sample", sample) },
          inkPicture(sample.strokes), make("span", { class: "thumb-note", "aria-hidden": "true" },
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
      })),
      rest > 0 ? make("p", { class: "field-hint", text: `And ${rest} more.` }) : null);
  }
}

/** What needs a look comes first: what got worse, then what is seldom right; what could not be tested comes last. */
function inOrder(labels) {
  const rank = (each) => [each.change === "worse" ? 0 : 1, each.recognizedShare ?? 2];
  return labels.map((each) => [rank(each), each])
    .sort(([[a, b]], [[c, d]]) => a - c || b - d).map(([, each]) => each);
}

/** A label's numbers in words: all of its drawings, those it knew before, and those that are new. */
function facts({ samples, judged, recognizedShare, known, added }) {
  if (judged === 0) return [`${count(samples, "drawing")}: add another to test it`];
  const said = [`${among(recognizedShare, judged)} right`];
  if (known && (added || known.shareBefore !== known.shareAfter)) {
    const before = known.shareBefore === known.shareAfter ? "" : `${number(known.shareBefore, known.judged)} → `;
    said.push(`those it knew: ${before}${among(known.shareAfter, known.judged)}`);
  }
  if (added && known) said.push(`new ones: ${among(added.recognizedShare, added.judged)}`);
  return said;
}
