// Draws strokes as pixels as DrawML does, to within 1/255: see README.md.
// draw(strokes) gives an array for each channel, row by row. A stroke is [[x, ...], [y, ...]].
const { abs, fround, hypot, max, min, PI, sqrt } = Math;
const least = (list) => list.reduce((best, item) => (item.square < best.square ? item : best));
/** The strokes' points in pixels: centered, in proportion, `inset` from the edges. */
exports.placed = (strokes, width, height, inset) => {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [xs, ys] of strokes) {
    for (const x of xs) [left, right] = [min(left, x), max(right, x)];
    for (const y of ys) [top, bottom] = [min(top, y), max(bottom, y)];
  }
  const [halfX, halfY] = [(right - left) / 2, (bottom - top) / 2];
  const scale = min((width / 2 - inset) / halfX, (height / 2 - inset) / halfY);
  const place = (from, half, side) => side / 2 + (scale < Infinity ? (from - half) * scale : 0);
  return strokes.map(([xs, ys]) =>
    xs.map((x, i) => [place(x - left, halfX, width), place(ys[i] - top, halfY, height)]));
};
/** A stroke's pieces. A bend says how round the ink is: 1 at ends and sharp corners, 2 for a dot,
 *  below 0 for blunt corners, whose edge is the neighbor's. */
function segments(placed) {
  const points = placed.map((point) => point.map(fround));
  let [found, [x, y]] = [[], points[0]];
  for (const [endX, endY] of points.slice(1)) {
    const [dx, dy] = [fround(endX - x), fround(endY - y)];
    const square = squared(dx, dy), inverse = fround(1 / square);
    if (square <= 1e-4) continue;
    found.push({ x, y, dx, dy, square, inverse, start: 1, end: 1 });
    [x, y] = [endX, endY];
  }
  found.slice(1).forEach((b, i) => {
    const a = found[i], bend = min(1, 1 - (a.dx * b.dx + a.dy * b.dy) / sqrt(a.square * b.square));
    a.end = b.start = bend > 0.5 ? bend : min(-bend, -1e-6);
  });
  return found.length ? found : [{ x, y, dx: 0, dy: 0, square: 0, inverse: 0, start: 2, end: 2 }];
}
const squared = (x, y) => fround(fround(x * x) + fround(y * y));
/** The vector from a segment's nearest point to a pixel's center, its square, and the bend. With
 *  32-bit numbers, because rounding decides between equals. */
function way(s, pixelX, pixelY, index) {
  const [px, py] = [fround(pixelX - s.x), fround(pixelY - s.y)];
  const along = fround(fround(fround(px * s.dx) + fround(py * s.dy)) * s.inverse);
  const t = max(0, min(1, along));
  let [x, y] = [fround(px - fround(t * s.dx)), fround(py - fround(t * s.dy))];
  if (along > 0 && along < 1 && squared(x, y) < 1e-8) { // on the line: keep the direction
    [x, y] = [(s.dy * 1e-4) / sqrt(s.square), (-s.dx * 1e-4) / sqrt(s.square)];
  }
  return { x, y, square: squared(x, y), index, bend: along <= 0 ? s.start : along < 1 ? 0 : s.end };
}
/** The part of a pixel beyond an edge with the normal (a, b), `offset` from its center. */
function area(offset, a, b) {
  const distance = min((a + b) / 2, abs(offset)), rest = (a + b) / 2 - distance;
  const ramp = (rest * rest) / (2 * a * max(1e-6, b));
  const beyond = distance <= (a - b) / 2 ? 0.5 - distance / a : ramp;
  return offset < 0 ? beyond : 1 - beyond;
}
/** The part of a pixel that the nearest ink covers. */
function coverage({ x, y, square, bend }, radius) {
  const distance = sqrt(square), length = max(1e-12, distance), roundness = min(1, abs(bend));
  const a = max(0.5, max(abs(x), abs(y)) / length), b = min(abs(x), abs(y)) / length;
  const chord = min(max(0, (a + b) / 2 - abs(radius - distance)) / (a * max(1e-6, b)), 1 / a);
  const aside = ((1 - chord * a) * (a - b)) / 2;
  const disc = max(0, min(1, (radius - 0.4) / 0.3)) / (24 * max(0.4, radius));
  const shift = roundness * (chord * chord + 12 * aside * aside) * disc;
  const strip = area(radius - distance - shift, a, b) - area(-radius - distance, a, b);
  const open = min(1, max(bend - 1, distance + 0.5)) * roundness * (1 - min(1, (PI / 2) * radius));
  return max(0, min(1, strip * (1 - open)));
}
/** The part that two edges cover together, by the angle between them. */
function union(first, second, v, w) {
  const cosine = max(-1, min(1, (v.x * w.x + v.y * w.y) / max(1e-12, sqrt(v.square * w.square))));
  const size = abs(cosine), both = first * second;
  const series = ((0.074261 - size * 0.0187293) * size - 0.2121144) * size + 1.5707288;
  const bound = cosine > 0 ? min(first, second) : max(0, first + second - 1);
  return first + second - both - (bound - both) * (1 - (sqrt(1 - size) * series * 2) / PI);
}
const usual = { width: 28, height: 28, strokeWidth: 1.5, margin: 1, channels: "ink" };
exports.draw = (strokes, settings = usual) => {
  const { width, height, strokeWidth, margin, channels } = { ...usual, ...settings };
  const radius = strokeWidth / 2, reach = (radius + 0.7071068) ** 2;
  const pieces = exports.placed(strokes, width, height, margin + radius).flatMap(segments);
  const lengths = pieces.map((s) => hypot(s.dx, s.dy)), total = lengths.reduce((a, b) => a + b);
  let drawn = 0;
  const flows = pieces.map(({ dx, dy }, i) => { // ink, twice the angle, and the order
    const length = lengths[i] || 1, [x, y] = [dx / length, dy / length];
    drawn += lengths[i];
    return [1, x * x - y * y, 2 * x * y, (2 * drawn - lengths[i]) / (total || 1) - 1];
  });
  const pixels = Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [(pixel % width) + 0.5, Math.floor(pixel / width) + 0.5];
    const ways = pieces.map((s, i) => way(s, x, y, i)).filter((w) => w.square < reach);
    if (!ways.length) return [0, 0, 0, 0];
    const near = least(ways), value = coverage(near, radius);
    const others = ways.filter((w, _, __, dot = w.x * near.x + w.y * near.y) =>
      w.bend >= 0 && (dot <= 0 || dot * dot < w.square * near.square * 0.883));
    const isJoined = value < 1 && others.length, other = isJoined && least(others);
    const whole = isJoined ? union(value, coverage(other, radius), near, other) : value;
    return flows[near.index].map((flow) => flow * whole);
  });
  return (channels === "ink" ? [0] : [0, 1, 2, 3]).map((k) => pixels.map((p) => p[k]));
};
