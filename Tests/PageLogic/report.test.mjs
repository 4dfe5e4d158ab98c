// The words of a report: the model's own, the numbers, and what to draw next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const report = await openPage()("report-words.js");
const [tree, flower, cat, dog, sun, fish] = ["🌳", "🌸", "🐱", "🐶", "☀", "🐟"];

/** A row: `known` is [judged, before, after], `added` [judged, recognized]. */
function row(label, judged, recognizedShare, { known, added, change = "same", samples } = {}) {
  const before = known && { judged: known[0], shareBefore: known[1], shareAfter: known[2] };
  return {
    label, judged, recognizedShare, change, samples: samples ?? (judged || 1),
    known: before ?? null, added: added ? { judged: added[0], recognizedShare: added[1] } : null,
  };
}

/** Drawings that were taken for other labels; null: for none. */
const mixed = (...pairs) => pairs.map(([label, takenFor]) => ({ label, takenFor }));

const each = (labels, judged, share) => labels.map((label) => row(label, judged, share));

const headlines = [
  ["all known", each([tree, flower, cat, dog], 5, 1), [], "I know all 4!"],
  [
    "few, all known", [row(tree, 5, 1), row(cat, 5, 0.8)], [[cat, null]],
    `I know ${tree} and ${cat}!`,
  ],
  ["three", each([tree, cat, sun], 2, 1), [], `I know ${tree}, ${cat} and ${sun}!`],
  [
    "both ways are one confusion",
    each([tree, flower, cat, dog, sun, fish], 5, 0.8), [[tree, flower], [flower, tree]],
    `I know all 6! I mix up ${tree} and ${flower}.`,
  ],
  [
    "two pairs, the one of more drawings first",
    each([tree, flower, cat, dog], 5, 0.8), [[tree, flower], [cat, dog], [dog, cat]],
    `I know all 4! I mix up ${cat} and ${dog}, and ${tree} and ${flower}.`,
  ],
  [
    "many pairs",
    each([tree, flower, cat, dog], 5, 0.6),
    [[tree, flower], [tree, cat], [cat, dog], [dog, cat]],
    `I know all 4! I mix up ${cat} and ${dog}, and 2 other pairs.`,
  ],
  [
    "some are refused",
    [row(tree, 5, 1), row(cat, 4, 0.5), row(dog, 5, 0.2)], [[cat, null], [dog, null]],
    `I know 1 of 3. I am not sure of ${cat} and ${dog} yet.`,
  ],
  [
    "many are refused", [row(tree, 5, 1), ...each([flower, cat, dog, sun], 5, 0)], [],
    "I know 1 of 5.",
  ],
  [
    "nothing is known", each([tree, flower], 2, 0), [[tree, flower], [flower, tree]],
    `I need more practice. I mix up ${tree} and ${flower}.`,
  ],
  ["one label", [row(tree, 5, 1)], [], `I know ${tree}! Show me something else, too!`],
  [
    "one drawing", [row(tree, 0, null)], [],
    `I have seen only one ${tree}. Draw more, and I can test myself!`,
  ],
  [
    "nothing held out", each([tree, cat], 0, null), [],
    `I have seen only one drawing each of ${tree} and ${cat}. Draw more, and I can test myself!`,
  ],
  [
    "most seen once", [row(tree, 3, 1), ...each([flower, cat, dog, sun], 0, null)], [],
    "I know 1 of 5. I have seen only one drawing each of 4 emojis.",
  ],
  [
    "a word", each(["cat", dog], 5, 1), [["cat", dog]],
    `I know cat and ${dog}! I mix up cat and ${dog}.`,
  ],
];

for (const [name, labels, wrong, words] of headlines) {
  test(`the model says of itself what it knows: ${name}`, () => {
    const said = report.headline({ labels, mistaken: mixed(...wrong) });
    assert.equal(said, words);
    // A child reads no shares.
    assert.doesNotMatch(said, /%/);
  });
}

test("who knows everyday things needs nothing else to be shown", () => {
  const said = report.headline({ labels: [row(tree, 5, 1)], mistaken: [] }, true);
  assert.equal(said, `I know ${tree}!`);
});

test("the numbers say how many are right, and what changed", () => {
  const labels = [
    row("☀️", 8, 1, { known: [8, 1, 1] }),
    row("⭐", 8, 0.875, { known: [5, 0.6, 0.8], added: [3, 1], change: "better" }),
    row("🏠", 8, 0.75, { added: [8, 0.75], change: "new" }),
    row("🐟", 8, 0.625, { known: [8, 0.875, 0.625], change: "worse" }),
  ];
  const words = "It gets 26 of 32 drawings right. 🐟 got worse, ⭐ got better, 🏠 is new.";
  assert.equal(report.summary({ labels }), words);
});

