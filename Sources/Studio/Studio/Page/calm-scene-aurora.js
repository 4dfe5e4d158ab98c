// An aurora over a lake: slow bands and a few orbs; a finger nudges the light (CL-046).

import { follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { backdrop, field, glow, grain, place, ridge, sky, stars, tone } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "aurora";

const bands = 3;
const orbs = 7;
/** Where the far shore is, as a share of the height. */
const shore = 0.79;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const floats = (low, high, count) =>
    new Float32Array(count).map(() => between(random, low, high));
  const state = {
    width, height, random, fingers: makeFingers(),
    phase: floats(0, 6.3, 4 * bands),
    x: floats(0.05 * width, 0.95 * width, orbs), y: floats(0.12 * height, 0.7 * height, orbs),
    homeX: new Float32Array(orbs), homeY: new Float32Array(orbs),
    turn: floats(0, 6.3, orbs), size: floats(0.7, 1.4, orbs),
    /** How far the bands swing: less where people want less motion. */
    swing: 1, time: between(random, 0, 200),
    /** How far each finger draws the light. */
    nudge: new Float32Array(fingerCount), column: new Float32Array(8),
  };
  state.homeX.set(state.x);
  state.homeY.set(state.y);
  return state;
}

export function step(state, input, dt) {
  const { x, y, fingers, nudge } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  state.swing += (share(input) - state.swing) * toward(0.4, dt);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    const isDown = fingers.isDown[slot];
    nudge[slot] += (isDown * share(input) - nudge[slot]) * toward(isDown ? 0.9 : 0.3, flow);
  }
  for (let index = 0; index < orbs; index += 1) {
    const at = state.time * 0.07 + state.turn[index];
    const way = 36 * share(input) * state.size[index];
    let goalX = state.homeX[index] + way * Math.sin(at) + 20 * input.tilt.x;
    let goalY = state.homeY[index] + way * Math.cos(1.3 * at) + 20 * input.tilt.y;
    for (let slot = 0; slot < fingerCount; slot += 1) {
      if (!fingers.isDown[slot]) continue;
      const toX = fingers.x[slot] - goalX;
      const toY = fingers.y[slot] - goalY;
      const pull = 0.5 * Math.exp(-(toX * toX + toY * toY) / 60000);
      goalX += toX * pull;
      goalY += toY * pull;
    }
    x[index] += (goalX - x[index]) * toward(0.6, flow);
    y[index] += (goalY - y[index]) * toward(0.6, flow);
  }
}

/** Linear colors of a band: at its lower edge, and high above. */
const low = [[0.03, 0.95, 0.36], [0.02, 0.8, 0.58], [0.06, 0.42, 0.95]];
const high = [[0.2, 0.07, 0.85], [0.42, 0.05, 0.75], [0.65, 0.06, 0.5]];

/** Computes the light of the bands into the small picture. */
function light(state, { image, width: columns, height: rows }) {
  const { time, phase, swing, nudge, fingers, width, height, column } = state;
  const { data } = image;
  const aspect = Math.max(0.75, width / height);
  for (let left = 0; left < columns; left += 1) {
    const u = (left + 0.5) / columns;
    const at = (u - 0.5) * aspect;
    for (let band = 0; band < bands; band += 1) {
      const own = 4 * band;
      let edge = 0.5 + 0.085 * band - 0.02 * aspect
        + swing * 0.075 * Math.sin(at * (2.6 + 0.5 * band) + time * 0.045 + phase[own])
        + swing * 0.032 * Math.sin(at * (6.1 - band) - time * 0.07 + phase[own + 1])
        + swing * 0.012 * Math.sin(at * 15 + time * 0.11 + phase[own + 2]);
      // Rays: folds of the curtain, slower where they are wide.
      const fold = at * 11 + 1.7 * Math.sin(at * 3.4 + time * 0.05 + phase[own + 3]);
      let ray = 0.52 + 0.26 * Math.sin(fold * 1.3 + time * 0.06 + phase[own])
        + 0.16 * Math.sin(fold * 3.1 - time * 0.1 + phase[own + 1])
        + 0.1 * Math.sin(fold * 6.7 + time * 0.13 + phase[own + 2]);
      ray *= 0.62 + 0.38 * Math.sin(at * 2.2 - time * 0.03 + phase[own + 2]);
      for (let slot = 0; slot < fingerCount; slot += 1) {
        if (nudge[slot] < 0.004) continue;
        const away = (u * width - fingers.x[slot]) / (0.14 * width + 60);
        const near = nudge[slot] * Math.exp(-away * away);
        const drawn = Math.max(-0.2, Math.min(0.2, fingers.y[slot] / height - edge));
        edge += 0.4 * drawn * near;
        ray += 0.16 * near;
      }
      column[2 * band] = edge;
      column[2 * band + 1] = Math.max(0, ray) * [1, 0.72, 0.5][band];
    }
    for (let row = 0; row < rows; row += 1) {
      const v = (row + 0.5) / rows;
      let red = 0.0035 + 0.006 * v;
      let green = 0.005 + 0.012 * v;
      let blue = 0.018 + 0.024 * v;
      for (let band = 0; band < bands; band += 1) {
        const above = column[2 * band] - v;
        const tall = 0.17 + 0.2 * column[2 * band + 1];
        const share = above > 0 ? above / tall : above / 0.045;
        const falloff = above > 0
          ? Math.exp(-share * 1.5) * (1 - Math.exp(-(share * 14) - 0.9))
          : 0.593 * Math.exp(-share * share);
        const glowing = 0.62 * column[2 * band + 1] * falloff;
        const rise = Math.min(1, Math.max(0, share * 0.62));
        red += glowing * (low[band][0] * (1 - rise) + high[band][0] * rise);
        green += glowing * (low[band][1] * (1 - rise) + high[band][1] * rise);
        blue += glowing * (low[band][2] * (1 - rise) + high[band][2] * rise);
      }
      const pixel = 4 * (row * columns + left);
      data[pixel] = tone[Math.min(4095, (red * 1023) | 0)];
      data[pixel + 1] = tone[Math.min(4095, (green * 1023) | 0)];
      data[pixel + 2] = tone[Math.min(4095, (blue * 1023) | 0)];
      data[pixel + 3] = 255;
    }
  }
}

