// Turns a pen's points into a smooth line whose width follows speed and pressure. It is only for
// display: the model gets the points as they are.

/** The distance of the line's nodes in CSS pixels: close enough to show no corners. */
const spacing = 2.2;

/** The relative width at a speed in pixels per millisecond: fast strokes are thinner. */
function widthAtSpeed(speed) {
  return 1.16 - 0.46 * Math.min(1, speed / 2.6);
}

/**
 * A line that is being drawn: points are added, and nodes `{x, y, r}` are appended. Nodes never
 * change, so that the drawn part of a long stroke is not drawn again.
 */
export class InkTrace {
  /** @param {number} size The pen's usual width in CSS pixels. */
  constructor(size) {
    this.size = size;
    this.nodes = [];
    this.points = [];
    this.width = 1;
  }

  /** Adds a point; pressure is in 0…1, or null where it is unknown. */
  add(x, y, t, pressure = null) {
    const points = this.points;
    const last = points[points.length - 1];
    if (last && Math.abs(last.x - x) < 0.01 && Math.abs(last.y - y) < 0.01) return;
    let goal = 1;
    if (pressure !== null) goal = 0.42 + 1.16 * Math.sqrt(pressure);
    else if (last) {
      const passed = Math.max(1, (t ?? 0) - (last.t ?? 0));
      const speed = t === null ? 0.8 : Math.hypot(x - last.x, y - last.y) / passed;
      goal = widthAtSpeed(speed);
    }
    // The width follows slowly.
    this.width += (goal - this.width) * (last ? 0.22 : 1);
    points.push({ x, y, t, r: (this.width * this.size) / 2 });
    if (points.length === 1) this.nodes.push({ x, y, r: points[0].r });
    else this.curve(points.length - 1);
  }

  /** The nodes that would follow if the line went through the given points. */
  tail(predicted) {
    const copy = new InkTrace(this.size);
    copy.points = this.points.slice(-3);
    copy.width = this.width;
    const from = this.nodes[this.nodes.length - 1];
    copy.nodes = from ? [from] : [];
    for (const { x, y, t, pressure } of predicted) copy.add(x, y, t, pressure);
    copy.end();
    return copy.nodes;
  }

  /** Draws the line to its last point, when the pen is up. */
  end() {
    const last = this.points[this.points.length - 1];
    if (!last) return;
    const from = this.nodes[this.nodes.length - 1];
    if (from && (from.x !== last.x || from.y !== last.y)) this.line(from, last);
  }

  /** A quadratic curve between the middles of two segments, with the point between as control. */
  curve(index) {
    const [a, b] = [this.points[index - 1], this.points[index]];
    const end = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, r: (a.r + b.r) / 2 };
    const start = this.nodes[this.nodes.length - 1];
    const length = Math.hypot(a.x - start.x, a.y - start.y) + Math.hypot(end.x - a.x, end.y - a.y);
    const steps = Math.max(1, Math.ceil(length / spacing));
    for (let step = 1; step <= steps; step += 1) {
      const u = step / steps;
      const v = 1 - u;
      this.nodes.push({
        x: v * v * start.x + 2 * v * u * a.x + u * u * end.x,
        y: v * v * start.y + 2 * v * u * a.y + u * u * end.y,
        r: v * start.r + u * end.r,
      });
    }
  }

  line(from, to) {
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / spacing));
    for (let step = 1; step <= steps; step += 1) {
      const at = (axis) => from[axis] + ((to[axis] - from[axis]) * step) / steps;
      this.nodes.push({ x: at("x"), y: at("y"), r: at("r") });
    }
  }
}

/** The nodes of a stroke's columns `[[x…], [y…], [t…]]`, scaled and then moved. */
export function nodesOfColumns([xs, ys, ts], size, scale = 1, dx = 0, dy = 0) {
  const trace = new InkTrace(size);
  for (let index = 0; index < xs.length; index += 1) {
    trace.add(xs[index] * scale + dx, ys[index] * scale + dy, ts?.[index] ?? null);
  }
  trace.end();
  return trace.nodes;
}

/** A line's outline as SVG path data: its left side, a round end, its right side, a round start. */
export function outline(nodes) {
  if (nodes.length === 0) return "";
  const first = nodes[0];
  if (nodes.length === 1) return dot(first);
  const left = [];
  const right = [];
  let extra = "";
  let before = null;
  for (let index = 0; index < nodes.length; index += 1) {
    const a = nodes[Math.max(0, index - 1)];
    const b = nodes[Math.min(nodes.length - 1, index + 1)];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    let [dx, dy] = before ?? [1, 0];
    if (length > 1e-6) [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const { x, y, r } = nodes[index];
    // Where the pen turned back, the sides cross: a dot keeps the corner round.
    if (before && dx * before[0] + dy * before[1] < 0.5) extra += dot(nodes[index]);
    left.push(`${n(x - dy * r)} ${n(y + dx * r)}`);
    right.push(`${n(x + dy * r)} ${n(y - dx * r)}`);
    before = [dx, dy];
  }
  const end = nodes[nodes.length - 1];
  right.reverse();
  const arc = ({ r }, to) => `A${n(r)} ${n(r)} 0 0 0 ${to}`;
  const sides = [`M${left.join("L")}`, arc(end, right[0]), `L${right.join("L")}`];
  return `${sides.join("")}${arc(first, left[0])}Z${extra}`;
}

function n(value) {
  return value.toFixed(1);
}

function dot({ x, y, r }) {
  const half = (width) => `a${n(r)} ${n(r)} 0 1 0 ${n(width)} 0`;
  return `M${n(x - r)} ${n(y)}${half(2 * r)}${half(-2 * r)}Z`;
}
