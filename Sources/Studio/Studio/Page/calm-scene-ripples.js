// Still water at night: each touch, and now and then a drop, sends out rings (CL-042).

import { follow, fingerCount, makeFingers, share } from "./calm-fingers.js";
import { backdrop, glow, place, sky, sprite } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "ripples";

const most = 12;
const life = 6.5;
const glints = 34;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const state = {
    width, height, random, fingers: makeFingers(),
    /** The rings' centers; `age` is past `life` where there is none. */
    x: new Float32Array(most), y: new Float32Array(most),
    age: new Float32Array(most).fill(life + 1), strength: new Float32Array(most),
    tint: new Uint8Array(most),
    /** The way and the time since a finger's last ring. */
    way: new Float32Array(fingerCount), wait: new Float32Array(fingerCount),
    /** The moon's light on the water, in shares of the size. */
    glintAt: new Float32Array(glints).map(() => next(random)),
    glintPhase: new Float32Array(glints).map(() => between(random, 0, 6.3)),
    untilDrop: 0.8, time: 0,
  };
  return state;
}

/** A ring takes the place of the faintest. */
function begin(state, x, y, strength) {
  let oldest = 0;
  for (let index = 1; index < most; index += 1) {
    if (state.age[index] > state.age[oldest]) oldest = index;
  }
  state.x[oldest] = x;
  state.y[oldest] = y;
  state.age[oldest] = 0;
  state.strength[oldest] = strength;
  state.tint[oldest] = next(state.random) < 0.3 ? 1 : 0;
}

export function step(state, input, dt) {
  const { fingers, age, way, wait, random } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  for (let index = 0; index < most; index += 1) age[index] = Math.min(life + 1, age[index] + flow);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (!fingers.isDown[slot]) continue;
    way[slot] += Math.hypot(fingers.dx[slot], fingers.dy[slot]);
    wait[slot] += flow;
    if (!fingers.isNew[slot] && way[slot] < 120 && wait[slot] < 1.1) continue;
    // A finger that hurries makes fewer rings than its way asks for.
    if (!fingers.isNew[slot] && wait[slot] < 0.22) continue;
    begin(state, fingers.x[slot], fingers.y[slot], share(input) * (fingers.isNew[slot] ? 1 : 0.7));
    way[slot] = 0;
    wait[slot] = 0;
  }
  state.untilDrop -= flow;
  if (state.untilDrop < 0) {
    state.untilDrop = between(random, 2.4, 4.6);
    begin(state, state.width * between(random, 0.08, 0.92),
      state.height * between(random, 0.2, 0.92), share(input) * between(random, 0.35, 0.6));
  }
}

/** How far a ring has come, in pixels. */
export function radiusOf(state, index) {
  const reach = 0.19 * Math.max(state.width, state.height) + 120;
  return 6 + reach * (1 - (1 - Math.min(1, state.age[index] / life)) ** 1.7);
}

/** How strong a ring still is, in 0…1. */
export function strengthOf(state, index) {
  const share = state.age[index] / life;
  if (share >= 1) return 0;
  return state.strength[index] * Math.min(1, share * 14) * (1 - share) ** 1.6;
}

/** A wave's slopes: bright toward the moon, dark away from it. */
function wave(tint) {
  const color = [[196, 226, 244], [255, 226, 188]][tint];
  return sprite(`wave ${tint}`, 512, (u, v, pixel) => {
    const radius = Math.hypot(u, v);
    const envelope = Math.exp(-(((radius - 0.8) / 0.115) ** 2))
      + 0.35 * Math.exp(-(((radius - 0.45) / 0.13) ** 2));
    const slope = envelope * Math.cos((radius - 0.8) * 44);
    const facing = radius > 0 ? (-0.35 * u - v) / radius : 0;
    const shade = slope * (0.72 * facing + 0.2) * Math.min(1, (1 - radius) * 12);
    const isLit = shade > 0;
    pixel[0] = isLit ? color[0] : 2;
    pixel[1] = isLit ? color[1] : 10;
    pixel[2] = isLit ? color[2] : 26;
    pixel[3] = radius < 1 ? Math.min(235, 235 * Math.abs(shade) * (isLit ? 0.9 : 0.75)) : 0;
  });
}

function paint(context, width, height) {
  const long = Math.max(width, height);
  sky(context, width, height, [
    [0, "#0f2a40"], [0.3, "#0d3346"], [0.65, "#0a263c"], [1, "#071627"],
  ]);
  context.globalCompositeOperation = "lighter";
  place(context, glow([92, 168, 180], 1), width * 0.62, height * 0.12, long * 0.62, 0.24);
  place(context, glow([44, 72, 128], 1), width * 0.1, height * 0.85, long * 0.6, 0.4);
  place(context, glow([170, 216, 214], 1), width * 0.62, -height * 0.05, long * 0.36, 0.2);
  context.globalCompositeOperation = "source-over";
  const dark = context.createRadialGradient(
    width * 0.55, height * 0.35, long * 0.2, width / 2, height / 2, long * 0.75);
  dark.addColorStop(0, "rgb(3 10 22 / 0)");
  dark.addColorStop(1, "rgb(3 10 22 / 0.7)");
  context.globalAlpha = 1;
  context.fillStyle = dark;
  context.fillRect(0, 0, width, height);
}

export function draw(state, context) {
  const { width, height, time } = state;
  backdrop(context, state, paint);
  const shine = glow([255, 236, 204], 1);
  context.globalCompositeOperation = "lighter";
  for (let index = 0; index < glints; index += 1) {
    // A path of light, wider and fainter with the distance from the moon.
    const phase = state.glintPhase[index];
    const at = (index + 0.5 + 0.9 * Math.sin(9 * phase)) / (glints + 1);
    const spread = (0.03 + 0.11 * at) * Math.max(width, 500);
    const x = width * 0.62 + spread * (2 * state.glintAt[index] - 1)
      + 5 * Math.sin(time * 0.4 + phase);
    const half = (34 + 60 * at) * (0.8 + 0.3 * Math.sin(time * 0.31 + 2 * phase));
    const alpha = (0.2 - 0.16 * at) * (0.65 + 0.35 * Math.sin(time * 0.7 + phase));
    context.globalAlpha = Math.max(0, alpha);
    context.drawImage(shine, x - half, height * at * 0.6 - 4, 2 * half, 8 + 8 * at);
  }
  context.globalCompositeOperation = "source-over";
  for (let index = 0; index < most; index += 1) {
    const strength = strengthOf(state, index);
    if (strength < 0.004) continue;
    const radius = radiusOf(state, index) * 1.22;
    place(context, wave(state.tint[index]), state.x[index], state.y[index], radius, strength);
  }
  context.globalAlpha = 1;
}
