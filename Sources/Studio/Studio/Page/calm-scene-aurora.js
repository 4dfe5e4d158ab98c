// An aurora over a lake: slow bands and a few orbs; a finger nudges the light (CL-046).

import { follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import {
  backdrop, drawField, field, finishField, foreground, glow, grain, place, ridge, setLight, sky,
  stars,
} from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "aurora";

const bands = 3;
const orbs = 7;
/** How fast all fingers together may draw the light, in shares a second. */
const nudgeRate = 0.4;
const columnCount = 152;
/** Where the far shore is, as a share of the height. */
const shore = 0.79;

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const floats = (low, high, count) =>
    new Float32Array(count).map(() => between(random, low, high));
  const state = {
    width, height, random, fingers: makeFingers(),
    phase: floats(0, 6.3, 4 * bands),
    x: floats(0.05 * width, 0.95 * width, orbs), y: floats(0.12 * height, 0.58 * height, orbs),
    homeX: new Float32Array(orbs), homeY: new Float32Array(orbs),
    turn: floats(0, 6.3, orbs), size: floats(0.7, 1.4, orbs),
    /** How far the bands swing: less where people want less motion. */
    swing: 1, time: between(random, 0, 200),
    /** How far each finger draws the light, and where to. */
    nudge: new Float32Array(fingerCount), nudgeX: new Float32Array(fingerCount),
    nudgeY: new Float32Array(fingerCount),
    /** For drawing: the bands' edges and rays in a column, and the light drawn to each column. */
    column: new Float32Array(2 * bands), drawn: new Float32Array(columnCount),
  };
  state.homeX.set(state.x);
  state.homeY.set(state.y);
  return state;
}

export function step(state, input, dt) {
  const { x, y, fingers } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  state.swing += (share(input) - state.swing) * toward(0.4, dt);
  nudgeLight(state, share(input), flow);
  const ease = toward(0.4, flow);
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
    // They stay in the sky: behind the mountains their light would go out.
    x[index] += (goalX - x[index]) * ease;
    y[index] += (Math.min(goalY, 0.6 * state.height) - y[index]) * ease;
  }
}

/**
 * Fingers draw the light. Many have no more of it than one, and it neither jumps to a finger nor
 * comes at once, or the whole sky would get brighter with each touch.
 */
function nudgeLight({ fingers, nudge, nudgeX, nudgeY }, most, flow) {
  const goal = most / Math.max(1, fingers.count);
  let change = 0;
  for (let slot = 0; slot < fingerCount; slot += 1) {
    change += Math.abs(fingers.isDown[slot] * goal - nudge[slot]);
  }
  const part = Math.min(1, (nudgeRate * flow) / Math.max(change, 1e-6));
  const glide = toward(0.35, flow);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (fingers.isDown[slot]) {
      const ease = nudge[slot] < 0.004 ? 1 : glide;
      nudgeX[slot] += (fingers.x[slot] - nudgeX[slot]) * ease;
      nudgeY[slot] += (fingers.y[slot] - nudgeY[slot]) * ease;
    }
    nudge[slot] += (fingers.isDown[slot] * goal - nudge[slot]) * part;
  }
}

/** Linear colors of a band: at its lower edge, and high above. */
const low = [[0.03, 0.95, 0.36], [0.02, 0.8, 0.58], [0.06, 0.42, 0.95]];
const high = [[0.2, 0.07, 0.85], [0.42, 0.05, 0.75], [0.65, 0.06, 0.5]];

/** How near a finger's light is to a place across the window, times how strong it is. */
function nearness({ nudge, nudgeX, width }, slot, x) {
  const away = (x - nudgeX[slot]) / (0.14 * width + 60);
  return nudge[slot] * Math.exp(-away * away);
}

/** What fingers draw to each column, the rest of the sky gives. */
function drawLight(state, columns) {
  const { nudge, drawn, width } = state;
  let mean = 0;
  for (let left = 0; left < columns; left += 1) {
    drawn[left] = 0;
    for (let slot = 0; slot < fingerCount; slot += 1) {
      if (nudge[slot] >= 0.004) {
        drawn[left] += 0.16 * nearness(state, slot, ((left + 0.5) / columns) * width);
      }
    }
    mean += drawn[left] / columns;
  }
  for (let left = 0; left < columns; left += 1) drawn[left] -= mean;
}

/** Computes the light of the bands into the small picture. */
function light(state, small) {
  const { time, phase, swing, nudge, nudgeY, width, height, column, drawn } = state;
  const { width: columns, height: rows } = small;
  drawLight(state, columns);
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
        const way = Math.max(-0.2, Math.min(0.2, nudgeY[slot] / height - edge));
        edge += 0.4 * way * nearness(state, slot, u * width);
      }
      column[2 * band] = edge;
      column[2 * band + 1] = Math.max(0, ray + drawn[left]) * [1, 0.72, 0.5][band];
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
      setLight(small, row * columns + left, red, green, blue);
    }
  }
}

function paintStars(context, width, height) {
  sky(context, width, height, [[0, "#000"], [1, "#000"]]);
  stars(context, width, height * 0.7, 9, Math.round(70 + (width * height) / 9000));
}

/** The mountains, with a clear sky and a clear lake around them. */
function paintMountains(context, width, height) {
  const line = height * shore;
  ridge(context, width, height, {
    seed: 4, y: line - 0.02 * height, rise: 0.14 * height, color: "#0a1626", low: "#0c1a2a",
    detail: 4,
  });
  ridge(context, width, height, {
    seed: 12, y: line, rise: 0.06 * height, color: "#050c17", low: "#050c17", detail: 4,
  });
  context.clearRect(0, line, width, height);
}

export function draw(state, context) {
  const { width, height, x, y, size } = state;
  const small = field(state, columnCount);
  // The bands are slow: every other frame is enough.
  if (state.time - small.time > 0.03) {
    light(state, small);
    finishField(small);
    small.time = state.time;
  }
  backdrop(context, state, paintStars);
  context.globalCompositeOperation = "lighter";
  drawField(context, small, width, height);
  for (let index = 0; index < orbs; index += 1) {
    place(context, glow([170, 255, 220], 1), x[index], y[index], 44 * size[index], 0.12);
    place(context, glow([220, 255, 240], 2), x[index], y[index], 8 * size[index], 0.34);
  }
  foreground(context, state, paintMountains);
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
  mist.addColorStop(0.42, "rgb(120 190 190 / 0.09)");
  mist.addColorStop(1, "rgb(120 190 190 / 0)");
  context.fillStyle = mist;
  context.fillRect(0, line - height * 0.05, width, height * 0.12);
  grain(context, width, height);
}
