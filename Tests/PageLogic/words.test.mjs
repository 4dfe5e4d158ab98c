// Texts: what is a word, certainty, counts, times.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const load = openPage();
const dom = await load("dom.js");

test("what is no emoji is a word", () => {
  const words = ["cat", "ab", "10", "a/b", "!!", "¯\\_(ツ)_/¯", "गाड़ी", "a ⭐ star"];
  const signs = ["⭐", "❤", "👩‍🚀", "🇫🇷", "1️⃣", "A", "7", "語", "?"];
  assert.deepEqual([...words, ...signs].filter(dom.isWord), words);
});

test("characters are counted as people count them", () => {
  assert.equal(dom.graphemes("👩‍👩‍👧‍👦e\u0301ab"), 4);
  assert.equal(dom.graphemes(""), 0);
});

test("no model is certain, and a person is", () => {
  const said = [0, 0.004, 0.005, 0.724, 0.99, 0.991, 1].map((each) => dom.certain(each, "⭐"));
  const shares = ["< 1 %", "< 1 %", "1\u00a0%", "72\u00a0%", "99\u00a0%", "over 99 %", "over 99 %"];
  assert.deepEqual(said, shares);
  assert.equal(dom.sure(0.5, "⭐"), "50\u00a0% sure");
  assert.equal(dom.said(0.5, "⭐"), "50\u00a0% sure");
  assert.equal(dom.said(1, "⭐"), "as you said");
});

test("a label of fewer than three samples is never surer than 90 %", async () => {
  const { certain, countSamplesBy, shownCertainty } = await openPage()("dom.js");
  countSamplesBy((label) => ({ "⭐": 2, "❤️": 3 })[label]);
  assert.equal(certain(0.97, "⭐"), "90\u00a0%");
  assert.equal(shownCertainty(0.4, "⭐"), 0.4);
  assert.equal(certain(0.97, "❤️"), "97\u00a0%");
});

test("one drawing, two drawings", () => {
  const counted = [0, 1, 2, 1234].map((each) => dom.count(each, "drawing"));
  assert.deepEqual(counted, ["0 drawings", "1 drawing", "2 drawings", "1,234 drawings"]);
  assert.equal(dom.count(2, "drawing was", "drawings were"), "2 drawings were");
});

test("a time is today's, a day's, or never", () => {
  assert.match(dom.when(new Date().toISOString()), /^today, .*\d\d/);
  assert.match(dom.when("2020-05-03T12:00:00Z"), /2020/);
  assert.deepEqual(["", null, "soon"].map(dom.when), ["never", "never", "never"]);
});

test("identifiers are UUIDs, also where the browser makes none", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(dom.identifier(), uuid);
  const { randomUUID } = crypto;
  crypto.randomUUID = undefined;
  try {
    assert.match(dom.identifier(), uuid);
    assert.notEqual(dom.identifier(), dom.identifier());
  } finally {
    crypto.randomUUID = randomUUID;
  }
});

test("the times of a drawing count from its start", () => {
  const strokes = [
    { columns: [[1, 2], [3, 4], [1000.04, 1010]] }, { columns: [[5], [6], [1500.26]] },
  ];
  assert.deepEqual(dom.timed(strokes), [[[1, 2], [3, 4], [0, 10]], [[5], [6], [500.2]]]);
  const moved = dom.later({ id: "a", columns: [[1], [2], [30]] }, -10);
  assert.deepEqual(moved, { id: "a", columns: [[1], [2], [20]] });
});
