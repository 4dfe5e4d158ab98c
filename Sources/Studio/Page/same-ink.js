// What was drawn here, and what the server has of it: one that was started again gives other numbers.

/** Whether columns are of one stroke: it begins and ends at the same places. */
export function isSameInk([xs, ys], [otherXs, otherYs]) {
  return [0, -1].every((at) => Math.abs(xs.at(at) - otherXs.at(at)) < 1 && Math.abs(ys.at(at) - otherYs.at(at)) < 1);
}

/** Strokes that are among the ink of shapes, with their numbers there: `[stroke, number]`; a stroke there stands for one here. */
export function numbersOf(strokes, { shapes }) {
  const there = shapes.flatMap(({ ink, strokes: numbers }) => (ink ?? []).map((columns, index) => ({ columns, number: numbers[index] })));
  return strokes.flatMap((stroke) => {
    const found = there.findIndex(({ columns }) => isSameInk(stroke.columns, columns));
    return found < 0 ? [] : [[stroke, there.splice(found, 1)[0].number]];
  });
}

/**
 * Those of the strokes that a snapshot does not have: neither as ink, nor within one of the `emojis` that took some of them.
 * Nobody knows an emoji's strokes any more, but its box was around all of them.
 */
export function strokesWithout(strokes, snapshot, emojis) {
  const known = new Set(numbersOf(strokes, snapshot).map(([stroke]) => stroke));
  return strokes.filter((stroke) => !known.has(stroke) && !emojis.some((emoji) => isWithin(stroke.columns, emoji)));
}

/** Whether all of a stroke lies in a shape's box. */
function isWithin([xs, ys], { boundingBox: { x, y, width, height } }) {
  return xs.every((each) => each > x - 1 && each < x + width + 1) && ys.every((each) => each > y - 1 && each < y + height + 1);
}
