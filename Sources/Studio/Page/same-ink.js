// What was drawn here, and what the server has of it: one that was started again gives other numbers.

/** Whether columns are of one stroke: it begins and ends at the same places. */
export function isSameInk([xs, ys], [otherXs, otherYs]) {
  return [0, -1].every((at) => Math.abs(xs.at(at) - otherXs.at(at)) < 1 && Math.abs(ys.at(at) - otherYs.at(at)) < 1);
}

/** Those of the strokes that are not among the ink of a snapshot's shapes; a stroke there stands for one here. */
export function strokesWithout(strokes, { shapes }) {
  const there = shapes.flatMap(({ ink }) => ink ?? []);
  return strokes.filter(({ columns }) => {
    const found = there.findIndex((ink) => isSameInk(columns, ink));
    if (found >= 0) there.splice(found, 1);
    return found < 0;
  });
}

/**
 * What was drawn here of shapes that were not decided on, and that a server which was started again does not have, in the
 * order of drawing.
 * @param {{shapes: {boundingBox: object, strokes: object[]}[], placed: number[]}} held What was known here before: those
 *   shapes, and the numbers of the emojis.
 */
export function lostStrokes({ shapes, placed }, snapshot) {
  // Of what became an emoji meanwhile nobody knows the strokes any more: it has all.
  const fresh = snapshot.shapes.filter(({ shape, state }) => state === "recognized" && !placed.includes(shape));
  const strokes = shapes.filter((shape) => !fresh.some((emoji) => isWithin(emoji, shape))).flatMap((shape) => shape.strokes);
  return strokesWithout(strokes.sort((a, b) => a.milliseconds - b.milliseconds), snapshot);
}

/** Whether the middle of a shape lies in another's box. */
function isWithin({ boundingBox: inner }, { boundingBox: outer }) {
  const [x, y] = [inner.x + inner.width / 2, inner.y + inner.height / 2];
  return x >= outer.x - 1 && x <= outer.x + outer.width + 1 && y >= outer.y - 1 && y <= outer.y + outer.height + 1;
}