test("an emoji is new only where no drawing of it was known", () => {
  // The star was known, from one drawing: there is nothing to compare.
  const labels = [
    row("⭐", 3, 1, { added: [2, 1], change: "new" }),
    row("🏠", 3, 1, { added: [3, 1], change: "new" }),
    row("🐟", 2, 1, { change: "new" }),
  ];
  assert.equal(report.summary({ labels }), "It gets all 8 drawings right. 🏠 is new.");
});

test("many changes are counted", () => {
  const labels = [tree, flower, cat, dog, sun]
    .map((label) => row(label, 2, 1, { added: [2, 1], change: "new" }));
  assert.equal(report.summary({ labels }), "It gets all 10 drawings right. 5 emojis are new.");
});

test("a label that was only renamed is no news", () => {
  const labels = [row("🌟", 8, 1, { added: [8, 1], change: "new" })];
  const changes = { added: 0, relabelled: 8, removed: 0 };
  assert.equal(report.isRelabeled({ changes }), true);
  const words = "8 drawings were relabeled. It gets all 8 drawings right.";
  assert.equal(report.summary({ labels, changes }), words);
  assert.equal(report.isRelabeled({ changes: { ...changes, added: 1 } }), false);
});

test("a row says what is right of all, of those it knew, and of new ones", () => {
  const facts = [
    row("🐟", 8, 0.625, { known: [8, 0.875, 0.625] }),
    row("❤️", 8, 0.5, { known: [6, 0.5, 0.5], added: [2, 0.5] }),
    row("🏠", 8, 0.75, { added: [8, 0.75] }),
    row("⭐", 8, 0.875, { known: [5, 0.6, 0.8], added: [3, 1] }),
    row("☀️", 8, 1, { known: [8, 1, 1] }),
    row("🌙", 0, null, { samples: 1 }),
  ].map(report.facts);
  assert.deepEqual(facts, [
    ["5 of 8 right", "those it knew: 7 → 5 of 8"],
    ["4 of 8 right", "those it knew: 3 of 6", "new ones: 1 of 2"],
    ["6 of 8 right"],
    ["7 of 8 right", "those it knew: 3 → 4 of 5", "new ones: 3 of 3"],
    ["8 of 8 right"],
    ["1 drawing: add another to test it"],
  ]);
});

test("new drawings that are mostly wrong are no “as before”", () => {
  const odd = row("🐟", 11, 0.727, { known: [8, 1, 1], added: [3, 0] });
  assert.deepEqual(report.markOf(odd), { look: "worse", words: "new ones differ" });
  const same = row("☀️", 8, 1, { known: [8, 1, 1] });
  assert.deepEqual(report.markOf(same), { look: "same", words: "as before" });
});

test("what matters most is to be drawn next, each emoji once", () => {
  const labels = [
    row("☀️", 8, 1), row("⭐", 8, 0.75), row("❤️", 8, 0.5), row("🏠", 3, 1), row("🐟", 11, 0.727),
  ];
  const mistaken = mixed(
    ["🐟", "⭐"], ["🐟", "⭐"], ["⭐", "🐟"], ["❤️", null], ["❤️", null], ["❤️", null],
  );
  const said = report.advice({ labels, mistaken });
  assert.deepEqual(said.map(({ labels: drawn }) => [...drawn].sort()), [["⭐", "🐟"], ["❤️"]]);
  const name = (label) => (label === "🐟" ? "Nemo" : label);
  assert.deepEqual(said.map(({ text }) => text(name)), [
    "⭐ and Nemo look alike to me. Draw what tells them apart, some of each.",
    "I often don’t know ❤️. Draw it in more ways, as you would from day to day.",
  ]);
});

test("few drawings are said, and what is right and enough needs no advice", () => {
  const [few] = report.advice({ labels: [row("🏠", 3, 1)], mistaken: [] });
  assert.equal(few.text((label) => label), "I have 3 drawings of 🏠; 5 are good.");
  const labels = [row("☀️", 8, 1), row("🏠", 5, 1)];
  assert.deepEqual(report.advice({ labels, mistaken: [] }), []);
});

test("what new drawings can hope for is said where it is known", () => {
  assert.equal(report.prospect({}), "");
  const unknownAccepted = { count: 3, of: 60, lower: 0.02, upper: 0.14 };
  const known = report.prospect({ unknownAccepted });
  assert.match(known, /^Of drawings of anything else, about 5\u00a0% \(2\u00a0% to 14\u00a0%\)/);
  const both = report.prospect({ unknownAccepted, knownRefused: { ...unknownAccepted, count: 6 } });
  assert.match(both, /^Of new drawings of these emojis, about 10.* will shake; of drawings of any/);
});