/** Stars, and the mountains with a clear sky and a clear lake around them. */
function paintStars(context, width, height) {
  sky(context, width, height, [[0, "#000"], [1, "#000"]]);
  stars(context, width, height * 0.7, 9, Math.round(70 + (width * height) / 9000));
}

const shores = new WeakMap();

/** The mountains, painted once for each size. */
function mountains(state, context) {
  const { width, height } = context.canvas;
  let kept = shores.get(state);
  if (kept?.width !== width || kept.height !== height) {
    kept = document.createElement("canvas");
    kept.width = width;
    kept.height = height;
    const own = kept.getContext("2d");
    own.scale(width / state.width, height / state.height);
    const [wide, tall] = [state.width, state.height];
    const land = { color: "#0a1626", low: "#0c1a2a", detail: 4 };
    ridge(own, wide, tall, { ...land, seed: 4, y: tall * (shore - 0.02), rise: tall * 0.14 });
    ridge(own, wide, tall, {
      ...land, seed: 12, y: tall * shore, rise: tall * 0.06, color: "#050c17", low: "#050c17",
    });
    own.clearRect(0, tall * shore, wide, tall);
    shores.set(state, kept);
  }
  return kept;
}

export function draw(state, context) {
  const { width, height, x, y, size } = state;
  const small = field(state, 152);
  light(state, small);
  small.own.putImageData(small.image, 0, 0);
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  backdrop(context, state, paintStars);
  context.globalCompositeOperation = "lighter";
  context.drawImage(small.canvas, 0, 0, width, height);
  for (let index = 0; index < orbs; index += 1) {
    place(context, glow([170, 255, 220], 1), x[index], y[index], 44 * size[index], 0.12);
    place(context, glow([220, 255, 240], 2), x[index], y[index], 8 * size[index], 0.34);
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
  const land = mountains(state, context);
  context.drawImage(land, 0, 0, width, height);
  // The lake mirrors what is above the shore, pressed together and darker.
  const line = height * shore;
  const { canvas } = context;
  const scale = canvas.height / height;
  context.save();
  context.beginPath();
  context.rect(0, line, width, height - line);
  context.clip();
  context.fillStyle = "#030a14";
  context.fillRect(0, line, width, height - line);
  context.translate(0, 2 * line);
  context.scale(1, -1);
  context.globalAlpha = 0.5;
  const seen = (height - line) * 3.1;
  context.drawImage(canvas, 0, (line - seen) * scale, canvas.width, seen * scale,
    0, line - (height - line), width, height - line);
  context.restore();
  const mist = context.createLinearGradient(0, line - height * 0.05, 0, line + height * 0.07);
  mist.addColorStop(0, "rgb(120 190 190 / 0)");
  mist.addColorStop(0.42, "rgb(120 190 190 / 0.13)");
  mist.addColorStop(1, "rgb(120 190 190 / 0)");
  context.fillStyle = mist;
  context.fillRect(0, line - height * 0.05, width, height * 0.12);
  grain(context, width, height);
}
