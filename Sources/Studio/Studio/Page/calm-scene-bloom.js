// Drawing with light: ink that the model recognizes blooms into its emoji, and all ink fades
// (CL-049). The state marks groups of strokes as ready; whoever steps it asks the model.

import { clamp, follow, fingerCount, makeFingers, share, toward } from "./calm-fingers.js";
import { backdrop, glow, place, sky } from "./calm-paint.js";
import { between, makeRandom, next } from "./calm-random.js";

export const name = "bloom";

export const strokeCount = 60;
export const pointsEach = 160;
export const groupCount = 12;
const motes = 54;
/** Seconds without ink after which a group is complete, that an emoji is seen, and of fading. */
export const pause = 1.2;
export const bloomSeconds = 3;
const fadeSeconds = 1.6;
const restSeconds = 5;
const answerSeconds = 8;

export const phases = { free: 0, drawn: 1, ready: 2, asked: 3, blooming: 4, fading: 5 };

export function make(seed, width, height) {
  const random = makeRandom(seed);
  const ofGroups = (value = 0) => new Float32Array(groupCount).fill(value);
  const ofMotes = (scale) => new Float32Array(motes).map(() => scale * next(random));
  const state = {
    width, height, random, fingers: makeFingers(),
    x: ofMotes(width), y: ofMotes(height), homeX: ofMotes(0), homeY: ofMotes(0),
    moteSize: ofMotes(1),
    inkX: new Float32Array(strokeCount * pointsEach),
    inkY: new Float32Array(strokeCount * pointsEach),
    inkTime: new Float32Array(strokeCount * pointsEach),
    length: new Uint16Array(strokeCount),
    /** The group of a stroke; −1 for an unused stroke. */
    group: new Int8Array(strokeCount).fill(-1),
    /** How many drawings a group has held: an answer may come when it holds another one. */
    turn: new Uint32Array(groupCount),
    phase: new Uint8Array(groupCount), age: ofGroups(), light: ofGroups(), tint: ofGroups(),
    left: ofGroups(), top: ofGroups(), right: ofGroups(), bottom: ofGroups(),
    labels: new Array(groupCount).fill(""),
    /** The stroke that each finger draws, or −1. */
    drawing: new Int8Array(fingerCount).fill(-1), nextTint: Math.floor(6 * next(random)), time: 0,
    drift: 0,
  };
  state.homeX.set(state.x);
  state.homeY.set(state.y);
  return state;
}

function freeStroke(state) {
  for (let stroke = 0; stroke < strokeCount; stroke += 1) {
    if (state.group[stroke] < 0) return stroke;
  }
  return -1;
}

/** The group that a new stroke at a place belongs to: one that is being drawn nearby, or none. */
function groupAt(state, x, y) {
  const near = clamp(0.12 * Math.min(state.width, state.height), 40, 90);
  let free = -1;
  for (let index = 0; index < groupCount; index += 1) {
    if (state.phase[index] === phases.free) free = index;
    if (state.phase[index] !== phases.drawn) continue;
    if (x > state.left[index] - near && x < state.right[index] + near
      && y > state.top[index] - near && y < state.bottom[index] + near) return index;
  }
  if (free < 0) return -1;
  state.turn[free] += 1;
  state.phase[free] = phases.drawn;
  state.age[free] = 0;
  state.light[free] = 1;
  state.tint[free] = state.nextTint;
  state.nextTint = (state.nextTint + 1) % tints.length;
  state.left[free] = state.right[free] = x;
  state.top[free] = state.bottom[free] = y;
  state.labels[free] = "";
  return free;
}

function addPoint(state, stroke, x, y) {
  const index = stroke * pointsEach + state.length[stroke];
  const group = state.group[stroke];
  state.inkX[index] = x;
  state.inkY[index] = y;
  state.inkTime[index] = state.time;
  state.length[stroke] += 1;
  state.left[group] = Math.min(state.left[group], x);
  state.right[group] = Math.max(state.right[group], x);
  state.top[group] = Math.min(state.top[group], y);
  state.bottom[group] = Math.max(state.bottom[group], y);
}

