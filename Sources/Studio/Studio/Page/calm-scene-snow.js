// A snow globe at night: flakes fall before hills, swirl around a finger, and fly up when shaken
// (CL-041).

import { clamp, follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { backdrop, glow, place, ridge, sky, stars } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "snow";

const fewest = 200;
const most = 600;
const reach = 170;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const floats = () => new Float32Array(most);
  const state = {
    width, height, random, fingers: makeFingers(),
    x: floats(), y: floats(), vx: floats(), vy: floats(), depth: floats(), phase: floats(),
    /** 0 where a flake is not seen. */
    light: floats(),
    /** How many there can be at this size, and how many there are now. */
    room: clamp(Math.round((width * height) / 1100), 260, most),
    count: 0, time: 0,
  };
  state.count = state.room;
  for (let index = 0; index < most; index += 1) {
    // Which flakes are left out must not depend on their depth.
    const turn = ((index * 233) % most) / most;
    state.depth[index] = turn ** 2.2;
    state.x[index] = width * next(random);
    state.y[index] = height * next(random);
    state.vy[index] = 20;
    state.phase[index] = between(random, 0, 6.3);
    state.light[index] = index < state.count ? 1 : 0;
  }
  return state;
}

/** A small burst: a few flakes start at the finger. */
function burst(state, x, y) {
  for (let each = 0; each < 7; each += 1) {
    const index = Math.floor(next(state.random) * state.count);
    const angle = between(state.random, 0, 6.3);
    state.x[index] = x;
    state.y[index] = y;
    state.vx[index] = Math.cos(angle) * 120;
    state.vy[index] = Math.sin(angle) * 120;
    state.light[index] = 0;
  }
}

export function step(state, input, dt) {
  const { x, y, vx, vy, depth, phase, light, fingers, random, width, height } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  state.count = Math.round(state.room - (state.room - fewest) * clamp(input.lateness ?? 0, 0, 1));
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (fingers.isNew[slot]) burst(state, fingers.x[slot], fingers.y[slot]);
  }
  const wind = 9 * Math.sin(state.time * 0.13) + 5 * Math.sin(state.time * 0.31)
    + 70 * clamp(input.tilt.x, -1, 1);
  const drop = 1 + 0.7 * clamp(input.tilt.y, -1, 1);
  const ease = toward(1.3, flow);
  const brighten = toward(1.2, dt);
  for (let index = 0; index < state.room; index += 1) {
    const near = depth[index];
    const sway = 7 * share(input) * Math.sin(state.time * 0.9 + phase[index]);
    vx[index] += (wind * (0.4 + near) + sway - vx[index]) * ease;
    vy[index] += ((13 + 36 * near) * drop - vy[index]) * ease;
    for (let slot = 0; slot < fingerCount; slot += 1) {
      if (!fingers.isDown[slot]) continue;
      const toX = x[index] - fingers.x[slot];
      const toY = y[index] - fingers.y[slot];
      const distance = Math.sqrt(toX * toX + toY * toY) + 1;
      if (distance > reach) continue;
      const force = (1 - distance / reach) ** 2 * flow;
      const out = fingers.isNew[slot] ? 90 * (1 - distance / reach) * share(input) : 40 * force;
      vx[index] += ((-toY * 420) / distance) * force + (toX / distance) * out
        + fingers.dx[slot] * 6 * force;
      vy[index] += ((toX * 420) / distance) * force + (toY / distance) * out
        + fingers.dy[slot] * 6 * force;
    }
    if (input.shake > 0.05) {
      vx[index] += between(random, -1, 1) * 900 * input.shake * flow;
      vy[index] -= next(random) * 1100 * input.shake * flow;
    }
    x[index] += vx[index] * flow;
    y[index] += vy[index] * flow;
    light[index] += ((index < state.count ? 1 : 0) - light[index]) * brighten;
    if (y[index] > height + 16) {
      y[index] = -16;
      x[index] = width * next(random);
      vx[index] = wind;
    }
    y[index] = Math.max(y[index], -60);
    if (x[index] < -16) x[index] += width + 32;
    else if (x[index] > width + 16) x[index] -= width + 32;
  }
}

function tree(context, x, y, size, color) {
  context.fillStyle = color;
  context.beginPath();
  for (let tier = 0; tier < 4; tier += 1) {
    const top = y - size * (1 - tier * 0.2);
    const half = size * (0.1 + 0.062 * tier);
    context.moveTo(x, top);
    context.quadraticCurveTo(x + half * 0.3, top + size * 0.2, x + half, top + size * 0.34);
    context.quadraticCurveTo(x, top + size * 0.28, x - half, top + size * 0.34);
    context.quadraticCurveTo(x - half * 0.3, top + size * 0.2, x, top);
  }
  context.fill();
}

