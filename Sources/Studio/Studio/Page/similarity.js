// Where a template lies. A test compares it over gestures with `scripts/make-gesture-fixtures`.

/** The scales that a template can have. */
const scales = [0.1, 10];

/** The placement that changes nothing. */
export const identity = Object.freeze({ scale: 1, rotation: 0, x: 0, y: 0 });

/** A placement as a matrix: scale, then rotation, then translation. */
export function matrixOf({ scale, rotation, x, y }) {
  const [a, b] = [scale * Math.cos(rotation), scale * Math.sin(rotation)];
  return { a, b, c: -b, d: a, e: x, f: y };
}

/** A placement as CSS has it. */
export function transformOf(placement) {
  return `matrix(${Object.values(matrixOf(placement)).join(", ")})`;
}

/** Where a matrix takes a point. */
export function transformed({ a, b, c, d, e, f }, { x, y }) {
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

/**
 * The placement after a gesture. At the ends of the scales only the rest of it acts, so that its
 * center stays under the fingers.
 */
export function applying(placement, { center = identity, scale = 1, rotation = 0, x = 0, y = 0 }) {
  const next = within(placement.scale * scale, ...scales);
  const change = matrixOf({ scale: next / placement.scale, rotation, x: center.x, y: center.y });
  const from = { x: placement.x - center.x, y: placement.y - center.y };
  const place = transformed(change, from);
  const turned = placement.rotation + rotation;
  const turn = 2 * Math.PI;
  return Object.freeze({
    scale: next, rotation: turned - turn * Math.round(turned / turn),
    x: place.x + x, y: place.y + y,
  });
}

/** Moves a placement as little as needed for the middle of a box to lie on the page. */
export function reachable(placement, box, page) {
  const { x, y, width, height } = box;
  const middle = transformed(matrixOf(placement), { x: x + width / 2, y: y + height / 2 });
  return Object.freeze({
    ...placement,
    x: placement.x + within(middle.x, 0, page.width) - middle.x,
    y: placement.y + within(middle.y, 0, page.height) - middle.y,
  });
}

function within(value, least, most) {
  return Math.min(Math.max(value, least), most);
}
