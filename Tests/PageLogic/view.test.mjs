// How a sheet lies in its window, and where strokes enter it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const { viewOf, filledShare, carried, entryShare } = await openPage()("sheet-view.js");

test("a sheet is as large as fits, in the middle", () => {
  const sheet = { width: 1000, height: 500 };
  assert.deepEqual(viewOf(sheet, { width: 1000, height: 500 }), {
    scale: 1, x: 0, y: 0, width: 1000, height: 500,
  });
  const { scale, x, y } = viewOf(sheet, { width: 400, height: 800 });
  assert.deepEqual([scale, x, y], [0.4, 0, 300]);
});

test("how much of a window a sheet fills", () => {
  const sheet = { width: 1000, height: 500 };
  assert.equal(filledShare(sheet, { width: 1000, height: 500 }), 1);
  assert.equal(filledShare(sheet, { width: 2000, height: 1000 }), 1);
  assert.equal(filledShare(sheet, { width: 1000, height: 250 }), 0.5);
  assert.equal(filledShare(sheet, { width: 500, height: 1000 }), 0.25);
});

test("ink keeps its place in pixels when the sheet gets another size", () => {
  const from = viewOf({ width: 1000, height: 700 }, { width: 1000, height: 700 });
  const to = viewOf({ width: 700, height: 1000 }, { width: 1000, height: 700 });
  const columns = [[0, 310.5, 999], [0, 20, 650], [1, 2, 3]];
  const moved = carried(columns, from, to);
  const pixels = ([xs, ys], { scale, x, y }) => [
    xs.map((each) => each * scale + x), ys.map((each) => each * scale + y),
  ];
  const [before, after] = [pixels(columns, from), pixels(moved, to)].map((each) => each.flat());
  before.forEach((each, index) => assert.ok(Math.abs(each - after[index]) < 0.01));
  assert.equal(moved[2], columns[2]);
  const back = carried(moved, to, from);
  columns[0].forEach((each, index) => assert.ok(Math.abs(each - back[0][index]) < 0.01));
});

test("a stroke from beside the sheet begins where it enters", () => {
  const paper = { left: 100, top: 50, width: 400, height: 300 };
  const share = (from, to) =>
    entryShare({ x: from[0], y: from[1] }, { x: to[0], y: to[1] }, paper);
  assert.equal(share([200, 390], [200, 310]), 0.5);
  assert.equal(share([60, 200], [140, 200]), 0.5);
  assert.equal(share([520, 200], [480, 180]), 0.5);
  assert.equal(share([200, 0], [200, 100]), 0.5);
  // From a corner, where the later edge is crossed.
  assert.equal(share([0, 40], [200, 140]), 0.5);
  assert.equal(share([200, 200], [300, 300]), 0);
});
