// What a browser keeps: the page does without where that is forbidden, full or spoiled.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Studio } from "./studio.mjs";
import { Tab } from "./tab.mjs";

let [tab, kept] = [];

beforeEach(async () => {
  tab = new Tab(new Studio());
  kept = await tab.load("kept.js");
});

test("texts and values are kept, and taken away", () => {
  assert.equal(kept.keep("a", "text"), true);
  assert.equal(kept.keptText("a"), "text");
  assert.equal(kept.keptText("a", "sessionStorage"), null);
  kept.keep("b", '{"x":1}');
  assert.deepEqual(kept.keptValue("b"), { x: 1 });
  kept.keep("b", null);
  assert.equal(kept.keptValue("b"), null);
});

test("where nothing may be kept there is nothing", () => {
  localStorage.isForbidden = true;
  assert.equal(kept.keep("a", "text"), false);
  assert.equal(kept.keptText("a"), null);
  assert.equal(kept.keptValue("a"), null);
});

test("what is spoiled is nothing", () => {
  localStorage.setItem("a", "{spoiled");
  sessionStorage.setItem("draft", '{"now":"?","strokes":[]}');
  assert.equal(kept.keptValue("a"), null);
  assert.equal(kept.keptDraft("draft"), null);
  assert.equal(kept.keptDraft("none"), null);
});

test("the times of a drawing go on behind a reload, whose clock begins anew", async () => {
  await tab.clock.pass(1500);
  const strokes = [{ columns: [[1, 2], [3, 4], [1400, 1440]] }];
  kept.keepDraft("draft", { label: "⭐", strokes });
  await tab.reload();
  const again = (await tab.load("kept.js")).keptDraft("draft");
  assert.equal(again.label, "⭐");
  // The pen came up 60 ms before it was kept.
  assert.deepEqual(again.strokes[0].columns[2], [-100, -60]);
  await tab.clock.pass(100);
  assert.ok(performance.now() > again.strokes[0].columns[2].at(-1));
});