function beginStroke(state, slot, group, x, y) {
  const stroke = group < 0 ? -1 : freeStroke(state);
  state.drawing[slot] = stroke;
  if (stroke < 0) return;
  state.group[stroke] = group;
  state.length[stroke] = 0;
  addPoint(state, stroke, x, y);
}

function drawWithFingers(state) {
  const { fingers, drawing } = state;
  for (let slot = 0; slot < fingerCount; slot += 1) {
    const x = fingers.x[slot];
    const y = fingers.y[slot];
    if (fingers.isNew[slot]) beginStroke(state, slot, groupAt(state, x, y), x, y);
    else if (!fingers.isDown[slot]) drawing[slot] = -1;
    const stroke = drawing[slot];
    if (stroke < 0) continue;
    const group = state.group[stroke];
    state.age[group] = 0;
    const last = stroke * pointsEach + state.length[stroke] - 1;
    if (Math.hypot(x - state.inkX[last], y - state.inkY[last]) < 5) continue;
    addPoint(state, stroke, x, y);
    // A stroke that is full goes on as another one.
    if (state.length[stroke] === pointsEach) beginStroke(state, slot, group, x, y);
  }
}

function free(state, group) {
  state.phase[group] = phases.free;
  for (let stroke = 0; stroke < strokeCount; stroke += 1) {
    if (state.group[stroke] === group) state.group[stroke] = -1;
  }
}

export function step(state, input, dt) {
  const { phase, age, light } = state;
  const flow = dt * share(input);
  follow(state.fingers, input.pointers, dt);
  state.time += dt;
  state.drift += flow;
  for (let group = 0; group < groupCount; group += 1) age[group] += dt;
  drawWithFingers(state);
  for (let group = 0; group < groupCount; group += 1) {
    if (phase[group] === phases.drawn && age[group] >= pause) {
      phase[group] = phases.ready;
      age[group] = 0;
    } else if (phase[group] === phases.ready || phase[group] === phases.asked) {
      if (age[group] > answerSeconds) answer(state, group, null);
    } else if (phase[group] >= phases.blooming) {
      const isBlooming = phase[group] === phases.blooming;
      if (isBlooming && age[group] < bloomSeconds) continue;
      light[group] -= dt / (isBlooming ? fadeSeconds : restSeconds);
      if (light[group] <= 0) free(state, group);
    }
  }
  const sway = 22 * share(input);
  for (let index = 0; index < motes; index += 1) {
    const at = 0.2 * state.drift + 7 * index;
    const goalX = state.homeX[index] + sway * Math.sin(at);
    const goalY = state.homeY[index] + sway * Math.cos(0.8 * at);
    state.x[index] += (goalX - state.x[index]) * toward(0.25, flow);
    state.y[index] += (goalY - state.y[index]) * toward(0.25, flow);
  }
}

/** Takes a group whose drawing is complete, to ask for it; −1 if there is none. */
export function takeReady(state) {
  const group = state.phase.indexOf(phases.ready);
  if (group >= 0) state.phase[group] = phases.asked;
  return group;
}

/** A group's strokes as columns of x, y and milliseconds. */
export function strokesOf(state, group) {
  const strokes = [];
  for (let stroke = 0; stroke < strokeCount; stroke += 1) {
    if (state.group[stroke] !== group) continue;
    const from = stroke * pointsEach;
    const part = (values, scale) =>
      Array.from(values.subarray(from, from + state.length[stroke]), (value) =>
        Math.round(value * scale * 10) / 10);
    strokes.push([part(state.inkX, 1), part(state.inkY, 1), part(state.inkTime, 1000)]);
  }
  return strokes;
}

/** What the model says of a group: a label that blooms, or null for ink that only fades. */
export function answer(state, group, label) {
  if (state.phase[group] !== phases.ready && state.phase[group] !== phases.asked) return;
  state.phase[group] = label ? phases.blooming : phases.fading;
  state.labels[group] = label ?? "";
  state.age[group] = 0;
}

