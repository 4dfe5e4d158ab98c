// The line of a pen: smooth, wider where it presses harder, and whole.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.mjs";

const { InkTrace, nodesOfColumns, outline } = await openPage()("ink-trace.js");

/** A line to the right, a point each 10 pixels and `pace` milliseconds. */
function line({ pace = 20, pressureAt = () => null, count = 30 } = {}) {
  const trace = new InkTrace(6);
  for (let step = 0; step < count; step += 1) {
    trace.add(10 * step, 100, pace * step, pressureAt(step));
  }
  trace.end();
  return trace.nodes;
}

/** The middle width of the nodes between two places. */
function widthBetween(nodes, from, to) {
  const found = nodes.filter(({ x }) => x > from && x < to).map(({ r }) => 2 * r);
  return found.reduce((sum, each) => sum + each, 0) / found.length;
}

test("a pen that presses harder draws wider", () => {
  const nodes = line({ pressureAt: (step) => 0.1 + 0.03 * step });
  assert.ok(widthBetween(nodes, 230, 270) > 1.4 * widthBetween(nodes, 30, 70));
});

test("without pressure, slow lines are wider than fast ones", () => {
  const [slow, fast] = [line({ pace: 100 }), line({ pace: 3 })];
  assert.ok(widthBetween(slow, 150, 250) > 1.3 * widthBetween(fast, 150, 250));
});

test("a line's nodes are close, in its order, and end where the pen came up", () => {
  const nodes = line();
  assert.deepEqual([nodes[0].x, nodes[0].y], [0, 100]);
  assert.deepEqual([nodes.at(-1).x, nodes.at(-1).y], [290, 100]);
  nodes.slice(1).forEach(({ x, y }, index) => {
    const gap = Math.hypot(x - nodes[index].x, y - nodes[index].y);
    assert.ok(gap > 0 && gap < 3, `${gap} at ${x}`);
    assert.ok(Math.abs(y - 100) < 1e-9);
  });
});

test("nodes that are drawn never change, whatever follows", () => {
  const trace = new InkTrace(6);
  const seen = [];
  for (let step = 0; step < 40; step += 1) {
    trace.add(100 * Math.cos(step / 5), 100 * Math.sin(step / 5), 15 * step);
    trace.tail([{ x: 0, y: 0, t: 15 * step + 8, pressure: null }]);
    assert.deepEqual(trace.nodes.slice(0, seen.length), seen);
    seen.splice(0, seen.length, ...trace.nodes.map((each) => ({ ...each })));
  }
});

test("what is predicted begins where the drawn line ends", () => {
  const trace = new InkTrace(6);
  for (let step = 0; step < 5; step += 1) trace.add(10 * step, 0, 16 * step);
  const tail = trace.tail([{ x: 50, y: 0, t: 80, pressure: null }]);
  assert.deepEqual(tail[0], trace.nodes.at(-1));
  assert.equal(tail.at(-1).x, 50);
  assert.deepEqual(new InkTrace(6).tail([]), []);
});

test("a round line has no corners", () => {
  const angles = Array.from({ length: 60 }, (_, step) => step / 60 * 2 * Math.PI);
  const columns = [
    angles.map((angle) => 100 * Math.cos(angle)), angles.map((angle) => 100 * Math.sin(angle)),
    angles.map((_, step) => 16 * step),
  ];
  const nodes = nodesOfColumns(columns, 6);
  const turns = nodes.slice(2).map((node, index) => {
    const [a, b] = [nodes[index], nodes[index + 1]];
    const turn = Math.atan2(node.y - b.y, node.x - b.x) - Math.atan2(b.y - a.y, b.x - a.x);
    return Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)));
  });
  assert.ok(Math.max(...turns) < 0.1, String(Math.max(...turns)));
});

test("columns are scaled and moved, also without times", () => {
  const nodes = nodesOfColumns([[0, 10], [0, 0], null], 4, 2, 5, 7);
  assert.deepEqual([nodes[0].x, nodes[0].y], [5, 7]);
  assert.deepEqual([nodes.at(-1).x, nodes.at(-1).y], [25, 7]);
});

test("the outline closes around the line, and a dot is round", () => {
  assert.equal(outline([]), "");
  assert.match(outline([{ x: 5, y: 5, r: 2 }]), /^M3\.0 5\.0a2\.0 2\.0 0 1 0 4\.0 0a.*Z$/);
  const path = outline(line());
  assert.match(path, /^M[-\d. L]+A[^A]+A[^A]+Z$/);
  const [left] = path.slice(1).split("A");
  const ys = left.split("L").map((point) => Number(point.split(" ")[1]));
  assert.ok(ys.every((y) => y > 102 && y < 104), String(ys));
});

test("where the pen turned back the corner is round", () => {
  const path = outline(nodesOfColumns([[0, 50, 0], [0, 0, 0], [0, 100, 200]], 6));
  assert.ok(path.split("Z").length > 2, "a dot at the corner");
});
