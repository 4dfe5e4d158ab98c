// Bubbles rise through deep water; a tap pops one softly, and a shake lifts them all (CL-044).

import { clamp, follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { backdrop, glow, place, sky, sprite } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "bubbles";

export const most = 30;
const popSeconds = 0.9;
const tints = 4;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const floats = () => new Float32Array(most);
  const state = {
    width, height, random, fingers: makeFingers(),
    x: floats(), y: floats(), vx: floats(), vy: floats(), radius: floats(), phase: floats(),
    /** Seconds since a bubble was popped; 0 for a whole one. */
    popped: floats(),
    tint: new Uint8Array(most), count: 0, time: 0,
  };
  state.count = clamp(Math.round((width * height) / 26000), 14, most);
  for (let index = 0; index < most; index += 1) {
    renew(state, index);
    state.y[index] = height * between(random, -0.05, 1.1);
  }
  return state;
}

/** A new bubble below the window. The later ones are larger, and in front. */
function renew(state, index) {
  const { random, width, height } = state;
  const depth = index / state.count;
  state.radius[index] = (10 + 44 * depth ** 1.5) * between(random, 0.75, 1.3);
  state.x[index] = width * between(random, 0.04, 0.96);
  state.y[index] = height + state.radius[index] + 130 * next(random);
  state.vx[index] = 0;
  state.vy[index] = 0;
  state.phase[index] = between(random, 0, 6.3);
  state.tint[index] = Math.floor(next(random) * tints);
  state.popped[index] = 0;
}

function pop(state, x, y) {
  for (let index = state.count - 1; index >= 0; index -= 1) {
    const reach = state.radius[index] + 10;
    const dx = x - state.x[index];
    const dy = y - state.y[index];
    if (state.popped[index] > 0 || dx * dx + dy * dy > reach * reach) continue;
    state.popped[index] = 0.001;
    return;
  }
}

export function step(state, input, dt) {
  const { x, y, vx, vy, radius, phase, popped, fingers, height, width } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (fingers.isNew[slot]) pop(state, fingers.x[slot], fingers.y[slot]);
  }
  const ease = toward(0.9, flow);
  for (let index = 0; index < state.count; index += 1) {
    const sway = 9 * share(input) * Math.sin(state.time * 0.55 + phase[index]);
    vx[index] += (sway + 60 * clamp(input.tilt.x, -1, 1) - vx[index]) * ease;
    vy[index] += (-(15 + 0.42 * radius[index]) - 300 * clamp(input.shake, 0, 1) - vy[index]) * ease;
    for (let slot = 0; slot < fingerCount; slot += 1) {
      if (!fingers.isDown[slot] || popped[index] > 0) continue;
      const toX = x[index] - fingers.x[slot];
      const toY = y[index] - fingers.y[slot];
      const distance = Math.sqrt(toX * toX + toY * toY) + 1;
      const reach = radius[index] + 90;
      if (distance > reach) continue;
      const push = 130 * (1 - distance / reach) * flow;
      vx[index] += (toX / distance) * push;
      vy[index] += (toY / distance) * push;
    }
    if (popped[index] > 0) {
      popped[index] += flow;
      if (popped[index] > popSeconds) renew(state, index);
      continue;
    }
    x[index] += vx[index] * flow;
    y[index] += vy[index] * flow;
    if (x[index] < -radius[index]) x[index] = width + radius[index];
    else if (x[index] > width + radius[index]) x[index] = -radius[index];
    if (y[index] < -radius[index] - 10 || y[index] > height + 400) renew(state, index);
  }
}

const smooth = (low, high, value) => {
  const part = clamp((value - low) / (high - low), 0, 1);
  return part * part * (3 - 2 * part);
};

