// The calmest scene: a sea and a sky that do not move, and a few lights that hardly do. A touch
// leaves a faint glow (CL-047).

import { clamp, follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { backdrop, glow, place, sky } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "still";

const lights = 6;
const horizon = 0.6;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const state = {
    width, height, random, fingers: makeFingers(),
    // Beside the moon.
    x: new Float32Array(lights).map((_, index) =>
      width * (between(random, 0.06, 0.36) + (index % 2) * 0.58)),
    y: new Float32Array(lights).map(() => height * between(random, 0.1, 0.5)),
    homeX: new Float32Array(lights), homeY: new Float32Array(lights),
    phase: new Float32Array(lights).map(() => 6.3 * next(random)),
    warmth: new Float32Array(fingerCount), glowX: new Float32Array(fingerCount),
    glowY: new Float32Array(fingerCount), time: 0,
  };
  state.homeX.set(state.x);
  state.homeY.set(state.y);
  return state;
}

export function step(state, input, dt) {
  const { x, y, phase, fingers, warmth, glowX, glowY } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  for (let index = 0; index < lights; index += 1) {
    const at = state.time * 0.05 + phase[index];
    x[index] = state.homeX[index] + 14 * share(input) * Math.sin(at);
    y[index] = state.homeY[index] + 9 * share(input) * Math.cos(1.4 * at);
  }
  // Many fingers together leave no more light than one.
  const most = 1 / Math.max(1, fingers.count);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    const isDown = fingers.isDown[slot];
    if (isDown) {
      // The glow follows slowly, and comes at once only where nothing glowed before.
      const ease = warmth[slot] < 0.02 ? 1 : toward(2.5, flow);
      glowX[slot] += (fingers.x[slot] - glowX[slot]) * ease;
      glowY[slot] += (fingers.y[slot] - glowY[slot]) * ease;
    }
    warmth[slot] += (isDown * most - warmth[slot]) * toward(isDown ? 0.4 : 0.1, flow);
  }
}

function paint(context, width, height) {
  const long = Math.max(width, height);
  const line = height * horizon;
  sky(context, width, height, [
    [0, "#0d1424"], [horizon * 0.55, "#1b2740"], [horizon * 0.9, "#34435c"], [horizon, "#45536a"],
    [horizon, "#2b3a52"], [horizon + 0.07, "#1d2a42"], [0.86, "#101a2e"], [1, "#0a111f"],
  ]);
  context.globalCompositeOperation = "lighter";
  context.globalAlpha = 0.32;
  const warm = glow([255, 206, 170], 2);
  context.drawImage(warm, width * 0.5 - long * 0.75, line - long * 0.2, long * 1.5, long * 0.4);
  place(context, glow([255, 226, 200], 2), width * 0.5, height * 0.3, long * 0.34, 0.26);
  context.globalCompositeOperation = "source-over";
  context.globalAlpha = 0.9;
  const radius = Math.min(width, height) * 0.06;
  const moon = context.createRadialGradient(
    width * 0.5, height * 0.3, 0, width * 0.5, height * 0.3, radius);
  moon.addColorStop(0, "#dccfb9");
  moon.addColorStop(0.93, "#cdbda4");
  moon.addColorStop(1, "rgb(205 189 164 / 0)");
  context.fillStyle = moon;
  context.fillRect(width * 0.5 - radius, height * 0.3 - radius, 2 * radius, 2 * radius);
  context.globalCompositeOperation = "lighter";
  // Its light on the water: lines that get wider and fainter toward the viewer.
  const random = makeRandom(31);
  for (let index = 0; index < 46; index += 1) {
    const at = (index + next(random)) / 46;
    const y = line + (height - line) * at ** 1.35 * 0.92 + 2;
    const half = radius * (0.5 + 2.1 * at) * between(random, 0.5, 1.15);
    const x = width * 0.5 + radius * (0.2 + 0.9 * at) * between(random, -1, 1);
    context.globalAlpha = 0.36 * (1 - at) ** 1.2 + 0.03;
    context.drawImage(warm, x - half, y - 1 - 1.6 * at, 2 * half, 2.5 + 3.6 * at);
  }
  context.globalCompositeOperation = "source-over";
  context.globalAlpha = 1;
  // No line is sharp at night.
  const mist = context.createLinearGradient(0, line - height * 0.03, 0, line + height * 0.03);
  mist.addColorStop(0, "rgb(86 98 118 / 0)");
  mist.addColorStop(0.5, "rgb(86 98 118 / 0.55)");
  mist.addColorStop(1, "rgb(86 98 118 / 0)");
  context.fillStyle = mist;
  context.fillRect(0, line - height * 0.03, width, height * 0.06);
}

export function draw(state, context) {
  const { x, y, warmth, glowX, glowY } = state;
  backdrop(context, state, paint);
  context.globalCompositeOperation = "lighter";
  const star = glow([232, 234, 246], 3);
  for (let index = 0; index < lights; index += 1) place(context, star, x[index], y[index], 4, 0.55);
  const radius = clamp(0.13 * Math.min(state.width, state.height), 24, 80);
  const faint = glow([176, 190, 226], 1);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (warmth[slot] < 0.01) continue;
    place(context, faint, glowX[slot], glowY[slot], radius, 0.065 * warmth[slot]);
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}
