// Fingers, mouse, wheel and keys as gestures: TR-012, TR-013.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage } from "./page.mjs";

const load = openPage();
const { followGestures } = await load("trace-gestures.js");
const { applying, identity, matrixOf, transformed } = await load("similarity.js");

/** Where gestures are made. */
class Stage extends EventTarget {
  closest() {
    return null;
  }

  setPointerCapture(pointer) {
    if (pointer === 77) throw new DOMException("gone", "NotFoundError");
  }
}

let [stage, gestures, moving, isLocked] = [];

beforeEach(() => {
  stage = new Stage();
  [gestures, moving, isLocked] = [[], [], false];
  followGestures(stage, {
    isLocked: () => isLocked,
    // The sheet is shown half as large, and lies 100 pixels from the left.
    place: ({ x, y }) => ({ x: (x - 100) * 2, y: y * 2 }),
    middle: () => ({ x: 300, y: 200 }),
    ongesture: (gesture) => gestures.push(gesture),
    onmoving: (is) => moving.push(is),
  });
});

function happens(kind, details) {
  const event = Object.assign(new Event(kind, { cancelable: true }), { button: 0, ...details });
  stage.dispatchEvent(event);
  return event;
}

const at = (pointerId, clientX, clientY) => ({ pointerId, clientX, clientY });

test("a mouse or a finger moves, in the sheet's units", () => {
  happens("pointermove", at(1, 200, 200));
  happens("pointerdown", at(1, 200, 200));
  happens("pointermove", at(1, 230, 180));
  happens("pointerup", at(1, 230, 180));
  happens("pointermove", at(1, 300, 180));
  assert.deepEqual(gestures, [{ x: 60, y: -40 }]);
  assert.deepEqual(moving, [true, false]);
});

test("other buttons, a third finger and one that is gone do nothing", () => {
  happens("pointerdown", { ...at(1, 200, 200), button: 2 });
  happens("pointerdown", at(77, 200, 200));
  happens("pointermove", at(1, 220, 200));
  happens("pointermove", at(77, 220, 200));
  assert.deepEqual([gestures, moving], [[], []]);
  for (const finger of [1, 2, 3]) happens("pointerdown", at(finger, 100 * finger, 200));
  happens("pointermove", at(3, 310, 220));
  assert.deepEqual(gestures, []);
  happens("pointercancel", at(1, 0, 0));
  happens("lostpointercapture", at(1, 0, 0));
  assert.equal(moving.at(-1), true);
  happens("pointerup", at(2, 0, 0));
  assert.equal(moving.at(-1), false);
});

test("what two fingers hold scales and turns with them", () => {
  happens("pointerdown", at(1, 300, 400));
  happens("pointerdown", at(2, 500, 400));
  happens("pointermove", at(2, 500, 600));
  const [{ center, scale, rotation }] = gestures;
  assert.deepEqual(center, { x: 400, y: 800 });
  assert.ok(Math.abs(scale - Math.SQRT2) < 1e-9);
  assert.ok(Math.abs(rotation - Math.PI / 4) < 1e-9);
});

test("after a thousand gestures what two fingers hold is still under them", () => {
  const fingers = [[300, 400], [500, 600]];
  fingers.forEach((place, finger) => happens("pointerdown", at(finger, ...place)));
  for (let step = 0; step < 500; step += 1) {
    const angle = step * 0.4;
    happens("pointermove", at(0, 300 + 9 * Math.cos(angle), 400));
    happens("pointermove", at(1, 500, 600 + 9 * Math.sin(angle)));
  }
  fingers.forEach((place, finger) => happens("pointermove", at(finger, ...place)));
  const { scale, rotation, x, y } = gestures.reduce(applying, identity);
  for (const away of [scale - 1, rotation, x, y]) assert.ok(Math.abs(away) < 1e-6, String(away));
});

test("the wheel scales about the pointer, and turns with Alt", () => {
  const event = happens("wheel", { clientX: 200, clientY: 100, deltaY: -200, deltaMode: 0 });
  assert.equal(event.defaultPrevented, true);
  const place = gestures.reduce(applying, identity);
  assert.ok(Math.abs(place.scale - Math.exp(0.4)) < 1e-9);
  const under = transformed(matrixOf(place), { x: 200, y: 200 });
  assert.ok(Math.hypot(under.x - 200, under.y - 200) < 1e-9);
  happens("wheel", { clientX: 0, clientY: 0, deltaX: 100, altKey: true });
  assert.equal(gestures.at(-1).rotation, 0.2);
  // Some mice count in lines.
  happens("wheel", { clientX: 0, clientY: 0, deltaY: 5, deltaMode: 1 });
  assert.equal(gestures.at(-1).scale, Math.exp(-0.2));
});

test("keys move, scale and turn about the middle", () => {
  const press = (key, more = {}) => happens("keydown", { key, ...more }).defaultPrevented;
  const center = { x: 300, y: 200 };
  assert.ok(press("ArrowRight") && press("ArrowUp", { shiftKey: true }));
  assert.ok(press("+") && press("-") && press("]", { altKey: true }));
  assert.deepEqual(gestures, [
    { center, x: 1, y: 0 }, { center, x: 0, y: -10 }, { center, x: 0, y: 0, scale: 1.02 },
    { center, x: 0, y: 0, scale: 1 / 1.02 }, { center, x: 0, y: 0, rotation: Math.PI / 180 },
  ]);
  // The browser's own keys stay its own.
  assert.ok(!press("a") && !press("+", { ctrlKey: true }) && !press("ArrowLeft", { altKey: true }));
  assert.equal(gestures.length, 5);
});

test("locked, gestures do nothing", () => {
  isLocked = true;
  happens("pointerdown", at(1, 200, 200));
  happens("pointermove", at(1, 230, 180));
  assert.equal(happens("wheel", { clientX: 0, clientY: 0, deltaY: 9 }).defaultPrevented, false);
  happens("keydown", { key: "ArrowRight" });
  assert.deepEqual([gestures, moving], [[], []]);
});