function paint(context, width, height) {
  const unit = Math.min(width, height);
  sky(context, width, height, [
    [0, "#0a1128"], [0.38, "#16264a"], [0.66, "#2d4368"], [0.8, "#4a5f80"], [1, "#4a5f80"],
  ]);
  stars(context, width, height * 0.5, 5, 90);
  const [moonX, moonY] = [width * 0.26, height * 0.2];
  place(context, glow([196, 214, 255], 1), moonX, moonY, unit * 0.62, 0.34);
  place(context, glow([255, 240, 214], 1), moonX, moonY, unit * 0.2, 0.5);
  context.globalAlpha = 0.92;
  const moon = context.createRadialGradient(
    moonX - unit * 0.012, moonY - unit * 0.012, 0, moonX, moonY, unit * 0.052);
  moon.addColorStop(0, "#fff6e2");
  moon.addColorStop(0.8, "#f3e3c4");
  moon.addColorStop(0.97, "#e3cfae");
  moon.addColorStop(1, "rgb(227 207 174 / 0)");
  context.fillStyle = moon;
  context.fillRect(moonX - unit * 0.06, moonY - unit * 0.06, unit * 0.12, unit * 0.12);
  context.globalAlpha = 1;
  const layers = [
    { seed: 3, y: 0.77, rise: 0.16, color: "#3d5376", low: "#4c6183" },
    { seed: 8, y: 0.84, rise: 0.12, color: "#2c4164", low: "#3b5276" },
    { seed: 17, y: 0.92, rise: 0.1, color: "#223556", low: "#16233f" },
  ];
  layers.forEach((layer, index) => {
    const settings = { ...layer, y: height * layer.y, rise: height * layer.rise, detail: 3 };
    const top = ridge(context, width, height, settings);
    const random = makeRandom(layer.seed);
    const count = [26, 18, 9][index] * Math.max(0.6, width / 1000);
    for (let each = 0; each < count; each += 1) {
      const x = width * next(random);
      const size = unit * [0.035, 0.06, 0.12][index] * between(random, 0.6, 1.25);
      tree(context, x, top(x) + size * 0.3, size, ["#334868", "#20324f", "#121d36"][index]);
    }
    // Mist between the hills.
    const mist = context.createLinearGradient(0, height * (layer.y - 0.04), 0, height);
    mist.addColorStop(0, "rgb(150 176 214 / 0)");
    mist.addColorStop(0.5, `rgb(150 176 214 / ${[0.16, 0.12, 0.05][index]})`);
    mist.addColorStop(1, "rgb(150 176 214 / 0)");
    context.fillStyle = mist;
    context.fillRect(0, height * (layer.y - 0.04), width, height);
  });
  const dark = context.createRadialGradient(
    width / 2, height * 0.45, unit * 0.3, width / 2, height / 2, Math.hypot(width, height) * 0.56);
  dark.addColorStop(0, "rgb(4 8 22 / 0)");
  dark.addColorStop(1, "rgb(4 8 22 / 0.72)");
  context.fillStyle = dark;
  context.fillRect(0, 0, width, height);
}

export function draw(state, context) {
  const { x, y, depth, light, phase, fingers } = state;
  backdrop(context, state, paint);
  context.globalCompositeOperation = "lighter";
  const lantern = glow([255, 214, 150], 2);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    const warmth = 0.16 * fingers.light[slot];
    if (warmth > 0.004) place(context, lantern, fingers.x[slot], fingers.y[slot], 210, warmth);
  }
  context.globalCompositeOperation = "source-over";
  const far = glow([236, 243, 255], 1);
  const close = glow([246, 249, 255], 2);
  for (let index = 0; index < state.room; index += 1) {
    if (light[index] < 0.01) continue;
    const near = depth[index];
    // The nearest are out of focus: large and faint.
    const radius = 1.6 + 3.4 * near + 11 * near ** 5;
    const alpha = (0.42 + 0.5 * near - 0.55 * near ** 5) * light[index]
      * (0.85 + 0.15 * Math.sin(phase[index]));
    place(context, near > 0.8 ? far : close, x[index], y[index], radius * 1.5, alpha);
  }
  context.globalAlpha = 1;
}
