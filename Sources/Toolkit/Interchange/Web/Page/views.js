// The networks' inputs for a drawing. Strokes are [[x, …], [y, …]], each with a point at least.

import { draw } from "./draw-pixels.js";
import { points } from "./stroke-points.js";

/** The channels of a view, behind each other: the input of a network. */
export function look(strokes, { rasterizer, sequence }) {
  return sequence
    ? Float32Array.from(points(strokes, sequence.steps).flat())
    : Float32Array.from(draw(strokes, rasterizer).flat());
}