/** A soap film: colors run around its rim, the sky is mirrored above, its light gathers below. */
function film(tint) {
  return sprite(`film ${tint}`, 320, (u, v, pixel) => {
    const radius = Math.hypot(u, v) / 0.96;
    if (radius > 1.04) {
      pixel[3] = 0;
      return;
    }
    const angle = Math.atan2(v, u);
    const swirl = 0.24 * tint + 0.16 * Math.sin(angle + 1) + 0.09 * Math.sin(2 * angle + tint)
      + 0.55 * radius * radius;
    const rim = smooth(0.5, 1, radius) ** 2.4 * (0.62 + 0.38 * Math.sin(angle * 2 - 0.6));
    const edge = Math.exp(-(((radius - 0.975) / 0.022) ** 2)) * 0.55;
    const arc = (middle, width, from, thick) => Math.exp(-(((radius - from) / thick) ** 2))
      * Math.exp(-((Math.atan2(Math.sin(angle - middle), Math.cos(angle - middle)) / width) ** 2));
    const shine = 0.85 * arc(-2.3, 0.42, 0.74, 0.085) + 0.4 * arc(0.85, 0.6, 0.84, 0.05)
      + 0.35 * arc(-2.3, 0.9, 0.86, 0.05);
    const cover = smooth(1.02, 0.985, radius);
    const light = cover * (0.035 + 0.8 * rim + edge + shine);
    for (let channel = 0; channel < 3; channel += 1) {
      const color = 0.6 + 0.4 * Math.cos(6.283 * (swirl + [0.02, 0.36, 0.66][channel]));
      const mixed = (color * (0.035 + 0.8 * rim + 0.4 * edge) + shine + 0.6 * edge)
        / (0.035 + 0.8 * rim + edge + shine);
      pixel[channel] = 255 * Math.min(1, mixed);
    }
    pixel[3] = 235 * Math.min(1, light);
  });
}

function paint(context, width, height) {
  const long = Math.max(width, height);
  sky(context, width, height, [
    [0, "#1f5274"], [0.22, "#194268"], [0.55, "#152a55"], [0.82, "#141f47"], [1, "#0f1433"],
  ]);
  context.globalCompositeOperation = "lighter";
  // Shafts of light from above, each as a soft fan.
  const random = makeRandom(21);
  for (let index = 0; index < 9; index += 1) {
    const x = width * (0.06 + 0.11 * index + between(random, -0.03, 0.03));
    const lean = (x / width - 0.35) * 0.5;
    const spread = between(random, 0.04, 0.1) * long;
    const length = height * between(random, 0.5, 0.95);
    for (let layer = 0; layer < 6; layer += 1) {
      const half = (spread * (layer + 1)) / 6;
      const fade = context.createLinearGradient(x, 0, x + lean * length, length);
      fade.addColorStop(0, "rgb(150 214 226 / 0.016)");
      fade.addColorStop(1, "rgb(150 214 226 / 0)");
      context.fillStyle = fade;
      context.beginPath();
      context.moveTo(x - half * 0.25, -5);
      context.lineTo(x + half * 0.25, -5);
      context.lineTo(x + lean * length + half, length);
      context.lineTo(x + lean * length - half, length);
      context.fill();
    }
  }
  place(context, glow([120, 205, 214], 1), width * 0.4, -height * 0.08, long * 0.55, 0.24);
  place(context, glow([126, 74, 150], 1), width * 0.82, height * 1.05, long * 0.6, 0.26);
  for (let index = 0; index < 34; index += 1) {
    place(context, glow([170, 220, 235], 1), width * next(random), height * next(random),
      between(random, 2, 16), between(random, 0.04, 0.14));
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}

export function draw(state, context) {
  const { x, y, radius, phase, popped, tint, time } = state;
  backdrop(context, state, paint);
  for (let index = 0; index < state.count; index += 1) {
    const gone = popped[index] / popSeconds;
    const depth = Math.min(1, index / state.count + 0.25);
    const ease = 1 - (1 - gone) ** 3;
    const wobble = 0.022 * Math.sin(time * 1.3 + phase[index]);
    const size = radius[index] * (1 + 0.3 * ease) / 0.96;
    context.save();
    context.translate(x[index], y[index]);
    context.rotate(0.16 * Math.sin(time * 0.2 + phase[index]));
    context.scale(1 + wobble, 1 - wobble);
    place(context, film(tint[index]), 0, 0, size, (0.3 + 0.62 * depth) * (1 - gone) ** 2.5);
    context.restore();
    if (gone === 0) continue;
    const drop = glow([206, 232, 246], 2);
    for (let each = 0; each < 9; each += 1) {
      const angle = 0.7 * each + phase[index];
      const way = radius[index] * (0.95 + (0.25 + 0.1 * (each % 3)) * ease);
      place(context, drop, x[index] + way * Math.cos(angle),
        y[index] + way * Math.sin(angle) + 16 * gone * gone, 2 + radius[index] * 0.09,
        0.6 * Math.min(1, gone * 8) * (1 - gone));
    }
  }
  context.globalAlpha = 1;
}
