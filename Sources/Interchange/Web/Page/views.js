// What the networks see of a drawing. Strokes are [[x, …], [y, …]], each with a point at least.

import { draw, placed } from "./draw-pixels.js";

const { fround, max, min, round, sqrt } = Math;

/** The channels of a view, behind each other: the input of a network. */
export function look(strokes, { rasterizer, sequence }) {
  return sequence
    ? sequenced(strokes, sequence.steps)
    : Float32Array.from(draw(strokes, rasterizer).flat());
}

/**
 * Points along the strokes, with x, y, direction, starts and progress: see `StrokeSequence`. With
 * 32-bit numbers, as rounding decides how many points a stroke gets.
 */
function sequenced(strokes, steps) {
  let lines = placed(strokes, 2, 2, 0).map(line);
  if (lines.length > steps) {
    const longest = lines.map((_, index) => index)
      .sort((a, b) => lines[b].length - lines[a].length || a - b).slice(0, steps);
    lines = longest.sort((a, b) => a - b).map((index) => lines[index]);
  }
  let end = 0;
  const ends = lines.map(({ length }) => (end = fround(end + length)));
  const values = new Float32Array(6 * steps);
  let next = 0;
  lines.forEach((each, index) => {
    const share = end > 0 ? fround(ends[index] / end) : fround((index + 1) / lines.length);
    const last = index + 1 < lines.length
      ? index + 1 + round(fround((steps - lines.length) * share))
      : steps;
    walk(each, last - next, (step, point) => {
      point.forEach((value, channel) => (values[channel * steps + next + step] = value));
    });
    next = last;
  });
  return values;
}

function line(points) {
  const places = points.map(([x, y]) => [fround(x - 1), fround(y - 1)]);
  const pieces = places.slice(1).map(([x, y], index) => {
    const [dx, dy] = [fround(x - places[index][0]), fround(y - places[index][1])];
    const length = fround(sqrt(fround(fround(dx * dx) + fround(dy * dy))));
    return { x: places[index][0], y: places[index][1], dx, dy, length };
  });
  if (pieces.length === 0) pieces.push({ x: places[0][0], y: places[0][1], length: 0 });
  return { pieces, length: pieces.reduce((sum, { length }) => fround(sum + length), 0) };
}

/** Calls `place` with `count` points at equal distances along a line. */
function walk({ pieces, length }, count, place) {
  let [index, before] = [0, 0];
  for (let step = 0; step < count; step += 1) {
    const progress = count > 1 ? fround(step / (count - 1)) : 0;
    const target = fround(length * progress);
    // Pieces of length 0 have no direction.
    while (index + 1 < pieces.length
      && (pieces[index].length === 0 || fround(before + pieces[index].length) < target)) {
      before = fround(before + pieces[index].length);
      index += 1;
    }
    const piece = pieces[index];
    const [start, along] = [step === 0 ? 1 : 0, 2 * progress - 1];
    if (piece.length > 0) {
      const share = max(0, min(1, (target - before) / piece.length));
      const [x, y] = [piece.x + share * piece.dx, piece.y + share * piece.dy];
      place(step, [x, y, piece.dx / piece.length, piece.dy / piece.length, start, along]);
    } else {
      place(step, [piece.x, piece.y, 0, 0, start, along]);
    }
  }
}
