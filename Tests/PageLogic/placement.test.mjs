// Where emojis, words, messages and menus lie, in windows of many sizes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const place = await openPage()("placement.js");

const windows = [[320, 568], [390, 844], [844, 390], [768, 1024], [1280, 800], [1900, 1000]]
  .map(([width, height]) => ({ width, height }));

/** Boxes of a size all over a room. */
function boxesIn({ width, height }, side) {
  const shares = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1];
  return shares.flatMap((right) => shares.map((down) => ({
    x: right * (width - side), y: down * (height - side), width: side, height: side,
  })));
}

// MARK: Emojis

test("an emoji is as large as its drawing, and where it was put", () => {
  const boundingBox = { x: 10, y: 20, width: 30, height: 50 };
  assert.deepEqual(place.squareOf({ boundingBox }), { x: 10, y: 20, side: 50 });
  const placement = { x: 1, y: 2, side: 3 };
  assert.equal(place.squareOf({ boundingBox, placement }), placement);
  assert.equal(place.isMoved({ boundingBox }), false);
  assert.equal(place.isMoved({ boundingBox, placement }), true);
  const over = { x: 0, y: 20, side: 50 };
  assert.equal(place.isMoved({ boundingBox, placement: over }), false);
  assert.equal(place.isMoved({ boundingBox, placement: { ...over, side: 52 } }), true);
});

test("an emoji stays on the sheet, and neither too small nor too large", () => {
  const sheet = { width: 800, height: 600 };
  const inside = (x, y, side) => place.squareInside({ x, y, side }, sheet);
  assert.deepEqual(inside(100, 50, 80), { x: 100, y: 50, side: 80 });
  assert.deepEqual(inside(-40, 580, 100), { x: 0, y: 500, side: 100 });
  assert.deepEqual(inside(0, 0, 5000), { x: 200, y: 0, side: 600 });
  // A smaller one keeps its middle.
  assert.deepEqual(inside(400, 300, 2), { x: 392, y: 292, side: 18 });
});

test("the newest emoji's handle is on the paper, outside of the emoji where there is room", () => {
  for (const scale of [0.4, 1, 2]) {
    const sheet = { width: 500, height: 400, scale };
    for (const { x, y, width: side } of boxesIn(sheet, 120)) {
      const [cx, cy] = place.handlePlace({ x, y, side }, sheet);
      const gap = 22 / scale;
      const isOnPaper = cx >= gap && cx <= 500 - gap && cy >= gap && cy <= 400 - gap;
      assert.ok(isOnPaper, `${cx}, ${cy}`);
      const isOutside = cx < x || cx > x + side || cy < y || cy > y + side;
      assert.ok(isOutside, `${cx}, ${cy} of ${x}, ${y}`);
    }
  }
  // An emoji that fills the sheet has it inside.
  const sheet = { width: 400, height: 400, scale: 1 };
  assert.deepEqual(place.handlePlace({ x: 0, y: 0, side: 400 }, sheet), [378, 22]);
});

// MARK: Words

/** Letters that are half as wide as high. */
const widthOf = (words) => words.length / 2;
const paper = { width: 400, scale: 1 };

test("words are split into lines of about the same length", () => {
  assert.deepEqual(place.linesOf("cat"), ["cat"]);
  assert.deepEqual(place.linesOf("The Great Wall"), ["The Great", "Wall"]);
  assert.deepEqual(place.linesOf("The Great Wall of China"), ["The Great", "Wall of China"]);
});

test("words are as large as their square allows, on one or two lines", () => {
  const short = place.wordsPlace("cat", { x: 100, side: 150 }, paper, widthOf);
  assert.deepEqual(short.lines, ["cat"]);
  assert.ok(short.size * (widthOf("cat") + 1) <= 150 && short.size > 40);
  const long = place.wordsPlace("The Great Wall of China", { x: 100, side: 150 }, paper, widthOf);
  assert.deepEqual(long.lines, ["The Great", "Wall of China"]);
  assert.ok(long.size * (widthOf("Wall of China") + 1) <= 150 + 1e-9);
});

test("words on a small square stay readable, and on the paper, in any window", () => {
  for (const scale of [0.3, 0.5, 1, 2]) {
    const sheet = { width: 400, scale };
    for (const x of [0, 30, 180, 356]) {
      const label = "Donaudampfschifffahrtsgesellschaft";
      const { size, most, shift, lines } = place.wordsPlace(label, { x, side: 44 }, sheet, widthOf);
      assert.ok(size * scale >= 12 - 1e-9);
      assert.deepEqual(lines, [label]);
      if (most >= 400) continue;
      const middle = x + 22 + shift;
      assert.ok(middle - most / 2 >= -1e-9 && middle + most / 2 <= 400 + 1e-9, `${x}: ${shift}`);
    }
  }
});

// MARK: Messages and menus

test("a message lies beside its shape, and inside the sheet", () => {
  const message = { width: 220, height: 90 };
  for (const size of windows) {
    const view = { scale: 0.8, x: 12, y: 6, width: size.width, height: size.height };
    const sheet = { width: size.width / 0.8 - 30, height: size.height / 0.8 - 16 };
    for (const box of boxesIn(sheet, 90)) {
      const { left, top, isBelow } = place.messagePlace(box, message, view);
      const upper = isBelow ? top : top - message.height;
      const text = JSON.stringify({ size, box });
      assert.ok(left - 110 >= 0 && left + 110 <= size.width, text);
      assert.ok(upper >= 0 && upper + message.height <= size.height, text);
      const [first, last] = [6 + box.y * 0.8, 6 + (box.y + 90) * 0.8];
      assert.ok(isBelow ? upper >= last : upper + message.height <= first, text);
      assert.ok(Math.abs(isBelow ? upper - last : first - top) < 24, text);
    }
  }
});

test("a message that fits nowhere lies over its shape, inside the sheet", () => {
  const view = { scale: 1, x: 0, y: 0, width: 300, height: 200 };
  const box = { x: 60, y: 60, width: 100, height: 90 };
  const { top, isBelow } = place.messagePlace(box, { width: 200, height: 120 }, view);
  assert.equal(isBelow, true);
  assert.equal(top, 76);
});

test("a message's tip is at its shape", () => {
  const view = { scale: 1, x: 0, y: 0, width: 300, height: 400 };
  const box = { x: 250, y: 10, width: 40, height: 40 };
  const { left, point } = place.messagePlace(box, { width: 200, height: 60 }, view);
  assert.equal(left + point, 270);
});

test("a menu is whole in its window, and beside its emoji", () => {
  const menu = { width: 260, height: 300 };
  for (const size of windows.filter(({ width }) => width >= 760)) {
    for (const { x, y, width } of boxesIn(size, 60)) {
      const box = { left: x, top: y, width, height: width };
      const { left, top } = place.menuPlace(box, menu, size);
      const text = JSON.stringify({ size, box });
      assert.ok(left >= 8 && left + 260 <= size.width - 8, text);
      assert.ok(top >= 8 && top + 300 <= size.height - 8, text);
      const isApart = left >= x + width || left + 260 <= x || top >= y + width || top + 300 <= y;
      assert.ok(isApart, text);
    }
  }
});

test("the menu of a low shape is at the upper edge of a phone", () => {
  const isLow = (top) => place.menuPlace(
    { left: 100, top, width: 60, height: 60 }, { width: 300, height: 200 }, windows[1]).isLow;
  assert.deepEqual([isLow(100), isLow(600)], [false, true]);
});
