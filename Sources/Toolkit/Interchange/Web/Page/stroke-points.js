// Puts points along strokes as DrawML does, to within 1e-5: see docs/strokes/README.md.
// points(strokes, steps) gives six lists of `steps` numbers. A stroke is [[x, ...], [y, ...]].
const { floor, fround, max, min, sqrt } = Math;
/** The strokes' points: centered, the larger side from -1 to 1. */
function placed(strokes) {
  const sides = [0, 1].map((side) => {
    const values = strokes.flatMap((stroke) => stroke[side]);
    const [low, high] = values.reduce(([a, b], v) => [min(a, v), max(b, v)], [values[0], values[0]]);
    return { low, half: (high - low) / 2 };
  });
  const largest = max(...sides.map(({ half }) => half)) || 1; // 1 + … - 1 rounds as DrawML does
  const place = (value, { low, half }) => fround(1 + (value - low - half) / largest - 1);
  return strokes.map(([xs, ys]) =>
    xs.map((x, i) => [place(x, sides[0]), place(ys[i], sides[1])]));
}
/** A stroke's pieces from point to point, and its length. With 32-bit numbers, because rounding
 *  decides how many points a stroke gets. */
function line(places) {
  const pieces = places.slice(1).map(([x, y], index) => {
    const [startX, startY] = places[index];
    const [dx, dy] = [fround(x - startX), fround(y - startY)];
    const length = fround(sqrt(fround(fround(dx * dx) + fround(dy * dy))));
    return { x: startX, y: startY, dx, dy, length };
  });
  if (!pieces.length) pieces.push({ x: places[0][0], y: places[0][1], dx: 0, dy: 0, length: 0 });
  return { pieces, length: pieces.reduce((sum, { length }) => fround(sum + length), 0) };
}
/** The lines, at most `count` of them: the longest, of equal ones the first, in drawing order. */
function longest(lines, count) {
  const order = lines.map((_, i) => i).sort((a, b) => lines[b].length - lines[a].length || a - b);
  return order.slice(0, count).sort((a, b) => a - b).map((i) => lines[i]);
}
/** `count` points at equal distances along a line. */
function walk({ pieces, length }, count) {
  let [index, before] = [0, 0];
  return Array.from({ length: count }, (_, step) => {
    const progress = count > 1 ? fround(step / (count - 1)) : 0, target = fround(length * progress);
    const isPast = (piece) => piece.length === 0 || fround(before + piece.length) < target;
    while (index + 1 < pieces.length && isPast(pieces[index])) {
      before = fround(before + pieces[index].length);
      index += 1;
    }
    const { x, y, dx, dy, length: long } = pieces[index];
    const share = long > 0 ? max(0, min(1, (target - before) / long)) : 0, divisor = long || 1;
    const place = [x + share * dx, y + share * dy, dx / divisor, dy / divisor];
    return [...place, step === 0 ? 1 : 0, 2 * progress - 1].map(fround);
  });
}
exports.points = (strokes, steps = 96) => {
  const lines = longest(placed(strokes.filter(([xs]) => xs.length)).map(line), steps);
  const total = lines.reduce((sum, { length }) => fround(sum + length), 0);
  let [end, next] = [0, 0];
  const found = lines.flatMap((each, index) => {
    end = fround(end + each.length);
    const share = total > 0 ? fround(end / total) : fround((index + 1) / lines.length);
    const extra = floor(fround((steps - lines.length) * share) + 0.5);
    const last = index + 1 < lines.length ? index + 1 + extra : steps;
    const points = walk(each, last - next);
    next = last;
    return points;
  });
  return [0, 1, 2, 3, 4, 5].map((channel) => found.map((point) => point[channel]));
};
