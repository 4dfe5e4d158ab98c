// The scenes by name, in the order in which adults see them, and the pace of their steps.

import * as aurora from "./calm-scene-aurora.js";
import * as bloom from "./calm-scene-bloom.js";
import * as bubbles from "./calm-scene-bubbles.js";
import * as colors from "./calm-scene-colors.js";
import * as dust from "./calm-scene-dust.js";
import * as ripples from "./calm-scene-ripples.js";
import * as snow from "./calm-scene-snow.js";
import * as still from "./calm-scene-still.js";

export const scenes = { snow, ripples, colors, bubbles, dust, aurora, still, bloom };

export const stepSeconds = 1 / 60;

/** What a scene's step reads; `lateness` is 0 where frames come in time, and at most 1. */
export function makeInput() {
  return { pointers: [], tilt: { x: 0, y: 0 }, shake: 0, isReduced: false, lateness: 0 };
}
