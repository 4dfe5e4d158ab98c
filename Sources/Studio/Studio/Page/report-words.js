// What a training changed, in words: the model's own for a child, the numbers for grown-ups.

import { count, percent } from "./dom.js";

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

/** How many labels a sentence names. */
const mostNamed = 3;
/** How many pairs that are mixed up a sentence names. */
const mostPairs = 2;

/** "🌳", "🌳 and 🌸", "🌳, 🌸 and 🐱". */
function listed(labels) {
  const before = labels.slice(0, -1);
  const last = labels.at(-1);
  return before.length === 0 ? last : `${before.join(", ")} and ${last}`;
}

/** Whether most of a label's drawings are recognized. */
const isKnown = ({ judged, recognizedShare }) => judged > 0 && recognizedShare > 0.5;

/**
 * What the model says of itself after a training, in words for a child and without shares. It knows
 * a label when it recognizes most of its drawings, each by a model that learned all the others.
 *
 * @param {{labels: object[], mistaken: object[]}} report The evaluation of the training.
 * @param {boolean} isEveryday Whether it knows everyday things as well.
 */
export function headline({ labels, mistaken }, isEveryday = false) {
  const names = (rows) => rows.map(({ label }) => label);
  const tested = labels.filter(({ judged }) => judged > 0);
  const known = tested.filter(isKnown);
  const pairs = mixedUp(mistaken);
  const sentences = [];

  if (tested.length > 0 && known.length === 0) sentences.push("I need more practice.");
  else if (known.length > 0 && known.length === labels.length) {
    const all = known.length > mostNamed ? `all ${known.length}` : listed(names(known));
    sentences.push(`I know ${all}!`);
  } else if (known.length > 0) sentences.push(`I know ${known.length} of ${labels.length}.`);

  const shown = pairs.length > mostPairs ? pairs.slice(0, 1) : pairs;
  if (pairs.length > 0) {
    const others = pairs.length > mostPairs ? [`${pairs.length - 1} other pairs`] : [];
    const mixed = [...shown.map(({ both }) => both.join(" and ")), ...others];
    sentences.push(`I mix up ${mixed.join(", and ")}.`);
  }

  const paired = new Set(shown.flatMap(({ both }) => both));
  const unsure = names(tested.filter((row) => !isKnown(row) && !paired.has(row.label)));
  // If more are hard, the number of known ones is enough.
  if (unsure.length > 0 && unsure.length <= mostNamed) {
    sentences.push(`I am not sure of ${listed(unsure)} yet.`);
  }

  const once = names(labels.filter(({ judged }) => judged === 0));
  if (once.length === 1) sentences.push(`I have seen only one ${once[0]}.`);
  else if (once.length > 1) {
    const which = once.length > mostNamed ? count(once.length, "emoji") : listed(once);
    sentences.push(`I have seen only one drawing each of ${which}.`);
  }
  if (once.length > 0 && tested.length === 0) {
    sentences.push("Draw more, and I can test myself!");
  } else if (labels.length === 1 && !isEveryday) {
    sentences.push("Show me something else, too!");
  }
  return sentences.join(" ");
}

/** The pairs of labels that are taken for each other, those of most drawings first. */
function mixedUp(mistaken) {
  const pairs = new Map();
  for (const { label, takenFor } of mistaken) {
    if (takenFor === null) continue;
    // Both directions are the same confusion.
    const both = [label, takenFor].sort();
    const key = JSON.stringify(both);
    pairs.set(key, { both, number: (pairs.get(key)?.number ?? 0) + 1 });
  }
  return [...pairs.values()].sort((a, b) => b.number - a.number);
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
  const ours = mistaken.filter(({ label }) => rows.has(label));
  const refused = new Map();
  for (const { label } of ours.filter(({ takenFor }) => takenFor === null)) {
    refused.set(label, (refused.get(label) ?? 0) + 1);
  }
  const confused = mixedUp(ours).map(({ both }) => ({
    labels: both.filter((label) => rows.has(label)),
    text: (name) => `${name(both[0])} and ${name(both[1])} look alike to me.`
      + " Draw what tells them apart, some of each.",
  }));
  const shy = [...refused].map(([label, number]) => ({ labels: [label], number }))
    .filter(({ labels: [label], number }) => number >= 0.3 * rows.get(label).judged)
    .sort((a, b) => b.number - a.number)
    .map(({ labels: drawn }) => ({
      labels: drawn,
      text: (name) => `I often don’t know ${name(drawn[0])}. Draw it in more ways,`
        + " as you would from day to day.",
    }));
  const few = labels.filter(({ samples }) => samples < enough)
    .sort((a, b) => a.samples - b.samples)
    .map(({ label, samples }) => ({
      labels: [label],
      text: (name) => `I have ${count(samples, "drawing")} of ${name(label)}; ${enough} are good.`,
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
 * The mark of a label's change. "As before" would mislead if most drawings added since the last
 * training are wrong: they may be mislabeled, or of another kind.
 */
export function markOf({ change, known, added }) {
  const isOdd = change === "same" && added && added.recognizedShare < 0.5
    && added.recognizedShare < (known?.shareAfter ?? 0);
  return isOdd ? { look: "worse", words: "new ones differ" }
    : { look: change, words: marks[change] ?? change };
}

/** The expected error rates on new drawings, in words; empty if they are unknown. */
export function prospect({ knownRefused, unknownAccepted }) {
  const about = ({ count, of, lower, upper }) =>
    `about ${percent(count / of)} (${percent(lower)} to ${percent(upper)})`;
  const parts = [
    knownRefused && `of new drawings of these emojis, ${about(knownRefused)} will shake`,
    unknownAccepted
      && `of drawings of anything else, ${about(unknownAccepted)} will be taken for one of them`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join("; ")}.`.replace("of", "Of") : "";
}

/** A label's counts in words: all of its drawings, those it knew before, and the new ones. */
export function facts({ samples, judged, recognizedShare, known, added }) {
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
