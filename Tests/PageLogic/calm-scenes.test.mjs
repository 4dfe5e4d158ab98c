// Calm's scenes without a browser: their limits hold under thousands of touches, the same seed
// gives the same picture, and reduced motion moves less.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { folder, openPage } from "./page.mjs";

const page = openPage();
const { makeInput, scenes, stepSeconds } = await page("calm-scenes.js");
const { resize } = await page("calm-fingers.js");
const { between, makeRandom, next } = await page("calm-random.js");
const { radiusOf, strengthOf } = scenes.ripples;
const names = Object.keys(scenes);
const seed = Number(process.env.CALM_SEED ?? Math.floor(2 ** 32 * Math.random()));
const [width, height] = [820, 1180];

/** Fingers that come, move and go at random: `move()` before each step. */
function fingers(random, input, { most = 10, often = 0.5 } = {}) {
  let number = 0;
  let touches = 0;
  return {
    get touches() { return touches; },
    move() {
      for (let index = input.pointers.length - 1; index >= 0; index -= 1) {
        const pointer = input.pointers[index];
        pointer.isNew = false;
        pointer.x += between(random, -30, 30);
        pointer.y += between(random, -30, 30);
        if (next(random) < 0.2) input.pointers.splice(index, 1);
      }
      while (input.pointers.length < most && next(random) < often) {
        number += 1;
        touches += 1;
        input.pointers.push({
          id: number, x: between(random, -20, width + 20), y: between(random, -20, height + 20),
          isNew: true,
        });
      }
      input.tilt.x = between(random, -1, 1);
      input.tilt.y = between(random, -1, 1);
      input.shake = next(random) < 0.02 ? next(random) : 0;
    },
  };
}

/** The arrays of a state, also those in its parts. */
function arraysOf(state) {
  const isArray = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
  return Object.entries(state).flatMap(([key, value]) => {
    if (isArray(value)) return [[key, value, value.length]];
    return value && typeof value === "object" ? arraysOf(value) : [];
  });
}

const finite = (array) =>
  array.every((value) => typeof value === "string" || Number.isFinite(value));

/** What must hold of a scene at any time. */
const limits = {
  snow: (state) => state.count >= 200 && state.count <= 600 && state.x.length === 600,
  ripples: (state) => state.age.length === 12,
  bubbles: (state) => state.count <= 30 && state.x.length === 30,
  bloom: (state) => state.length.every((length) => length <= 160),
};

for (const name of names) {
  test(`CL-050: ${name} keeps its limits under 10,000 random touches, and allocates nothing`,
    function limited(context) {
      context.diagnostic(`seed ${seed}`);
      const scene = scenes[name];
      assert.equal(scene.name, name);
      const state = scene.make(seed, width, height);
      const kept = arraysOf(state);
      const keys = Object.keys(state).join();
      const input = makeInput();
      const hand = fingers(makeRandom(seed), input);
      for (let turn = 0; hand.touches < 10_000; turn += 1) {
        hand.move();
        input.lateness = Math.floor(turn / 300) % 2;
        scene.step(state, input, stepSeconds);
        if (turn % 700 === 0) resize(state, state.height, state.width);
        assert.ok(limits[name]?.(state) ?? true, `turn ${turn} of seed ${seed}`);
      }
      const after = arraysOf(state);
      assert.equal(Object.keys(state).join(), keys);
      kept.forEach(([key, array, length], index) => {
        assert.equal(after[index][1], array, `${key} is another array`);
        assert.equal(array.length, length, `${key} grew`);
        assert.ok(finite(array), `${key} has a number that is not finite`);
      });
    });

  test(`${name}: the same seed and touches give the same state`, () => {
    const end = (of) => {
      const state = scenes[name].make(of, width, height);
      const input = makeInput();
      const hand = fingers(makeRandom(5), input, { most: 3, often: 0.1 });
      for (let turn = 0; turn < 300; turn += 1) {
        hand.move();
        scenes[name].step(state, input, stepSeconds);
      }
      return arraysOf(state).map(([, array]) => [...array]);
    };
    assert.deepEqual(end(7), end(7));
    assert.notDeepEqual(end(7), end(8));
  });
}

