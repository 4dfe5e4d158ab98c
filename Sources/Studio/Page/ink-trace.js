// From the points of a pen to a line that looks drawn: smooth, and as wide as the pen was slow or pressed hard.
// What is drawn here is for the eye. The model gets the points as they came.

/** How far apart the line's nodes are, in CSS pixels: close enough that no corner shows. */
const spacing = 2.2;

/** How a line's width follows speed (pixels a millisecond): slow strokes are full, fast ones thin. */
function widthAtSpeed(speed) {
  return 1.16 - 0.46 * Math.min(1, speed / 2.6);
}

/**
 * A line in the making. Points go in, nodes `{x, y, r}` come out, and every node that came out stays as it is, so that
 * what is drawn of a long stroke is never drawn again.
 */
export class InkTrace {
  /** @param {number} size The pen's usual width in CSS pixels. */
  constructor(size) {
    this.size = size;
    this.nodes = [];
    this.points = [];
    this.width = 1;
  }

  /** Adds a point; pressure is in 0…1, or null where the pen has none. Returns the new nodes. */
  add(x, y, t, pressure = null) {
    const points = this.points;
    const last = points[points.length - 1];
    if (last && Math.abs(last.x - x) < 0.01 && Math.abs(last.y - y) < 0.01) return [];
    let goal = 1;
    if (pressure !== null) goal = 0.42 + 1.16 * Math.sqrt(pressure);
    else if (last) {
      const passed = Math.max(1, (t ?? 0) - (last.t ?? 0));
      const speed = t === null ? 0.8 : Math.hypot(x - last.x, y - last.y) / passed;
      goal = widthAtSpeed(speed);
    }
    // A pen is heavy: its width follows slowly.
    this.width += (goal - this.width) * (last ? 0.22 : 1);
    points.push({ x, y, t, r: (this.width * this.size) / 2 });
    if (points.length === 1) return this.put({ x, y, r: points[0].r });
    return this.curve(points.length - 1, this.nodes);
  }

  /** The nodes of what would follow if the line went through the given points; nothing is kept. */
  tail(guesses) {
    const copy = new InkTrace(this.size);
    copy.points = this.points.slice(-3);
    copy.width = this.width;
    const from = this.nodes[this.nodes.length - 1];
    copy.nodes = from ? [from] : [];
    for (const guess of guesses) copy.add(guess.x, guess.y, guess.t, guess.pressure);
    copy.end();
    return copy.nodes;
  }

  /** The pen is up: the line goes to the last point. Returns the new nodes. */
  end() {
    const last = this.points[this.points.length - 1];
    if (!last) return [];
    const from = this.nodes[this.nodes.length - 1];
    if (!from || (from.x === last.x && from.y === last.y)) return [];
    return this.line(from, last);
  }

  /** A quadratic curve from the middle before a point to the middle behind it, with the point as its control. */
  curve(index) {
    const [a, b] = [this.points[index - 1], this.points[index]];
    const end = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, r: (a.r + b.r) / 2 };
    const start = this.nodes[this.nodes.length - 1];
    const length = Math.hypot(a.x - start.x, a.y - start.y) + Math.hypot(end.x - a.x, end.y - a.y);
    const steps = Math.max(1, Math.ceil(length / spacing));
    const made = [];
    for (let step = 1; step <= steps; step += 1) {
      const u = step / steps;
      const v = 1 - u;
      made.push({
        x: v * v * start.x + 2 * v * u * a.x + u * u * end.x,
        y: v * v * start.y + 2 * v * u * a.y + u * u * end.y,
        r: v * start.r + u * end.r,
      });
    }
    this.nodes.push(...made);
    return made;
  }

  line(from, to) {
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / spacing));
    const made = [];
    for (let step = 1; step <= steps; step += 1) {
      const u = step / steps;
      made.push({ x: from.x + (to.x - from.x) * u, y: from.y + (to.y - from.y) * u, r: from.r + (to.r - from.r) * u });
    }
    this.nodes.push(...made);
    return made;
  }

  put(node) {
    this.nodes.push(node);
    return [node];
  }
}

/** The nodes of a stroke that is kept as columns `[[x…], [y…], [t…]]`, mapped by `scale` and then moved. */
export function nodesOfColumns([xs, ys, ts], size, scale = 1, dx = 0, dy = 0) {
  const trace = new InkTrace(size);
  for (let index = 0; index < xs.length; index += 1) {
    trace.add(xs[index] * scale + dx, ys[index] * scale + dy, ts?.[index] ?? null);
  }
  trace.end();
  return trace.nodes;
}

/** The outline of a line as the data of an SVG path: its left side, a round end, its right side, a round start. */
export function outline(nodes, decimals = 1) {
  const n = (value) => value.toFixed(decimals);
  if (nodes.length === 0) return "";
  const first = nodes[0];
  if (nodes.length === 1) return dot(first, n);
  const left = [];
  const right = [];
  let extra = "";
  let before = null;
  for (let index = 0; index < nodes.length; index += 1) {
    const a = nodes[Math.max(0, index - 1)];
    const b = nodes[Math.min(nodes.length - 1, index + 1)];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const direction = length > 1e-6 ? { x: (b.x - a.x) / length, y: (b.y - a.y) / length } : before ?? { x: 1, y: 0 };
    const { x, y, r } = nodes[index];
    // Where the pen turned back, the sides cross: a dot keeps the corner round.
    if (before && direction.x * before.x + direction.y * before.y < 0.5) extra += dot(nodes[index], n);
    left.push(`${n(x - direction.y * r)} ${n(y + direction.x * r)}`);
    right.push(`${n(x + direction.y * r)} ${n(y - direction.x * r)}`);
    before = direction;
  }
  const end = nodes[nodes.length - 1];
  right.reverse();
  return `M${left.join("L")}A${n(end.r)} ${n(end.r)} 0 0 0 ${right[0]}L${right.join("L")}A${n(first.r)} ${n(first.r)} 0 0 0 ${left[0]}Z${extra}`;
}

function dot({ x, y, r }, n) {
  return `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0Z`;
}
