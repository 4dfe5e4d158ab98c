// Clouds of color in the dark: each finger has one, two of them blend, and more become one mean
// color (CL-043).

import { follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { drawField, field, finishField, grain, setLight } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "colors";

const clouds = 5;

/** Linear red, green and blue around a circle of related colors. */
const palette = [
  [1, 0.06, 0.16], [1, 0.2, 0.03], [1, 0.46, 0.06], [0.1, 0.55, 0.22],
  [0.01, 0.5, 0.56], [0.03, 0.16, 0.95], [0.3, 0.06, 0.9], [0.8, 0.05, 0.5],
];

/** Writes the palette's color at a place in 0..<8 to three numbers from an index on. */
function tintOf(at, target, index) {
  const from = Math.floor(at) % palette.length;
  const to = (from + 1) % palette.length;
  const part = at - Math.floor(at);
  for (let channel = 0; channel < 3; channel += 1) {
    target[index + channel] = palette[from][channel] * (1 - part) + palette[to][channel] * part;
  }
}

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const count = clouds + fingerCount;
  const state = {
    width, height, random, fingers: makeFingers(),
    /** The background's clouds, then the fingers'. */
    x: new Float32Array(count), y: new Float32Array(count),
    light: new Float32Array(count), color: new Float32Array(3 * count),
    homeX: new Float32Array(clouds), homeY: new Float32Array(clouds),
    phase: new Float32Array(clouds), wish: new Float32Array(3 * fingerCount),
    mean: new Float32Array(3), hue: between(random, 0, palette.length), time: 0,
  };
  const turn = between(random, 0, 6.3);
  for (let index = 0; index < clouds; index += 1) {
    // The golden angle: all around, wherever the first one is.
    const angle = 2.4 * index + turn;
    state.homeX[index] = width * (0.5 + 0.36 * Math.cos(angle));
    state.homeY[index] = height * (0.5 + 0.36 * Math.sin(angle));
    state.x[index] = state.homeX[index];
    state.y[index] = state.homeY[index];
    state.phase[index] = between(random, 0, 6.3);
    state.light[index] = 0.17;
  }
  return state;
}

export function step(state, input, dt) {
  const { x, y, light, color, fingers, wish, mean } = state;
  const flow = dt * share(input);
  follow(fingers, input.pointers, dt);
  state.time += flow;
  state.hue = (state.hue + 0.05 * flow) % palette.length;
  const swing = 0.11 * share(input) * Math.min(state.width, state.height);
  for (let index = 0; index < clouds; index += 1) {
    const phase = state.phase[index];
    x[index] = state.homeX[index] + swing * Math.sin(state.time * 0.09 + phase);
    y[index] = state.homeY[index] + swing * Math.cos(state.time * 0.07 + 2 * phase);
    // Neighbors on the circle: all around it, they would mix to gray.
    tintOf(state.hue + 0.55 * index, color, 3 * index);
  }
  mean.fill(0);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (!fingers.isDown[slot]) continue;
    if (fingers.isNew[slot]) tintOf(state.hue + 3 * slot + next(state.random), wish, 3 * slot);
    for (let channel = 0; channel < 3; channel += 1) {
      mean[channel] += wish[3 * slot + channel] / fingers.count;
    }
  }
  const blend = toward(0.9, flow);
  const chase = toward(5, flow);
  for (let slot = 0; slot < fingerCount; slot += 1) {
    const index = clouds + slot;
    const isDown = fingers.isDown[slot];
    const isFresh = light[index] < 0.02;
    light[index] += (isDown * 1.25 - light[index]) * toward(isDown ? 1 : 0.45, flow);
    if (!isDown) continue;
    // A cloud that is hardly seen may jump to its finger; another glides.
    x[index] += (fingers.x[slot] - x[index]) * (isFresh ? 1 : chase);
    y[index] += (fingers.y[slot] - y[index]) * (isFresh ? 1 : chase);
    for (let channel = 0; channel < 3; channel += 1) {
      const wanted = fingers.count > 2 ? mean[channel] : wish[3 * slot + channel];
      const now = color[3 * index + channel];
      color[3 * index + channel] += (wanted - now) * (isFresh ? 1 : blend);
    }
  }
}

export function draw(state, context) {
  const { x, y, light, color, width, height, time } = state;
  const small = field(state, 96);
  const { width: columns, height: rows } = small;
  const unit = 0.5 * (Math.min(width, height) + 360);
  const cell = width / columns;
  for (let row = 0, pixel = 0; row < rows; row += 1) {
    const top = (row + 0.5) * (height / rows);
    for (let column = 0; column < columns; column += 1, pixel += 1) {
      const left = (column + 0.5) * cell;
      // The edge of the field rests in the dark.
      const u = left / width - 0.5;
      const v = top / height - 0.5;
      const rim = 1 - 1.5 * (u * u + v * v);
      let red = 0.002;
      let green = 0.0015;
      let blue = 0.006;
      for (let index = 0; index < light.length; index += 1) {
        if (light[index] < 0.003) continue;
        const isCloud = index < clouds;
        const size = unit * (isCloud ? 0.6 : 0.36 + 0.015 * Math.sin(time * 0.5 + index));
        const dx = (left - x[index]) / size;
        const dy = (top - y[index]) / size;
        const near = 1 / (1 + dx * dx + dy * dy);
        const weight = light[index] * rim * near * near * near;
        red += weight * color[3 * index];
        green += weight * color[3 * index + 1];
        blue += weight * color[3 * index + 2];
      }
      setLight(small, pixel, red, green, blue);
    }
  }
  finishField(small);
  context.globalCompositeOperation = "source-over";
  drawField(context, small, width, height);
  grain(context, width, height);
}
