// Magnetic dust: golden particles drift in the dark, come to a finger, and orbit it (CL-045).

import { clamp, follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { backdrop, glow, place, sky } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "dust";

export const most = 640;
const reach = 340;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const floats = () => new Float32Array(most);
  const state = {
    width, height, random, fingers: makeFingers(),
    x: floats(), y: floats(), vx: floats(), vy: floats(), homeX: floats(), homeY: floats(),
    /** How wide a particle's orbit is, and how bright it is. */
    orbit: floats(), light: floats(), phase: floats(),
    count: clamp(Math.round((width * height) / 1000), 380, most), time: 0,
  };
  for (let index = 0; index < most; index += 1) {
    state.homeX[index] = width * next(random);
    state.homeY[index] = height * next(random);
    state.x[index] = state.homeX[index];
    state.y[index] = state.homeY[index];
    state.orbit[index] = 14 + 100 * next(random) ** 1.4;
    state.light[index] = 0.25 + 0.75 * next(random) ** 2.5;
    state.phase[index] = between(random, 0, 6.3);
  }
  return state;
}

export function step(state, input, dt) {
  const { x, y, vx, vy, homeX, homeY, orbit, phase, fingers, time } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  for (let index = 0; index < state.count; index += 1) {
    // A slow current, and a weak wish to go home, so that the dark never empties.
    const sway = 6.5 * share(input);
    let goalX = sway * Math.sin(y[index] * 0.006 + time * 0.16 + 0.6 * phase[index])
      + clamp((homeX[index] - x[index]) * 0.09, -34, 34) + 26 * clamp(input.tilt.x, -1, 1);
    let goalY = sway * Math.cos(x[index] * 0.005 - time * 0.13 + phase[index])
      + clamp((homeY[index] - y[index]) * 0.09, -34, 34) + 26 * clamp(input.tilt.y, -1, 1);
    let hold = 0;
    for (let slot = 0; slot < fingerCount; slot += 1) {
      if (!fingers.isDown[slot]) continue;
      const toX = fingers.x[slot] - x[index];
      const toY = fingers.y[slot] - y[index];
      const distance = Math.sqrt(toX * toX + toY * toY) + 1;
      if (distance > reach) continue;
      const pull = (1 - distance / reach) * 1.6;
      if (pull < hold) continue;
      hold = pull;
      const inward = clamp((distance - orbit[index]) * 1.5, -60, 120);
      const around = 30 + 0.6 * orbit[index];
      const turn = slot % 2 === 0 ? 1 : -1;
      goalX = (toX * inward - toY * around * turn) / distance;
      goalY = (toY * inward + toX * around * turn) / distance;
    }
    const ease = toward(hold > 0 ? 0.5 + 1.7 * Math.min(1, hold) : 0.55, flow);
    const jolt = 180 * input.shake * flow;
    vx[index] += (goalX - vx[index]) * ease + jolt * (next(state.random) - 0.5);
    vy[index] += (goalY - vy[index]) * ease + jolt * (next(state.random) - 0.5);
    x[index] = clamp(x[index] + vx[index] * flow, -30, state.width + 30);
    y[index] = clamp(y[index] + vy[index] * flow, -30, state.height + 30);
  }
}

function paint(context, width, height) {
  const long = Math.max(width, height);
  sky(context, width, height, [
    [0, "#100d1e"], [0.5, "#161120"], [1, "#0c0a16"],
  ]);
  context.globalCompositeOperation = "lighter";
  const cloud = (color, x, y, size, alpha) =>
    place(context, glow(color, 1), width * x, height * y, long * size, alpha * 0.55);
  cloud([104, 58, 52], 0.3, 0.34, 0.62, 0.42);
  cloud([56, 44, 108], 0.78, 0.68, 0.6, 0.44);
  cloud([128, 84, 44], 0.46, 0.5, 0.36, 0.3);
  cloud([30, 58, 84], 0.12, 0.9, 0.46, 0.36);
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}

const golds = [[255, 214, 138], [255, 178, 112], [255, 236, 196], [240, 150, 140], [190, 168, 255]];

export function draw(state, context) {
  const { x, y, vx, vy, light, phase, orbit, fingers, time } = state;
  backdrop(context, state, paint);
  context.globalCompositeOperation = "lighter";
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (fingers.light[slot] < 0.01) continue;
    place(context, glow([255, 190, 110], 1), fingers.x[slot], fingers.y[slot], 190,
      0.2 * fingers.light[slot]);
  }
  context.lineCap = "round";
  for (let tint = 0; tint < golds.length; tint += 1) {
    const spark = glow(golds[tint], 3);
    const [red, green, blue] = golds[tint];
    context.beginPath();
    for (let index = tint; index < state.count; index += golds.length) {
      const speed = Math.abs(vx[index]) + Math.abs(vy[index]);
      if (speed < 24) continue;
      context.moveTo(x[index] - vx[index] * 0.13, y[index] - vy[index] * 0.13);
      context.lineTo(x[index], y[index]);
    }
    context.globalAlpha = 0.16;
    context.lineWidth = 1.3;
    context.strokeStyle = `rgb(${red} ${green} ${blue})`;
    context.stroke();
    for (let index = tint; index < state.count; index += golds.length) {
      const shimmer = 0.8 + 0.2 * Math.sin(time * 0.8 + phase[index] * 3);
      const radius = 2.4 + 7.5 * light[index] + (orbit[index] % 7) * 0.35;
      place(context, spark, x[index], y[index], radius, (0.3 + 0.7 * light[index]) * shimmer);
    }
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}