const tints = [
  [255, 214, 150], [255, 170, 150], [206, 170, 255], [140, 196, 255], [136, 232, 208],
  [216, 240, 160],
];
/** The width and alpha of a stroke's layers; with fewer of them, the edges of the glow would show. */
const layers = Array.from({ length: 11 }, (_, index) =>
  [60 * 0.755 ** index, 0.0095 * 1.4 ** index]);

function paint(context, width, height) {
  const long = Math.max(width, height);
  sky(context, width, height, [[0, "#0b1424"], [0.6, "#0e1a2c"], [1, "#0a1120"]]);
  context.globalCompositeOperation = "lighter";
  place(context, glow([42, 86, 104], 1), width * 0.3, height * 0.25, long * 0.6, 0.42);
  place(context, glow([72, 52, 110], 1), width * 0.8, height * 0.8, long * 0.62, 0.4);
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}

function trace(state, context, stroke) {
  const { inkX, inkY } = state;
  const from = stroke * pointsEach;
  const to = from + state.length[stroke];
  context.moveTo(inkX[from], inkY[from]);
  for (let index = from + 1; index < to - 1; index += 1) {
    context.quadraticCurveTo(inkX[index], inkY[index],
      (inkX[index] + inkX[index + 1]) / 2, (inkY[index] + inkY[index + 1]) / 2);
  }
  // A tap is a dot.
  context.lineTo(inkX[to - 1] + (to - from === 1 ? 0.1 : 0), inkY[to - 1]);
}

const faces = new Map();

/** An emoji as a picture: text on the canvas would be set again in each frame. */
function face(label) {
  if (faces.has(label)) return faces.get(label);
  if (faces.size > 60) faces.clear();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const context = canvas.getContext("2d");
  context.font = '196px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif';
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = "#fff";
  context.fillText(label, 128, 138, 250);
  faces.set(label, canvas);
  return canvas;
}

export function draw(state, context) {
  const { phase, age, light, time } = state;
  backdrop(context, state, paint);
  context.globalCompositeOperation = "lighter";
  const mote = glow([190, 214, 240], 2);
  for (let index = 0; index < motes; index += 1) {
    const size = state.moteSize[index];
    place(context, mote, state.x[index], state.y[index], 2 + 6 * size,
      (0.16 + 0.34 * size * size) * (0.8 + 0.2 * Math.sin(time * 0.5 + index)));
  }
  context.lineCap = "round";
  context.lineJoin = "round";
  for (let group = 0; group < groupCount; group += 1) {
    if (phase[group] === phases.free) continue;
    const isBlooming = phase[group] === phases.blooming;
    const opening = isBlooming ? clamp(age[group] / 1.1, 0, 1) : 0;
    const ease = 1 - (1 - opening) ** 3;
    const level = clamp(light[group], 0, 1) ** 1.5;
    const [red, green, blue] = tints[state.tint[group]];
    context.strokeStyle = `rgb(${red} ${green} ${blue})`;
    context.beginPath();
    for (let stroke = 0; stroke < strokeCount; stroke += 1) {
      if (state.group[stroke] === group) trace(state, context, stroke);
    }
    for (const [width, alpha] of layers) {
      context.lineWidth = width;
      context.globalAlpha = alpha * level * (1 - 0.72 * ease);
      context.stroke();
    }
    if (!isBlooming) continue;
    const x = (state.left[group] + state.right[group]) / 2;
    const y = (state.top[group] + state.bottom[group]) / 2;
    const side = clamp(Math.max(state.right[group] - state.left[group],
      state.bottom[group] - state.top[group]), 80, 420);
    place(context, glow([red, green, blue], 1), x, y, side * (0.5 + 0.6 * ease),
      0.34 * ease * level);
    context.globalCompositeOperation = "source-over";
    place(context, face(state.labels[group]), x, y,
      side * (0.42 + 0.2 * ease) * (1 + 0.015 * Math.sin(time * 1.1)), ease * level);
    context.globalCompositeOperation = "lighter";
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
}
