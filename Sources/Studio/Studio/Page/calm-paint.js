// Soft light for the scenes' `draw`. What stays the same is painted once: sprites by their look,
// backgrounds by the state that they belong to. Dark gradients show bands in 8 bits, so everything
// soft has a little noise.

import { between, makeRandom, next } from "./calm-random.js";

function makeCanvas(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  return canvas;
}

const sprites = new Map();

/** A square picture by its name; `paint(u, v, pixel)` sets RGBA in 0…255 for u, v in −1…1. */
export function sprite(name, size, paint) {
  const known = sprites.get(name);
  if (known) return known;
  const canvas = makeCanvas(size, size);
  const context = canvas.getContext("2d");
  const image = context.createImageData(size, size);
  const random = makeRandom(7);
  const pixel = [0, 0, 0, 0];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      paint((2 * x + 1) / size - 1, (2 * y + 1) / size - 1, pixel);
      // The rounding of alpha is left to chance.
      pixel[3] = pixel[3] > 0 ? pixel[3] + next(random) - 0.5 : 0;
      image.data.set(pixel, 4 * (y * size + x));
    }
  }
  context.putImageData(image, 0, 0);
  sprites.set(name, canvas);
  return canvas;
}

/** A round light that is brightest in its middle; the higher `power`, the smaller the core. */
export function glow(color, power = 2) {
  return sprite(`glow ${color} ${power}`, 128, (u, v, pixel) => {
    const distance = Math.min(1, Math.hypot(u, v));
    const light = (1 - distance * distance) ** 2 * (1 - distance) ** (power - 1);
    pixel[0] = color[0];
    pixel[1] = color[1];
    pixel[2] = color[2];
    pixel[3] = 255 * light;
  });
}

/** Draws a sprite around a center. */
export function place(context, picture, x, y, radius, alpha) {
  context.globalAlpha = alpha > 1 ? 1 : alpha;
  context.drawImage(picture, x - radius, y - radius, 2 * radius, 2 * radius);
}

/** What `make` makes for a state at a size in pixels, again only when the size has changed. */
function kept(store, state, width, height, make) {
  const found = store.get(state);
  if (found?.width === width && found.height === height) return found.made;
  const made = make();
  store.set(state, { width, height, made });
  return made;
}

const backdrops = new WeakMap();
const foregrounds = new WeakMap();

/** Draws a state's background, painted once for each size by `paint(context, width, height)`. */
export function backdrop(context, state, paint) {
  drawLayer(backdrops, context, state, (own, width, height) => {
    paint(own, width, height);
    addNoise(own);
  });
}

/** Draws what lies in front, painted in the same way. */
export function foreground(context, state, paint) {
  drawLayer(foregrounds, context, state, paint);
}

function drawLayer(store, context, state, paint) {
  const { width, height } = context.canvas;
  const picture = kept(store, state, width, height, () => {
    const canvas = makeCanvas(width, height);
    const own = canvas.getContext("2d", { willReadFrequently: true });
    own.scale(width / state.width, height / state.height);
    paint(own, state.width, state.height);
    return canvas;
  });
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
  context.drawImage(picture, 0, 0, state.width, state.height);
}

function addNoise(context) {
  const { width, height } = context.canvas;
  const image = context.getImageData(0, 0, width, height);
  const { data } = image;
  const random = makeRandom(11);
  for (let index = 0; index < data.length; index += 4) {
    const noise = 2.2 * (next(random) + next(random) - 1);
    data[index] += noise;
    data[index + 1] += noise;
    data[index + 2] += noise;
  }
  context.putImageData(image, 0, 0);
}

/** Fills everything with a gradient from the top to the bottom. */
export function sky(context, width, height, stops) {
  const gradient = context.createLinearGradient(0, 0, 0, height);
  for (const [at, color] of stops) gradient.addColorStop(at, color);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}

