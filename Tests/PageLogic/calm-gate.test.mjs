// The gate of Calm: 6.0 s in the corner with one pointer, and nothing else opens it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const page = openPage();
const { cornerSide, makeGate, progress, step } = await page("calm-gate.js");
const { between, makeRandom, next } = await page("calm-random.js");

const phone = { width: 390, height: 844 };
const corner = { id: 1, x: 370, y: 20 };

function gateOf(size = phone) {
  return step(makeGate(), { kind: "size", ...size });
}

/** Whether a gate opens after some events and a frame at each tenth of a second. */
function isOpenAfter(milliseconds, events = [], size = phone, place = corner) {
  const gate = gateOf(size);
  step(gate, { kind: "down", time: 0, ...place });
  let due = [...events];
  for (let time = 0; time <= milliseconds; time += 100) {
    for (const event of due.filter((each) => each.time <= time)) step(gate, event);
    due = due.filter((each) => each.time > time);
    step(gate, { kind: "tick", time });
  }
  return gate.isOpen;
}

test("CL-020: 5.9 s does nothing, 6.0 s opens", function hold() {
  assert.equal(isOpenAfter(5900), false);
  assert.equal(isOpenAfter(6000), true);
});

test("CL-020: the corner is 80 px, and 110 px from tablets on", function cornerSizes() {
  assert.equal(cornerSide(phone), 80);
  assert.equal(cornerSide({ width: 844, height: 390 }), 80);
  assert.equal(cornerSide({ width: 820, height: 1180 }), 110);
  assert.equal(isOpenAfter(7000, [], phone, { id: 1, x: 311, y: 79 }), true);
  assert.equal(isOpenAfter(7000, [], phone, { id: 1, x: 309, y: 20 }), false);
  assert.equal(isOpenAfter(7000, [], phone, { id: 1, x: 370, y: 81 }), false);
  const tablet = { width: 820, height: 1180 };
  assert.equal(isOpenAfter(7000, [], tablet, { id: 1, x: 711, y: 109 }), true);
});

test("CL-020: lifting, slipping out, a second finger, and a turned device reset", function reset() {
  const second = { id: 2, x: 100, y: 500 };
  assert.equal(isOpenAfter(9000, [{ kind: "up", time: 3000, ...corner }]), false);
  const slip = [
    { kind: "move", time: 3000, id: 1, x: 300, y: 20 }, { kind: "move", time: 3100, ...corner },
  ];
  assert.equal(isOpenAfter(9900, slip), false);
  const touch = [
    { kind: "down", time: 3000, ...second }, { kind: "up", time: 3100, ...second },
  ];
  assert.equal(isOpenAfter(9900, touch), false);
  assert.equal(isOpenAfter(9900, [{ kind: "size", time: 3000, width: 844, height: 390 }]), false);
  assert.equal(isOpenAfter(9900, [{ kind: "reset", time: 3000 }]), false);
  // Trembling inside the corner does not.
  assert.equal(isOpenAfter(6000, [{ kind: "move", time: 3000, id: 1, x: 350, y: 60 }]), true);
  // A finger that rests elsewhere keeps the gate shut.
  const gate = gateOf();
  step(gate, { kind: "down", time: 0, ...second });
  step(gate, { kind: "down", time: 10, ...corner });
  step(gate, { kind: "tick", time: 9000 });
  assert.equal(gate.isOpen, false);
});

test("CL-020: progress goes from 0 to 1 only while held", function ring() {
  const gate = gateOf();
  assert.equal(progress(gate, 500), 0);
  step(gate, { kind: "down", time: 1000, ...corner });
  assert.equal(progress(gate, 4000), 0.5);
  assert.equal(progress(gate, 20000), 1);
  step(gate, { kind: "up", time: 4100, ...corner });
  assert.equal(progress(gate, 20000), 0);
});

test("CL-050: 10,000 random taps and holds below 6 s never open", function taps(context) {
  const seed = Number(process.env.CALM_SEED ?? Math.floor(2 ** 32 * Math.random()));
  context.diagnostic(`seed ${seed}`);
  const random = makeRandom(seed);
  const gate = gateOf();
  let time = 0;
  for (let tap = 0; tap < 10_000; tap += 1) {
    const id = 1 + Math.floor(3 * next(random));
    const inCorner = next(random) < 0.7;
    const place = () => ({
      id, x: inCorner ? between(random, 311, 390) : between(random, 0, 390),
      y: inCorner ? between(random, 0, 80) : between(random, 0, 844),
    });
    const hold = next(random) < 0.5 ? between(random, 10, 400) : between(random, 400, 5990);
    step(gate, { kind: "down", time, ...place() });
    for (let passed = 0; passed < hold; passed += 233) {
      step(gate, { kind: "move", time: time + passed, ...place() });
      step(gate, { kind: "tick", time: time + passed });
    }
    step(gate, { kind: "tick", time: time + hold });
    // Now and then a second finger comes before the first goes.
    if (next(random) < 0.2) {
      step(gate, { kind: "down", time: time + hold, ...place(), id: 9 });
      step(gate, { kind: "up", time: time + hold + 5, ...place(), id: 9 });
    }
    time += hold;
    step(gate, { kind: "up", time, ...place() });
    time += between(random, 0, 50);
    step(gate, { kind: "tick", time });
    assert.equal(gate.isOpen, false, `tap ${tap} of seed ${seed}`);
  }
});
