// Where a template lies: TR-011, TR-012.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const { applying, identity, matrixOf, reachable } = await openPage()("similarity.js");

test("placements are those of complex numbers, within 1e-6", () => {
  const steps = JSON.parse(readFileSync(new URL("gestures.json", import.meta.url)));
  assert.equal(steps.length, 60);
  let placement = identity;
  for (const { gesture, matrix } of steps) {
    placement = applying(placement, gesture);
    const { a, b, c, d, e, f } = matrixOf(placement);
    const away = [a, b, c, d, e, f].map((each, index) => Math.abs(each - matrix[index]));
    assert.ok(Math.max(...away) < 1e-6, JSON.stringify(gesture));
  }
});

test("the middle of the template stays on the page", () => {
  const [box, page] = [{ x: 100, y: 50, width: 200, height: 200 }, { width: 400, height: 300 }];
  const far = reachable({ ...identity, x: 5000, y: -5000 }, box, page);
  assert.deepEqual(far, { scale: 1, rotation: 0, x: 200, y: -150 });
});

test("at the ends of the scales the center of a pinch stays under the fingers", () => {
  const large = applying(identity, { center: { x: 10, y: 20 }, scale: 100 });
  assert.deepEqual(large, { scale: 10, rotation: 0, x: -90, y: -180 });
  assert.equal(applying(identity, { scale: 1e-9 }).scale, 0.1);
});

test("a thousand turns there and back leave nothing behind", () => {
  let placement = { scale: 2, rotation: 0.3, x: 40, y: -7 };
  const start = placement;
  const center = { x: 310, y: 420 };
  for (let step = 0; step < 500; step += 1) {
    const scale = 1 + 0.1 * Math.sin(step);
    placement = applying(placement, { center, scale, rotation: 0.4 });
    placement = applying(placement, { center, scale: 1 / scale, rotation: -0.4 });
  }
  for (const key of Object.keys(start)) assert.ok(Math.abs(placement[key] - start[key]) < 1e-6);
});