/** Stars that get fewer toward the bottom. */
export function stars(context, width, height, seed, count) {
  const random = makeRandom(seed);
  const light = glow([226, 234, 255], 3);
  for (let index = 0; index < count; index += 1) {
    const y = height * next(random) ** 1.6;
    const size = between(random, 0.8, 2.6);
    place(context, light, width * next(random), y, size, between(random, 0.15, 0.8));
  }
  context.globalAlpha = 1;
}

/** A line of hills up to `rise` above `y`, filled from `color` to `low`. */
export function ridge(context, width, height, { seed, y, rise, color, low, detail = 5 }) {
  const random = makeRandom(seed);
  const waves = Array.from({ length: detail }, (_, index) => ({
    phase: between(random, 0, 6.3), size: 0.62 ** index,
    rate: (1.15 + index * between(random, 0.85, 1.25)) * (1.3 ** index),
  }));
  const top = (x) => {
    const at = (x / Math.max(width, 800)) * 3.1;
    let sum = 0;
    for (const { phase, size, rate } of waves) sum += size * Math.sin(at * rate + phase);
    return y - rise * (0.5 + sum / 3.4);
  };
  const gradient = context.createLinearGradient(0, y - rise, 0, height);
  gradient.addColorStop(0, color);
  gradient.addColorStop(1, low);
  context.fillStyle = gradient;
  context.beginPath();
  context.moveTo(0, height);
  for (let x = 0; x <= width + 3; x += 3) context.lineTo(x, top(x));
  context.lineTo(width + 3, height);
  context.fill();
  return top;
}

const fields = new WeakMap();

/**
 * A small picture that a state's light is computed into before it is drawn large; `time` is for the
 * scene, to know whether that was long ago.
 */
export function field(state, longSide) {
  const scale = longSide / Math.max(state.width, state.height);
  const width = Math.max(8, Math.round(state.width * scale));
  const height = Math.max(8, Math.round(state.height * scale));
  return kept(fields, state, width, height, () => {
    const own = makeCanvas(width, height).getContext("2d");
    const between = makeCanvas(4 * width, 4 * height).getContext("2d");
    const image = own.createImageData(width, height);
    return { own, between, width, height, image, time: -1 };
  });
}

/** From linear light in steps of 1/1023 to a byte; what is too bright is compressed, not cut. */
const tone = Uint8ClampedArray.from({ length: 4096 }, (_, index) =>
  255 * (1 - Math.exp(-index / 1023)) ** (1 / 2.2));

/** Sets a pixel of a field from linear light. */
export function setLight({ image: { data } }, pixel, red, green, blue) {
  data[4 * pixel] = tone[Math.min(4095, (red * 1023) | 0)];
  data[4 * pixel + 1] = tone[Math.min(4095, (green * 1023) | 0)];
  data[4 * pixel + 2] = tone[Math.min(4095, (blue * 1023) | 0)];
  data[4 * pixel + 3] = 255;
}

/** Makes a field ready to be drawn. Smooth enlarging is slow, so only the first step is. */
export function finishField({ own, between, image }) {
  own.putImageData(image, 0, 0);
  between.imageSmoothingQuality = "high";
  between.drawImage(own.canvas, 0, 0, between.canvas.width, between.canvas.height);
}

/** Draws a field over everything. */
export function drawField(context, { between }, width, height) {
  context.globalAlpha = 1;
  context.drawImage(between.canvas, 0, 0, width, height);
}

let grainTile = null;

/** Hides the bands of wide gradients. */
export function grain(context, width, height) {
  if (!grainTile) {
    grainTile = makeCanvas(192, 192);
    const own = grainTile.getContext("2d");
    const image = own.createImageData(192, 192);
    const random = makeRandom(13);
    for (let index = 0; index < image.data.length; index += 4) {
      const isLight = next(random) < 0.5;
      image.data.fill(isLight ? 255 : 0, index, index + 3);
      image.data[index + 3] = next(random) * (isLight ? 4 : 9);
    }
    own.putImageData(image, 0, 0);
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
  context.fillStyle = context.createPattern(grainTile, "repeat");
  context.fillRect(0, 0, width, height);
}