test("the steps use no clock, no chance but their own, and no document", () => {
  for (const name of names) {
    const text = readFileSync(new URL(`calm-scene-${name}.js`, folder), "utf8");
    const [, body] = text.match(/export function step\([^)]*\) \{([\s\S]*?)\n\}\n/);
    assert.doesNotMatch(text,
      /Math\.random|\bDate\b|performance|setTimeout|window\.[a-z]|globalThis/);
    assert.doesNotMatch(body, /document|context|new |\.map\(|\.filter\(|\.push\(/);
  }
});

/** How much moves in a scene in 20 s: the squared ways of all that has a place or a size. */
function motionOf(name, isReduced, touched) {
  const scene = scenes[name];
  const state = scene.make(3, width, height);
  const input = { ...makeInput(), isReduced };
  const seen = () => {
    if (name === "ripples") {
      return Array.from(state.age, (_, index) =>
        [radiusOf(state, index) * Math.min(1, strengthOf(state, index)), 0]);
    }
    return Array.from(state.x, (x, index) => [x, state.y[index]]);
  };
  let energy = 0;
  let before = seen();
  for (let turn = 0; turn < 1200; turn += 1) {
    // The same fingers in both: a slow circle, again and again.
    const isDown = touched && turn % 300 < 200;
    const angle = turn * 0.01;
    input.pointers = isDown ? [{
      id: 1, x: 410 + 200 * Math.cos(angle), y: 600 + 200 * Math.sin(angle),
      isNew: turn % 300 === 0,
    }] : [];
    scene.step(state, input, stepSeconds);
    const now = seen();
    now.forEach(([x, y], index) => {
      const way = (x - before[index][0]) ** 2 + (y - before[index][1]) ** 2;
      // What comes in again at another edge did not move there.
      if (way < 400) energy += way;
    });
    before = now;
  }
  return energy;
}

for (const name of names) {
  test(`CL-048: reduced motion leaves ${name} at most 30 %`, function reduced(context) {
    // Colors follow a finger; only their own motion is theirs.
    for (const touched of name === "colors" ? [false] : [false, true]) {
      const part = motionOf(name, true, touched) / motionOf(name, false, touched);
      context.diagnostic(`${touched ? "touched" : "alone"}: ${(100 * part).toFixed(1)} %`);
      assert.ok(part <= 0.3, `${part}`);
    }
  });
}

test("CL-041: late frames have fewer flakes, but never fewer than 200", function flakes() {
  for (const [wide, tall] of [[320, 480], [820, 1180], [2560, 1440]]) {
    const state = scenes.snow.make(1, wide, tall);
    const input = makeInput();
    scenes.snow.step(state, input, stepSeconds);
    const usual = state.count;
    assert.ok(usual >= 200 && usual <= 600, `${usual}`);
    input.lateness = 1;
    scenes.snow.step(state, input, stepSeconds);
    assert.equal(state.count, 200);
    assert.ok(usual > 200);
  }
});

test("CL-041: a shake lifts the snow, a tilt moves it", function shaken() {
  const rise = (input) => {
    const state = scenes.snow.make(1, width, height);
    for (let turn = 0; turn < 60; turn += 1) scenes.snow.step(state, input, stepSeconds);
    const mean = (values) => values.reduce((sum, value) => sum + value) / values.length;
    return [mean(state.vx), mean(state.vy)];
  };
  const rest = rise(makeInput());
  assert.ok(rise({ ...makeInput(), shake: 1 })[1] < rest[1] - 50);
  assert.ok(rise({ ...makeInput(), tilt: { x: 1, y: 0 } })[0] > rest[0] + 20);
});

test("CL-042: rings widen and fade, and a thirteenth replaces the oldest", function rings() {
  const state = scenes.ripples.make(1, width, height);
  const input = makeInput();
  for (let touch = 0; touch < 13; touch += 1) {
    input.pointers = [{ id: touch, x: 10 * touch, y: 50, isNew: true }];
    scenes.ripples.step(state, input, stepSeconds);
  }
  assert.equal(state.age.filter((age) => age < 1).length, 12);
  const place = state.x.indexOf(120);
  assert.ok(place >= 0);
  input.pointers = [];
  let [radius, strength] = [radiusOf(state, place), 2];
  for (let turn = 0; turn < 350; turn += 1) {
    scenes.ripples.step(state, input, stepSeconds);
    assert.ok(radiusOf(state, place) >= radius);
    if (turn > 40) assert.ok(strengthOf(state, place) <= strength);
    if (turn >= 40) strength = strengthOf(state, place);
    radius = radiusOf(state, place);
  }
  assert.ok(strength < 0.06);
});

test("CL-043: two fingers keep their colors, three have their mean", function blend() {
  const colors = (count) => {
    const state = scenes.colors.make(2, width, height);
    const input = makeInput();
    for (let turn = 0; turn < 900; turn += 1) {
      input.pointers = Array.from({ length: count }, (_, id) =>
        ({ id, x: 200 + 150 * id, y: 400, isNew: turn === 0 }));
      scenes.colors.step(state, input, stepSeconds);
    }
    const first = state.light.findIndex((light, index) => index > 4 && light > 0.5);
    return Array.from({ length: count }, (_, index) =>
      [...state.color.slice(3 * (first + index), 3 * (first + index) + 3)]);
  };
  const distance = ([one, other]) => Math.hypot(...one.map((part, index) => part - other[index]));
  assert.ok(distance(colors(2)) > 0.3);
  assert.ok(distance(colors(3)) < 0.01);
});

test("CL-044: a tap pops one bubble, and it comes again from below", function pop() {
  const state = scenes.bubbles.make(4, width, height);
  const input = makeInput();
  for (let turn = 0; turn < 60; turn += 1) scenes.bubbles.step(state, input, stepSeconds);
  const target = state.y.findIndex((y, index) => y > 100 && y < 1000 && index < state.count);
  input.pointers = [{ id: 1, x: state.x[target], y: state.y[target], isNew: true }];
  scenes.bubbles.step(state, input, stepSeconds);
  assert.equal(state.popped.filter((seconds) => seconds > 0).length, 1);
  const popped = state.popped.findIndex((seconds) => seconds > 0);
  input.pointers = [];
  for (let turn = 0; turn < 90; turn += 1) scenes.bubbles.step(state, input, stepSeconds);
  assert.equal(state.popped[popped], 0);
  assert.ok(state.y[popped] > height - 60);
});

test("CL-045: dust comes to a finger and orbits it", function orbit() {
  const state = scenes.dust.make(4, width, height);
  const input = makeInput();
  const near = () => state.x.filter((x, index) => index < state.count
    && Math.hypot(x - 400, state.y[index] - 600) < 150).length;
  const before = near();
  for (let turn = 0; turn < 600; turn += 1) {
    input.pointers = [{ id: 1, x: 400, y: 600, isNew: turn === 0 }];
    scenes.dust.step(state, input, stepSeconds);
  }
  assert.ok(near() > 2 * before, `${before} before, ${near()} after`);
  // They turn around it, all the same way.
  const turns = Array.from(state.x, (x, index) =>
    (x - 400) * state.vy[index] - (state.y[index] - 600) * state.vx[index])
    .filter((_, index) => Math.hypot(state.x[index] - 400, state.y[index] - 600) < 150);
  assert.ok(turns.filter((turn) => turn < 0).length > 0.95 * turns.filter(Boolean).length);
});

test("CL-046: a finger draws an orb and light, slowly, and ten no more than one", function nudge() {
  const touched = (count, seconds) => {
    const state = scenes.aurora.make(4, width, height);
    const input = makeInput();
    const x = state.homeX[0] + 150;
    const y = state.homeY[0];
    for (let turn = 0; turn < 60 * seconds; turn += 1) {
      input.pointers = Array.from({ length: count }, (_, id) => ({ id, x, y, isNew: turn === 0 }));
      scenes.aurora.step(state, input, stepSeconds);
    }
    const light = state.nudge.reduce((sum, each) => sum + each);
    return { light, distance: Math.hypot(state.x[0] - x, state.y[0] - y) };
  };
  assert.ok(touched(1, 10).distance < touched(0, 10).distance - 40);
  for (const count of [1, 10]) {
    assert.ok(Math.abs(touched(count, 1).light - 0.4) < 0.02);
    assert.ok(Math.abs(touched(count, 10).light - 1) < 0.01);
  }
});

test("CL-049: an answer to earlier ink in the same place blooms nothing", function late() {
  const { make, phases, step, takeReady } = scenes.bloom;
  const state = make(1, width, height);
  const input = makeInput();
  const drawn = () => {
    for (let turn = 0; turn < 200; turn += 1) {
      input.pointers = turn < 20 ? [{ id: 1, x: 100 + 5 * turn, y: 100, isNew: turn === 0 }] : [];
      step(state, input, stepSeconds);
    }
    return takeReady(state);
  };
  const first = drawn();
  const { [first]: turn } = state.turn;
  for (let pass = 0; pass < 60 * 14; pass += 1) step(state, input, stepSeconds);
  assert.equal(state.phase[first], phases.free);
  assert.equal(drawn(), first);
  assert.notEqual(state.turn[first], turn);
});

test("CL-049: ink is ready after 1.2 s, blooms for 3 s and fades, answered or not", function ink() {
  const { answer, phases, strokesOf, takeReady } = scenes.bloom;
  for (const label of ["🐟", null]) {
    const state = scenes.bloom.make(1, width, height);
    const input = makeInput();
    const pass = (seconds) => {
      for (let turn = 0; turn < Math.round(seconds * 60); turn += 1) {
        scenes.bloom.step(state, input, stepSeconds);
        for (const pointer of input.pointers) pointer.isNew = false;
      }
    };
    // Two strokes near each other are one drawing, a third far away is another.
    for (const [x, y] of [[100, 100], [160, 120], [600, 900]]) {
      input.pointers = [{ id: x, x, y, isNew: true }];
      pass(0.05);
      for (let way = 0; way < 60; way += 6) {
        input.pointers[0].x += 6;
        pass(1 / 60);
      }
      input.pointers = [];
      pass(0.1);
    }
    assert.equal(takeReady(state), -1);
    pass(1.3);
    const group = takeReady(state);
    const other = takeReady(state);
    assert.ok(group >= 0 && other >= 0 && takeReady(state) < 0);
    assert.deepEqual([group, other].map((each) => strokesOf(state, each).length).sort(), [1, 2]);
    const [[xs, ys, ts]] = strokesOf(state, group);
    assert.ok(xs.length === ys.length && ys.length === ts.length && xs.length > 8);
    assert.ok(ts.every((time, index) => index === 0 || time >= ts[index - 1]));
    answer(state, group, label);
    pass(2.9);
    if (label) assert.deepEqual([state.phase[group], state.light[group]], [phases.blooming, 1]);
    else assert.ok(state.light[group] < 1);
    pass(label ? 1.9 : 2.3);
    assert.equal(state.phase[group], phases.free);
    assert.ok(state.group.every((each) => each !== group));
    // A server that never answers: that ink fades too.
    pass(8);
    assert.equal(state.phase[other], phases.free);
    assert.ok(state.group.every((each) => each === -1));
  }
});

test("any size and rotation: what is seen keeps its relative place", () => {
  for (const name of names) {
    const state = scenes[name].make(9, 400, 800);
    const [x, y] = [state.x[0] / 400, state.y[0] / 800];
    resize(state, 1600, 200);
    assert.ok(Math.abs(state.x[0] / 1600 - x) < 1e-5 && Math.abs(state.y[0] / 200 - y) < 1e-5);
    scenes[name].step(state, makeInput(), stepSeconds);
  }
});
