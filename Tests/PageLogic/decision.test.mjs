// The decision of an exported page is that of Tests/Decisions/decisions.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { exported, openPage } from "./page.mjs";

const { answer, hasEnoughInk } = await openPage(exported)("decision.js");
const { constants, models, ink } = JSON.parse(
  readFileSync(new URL("../Decisions/decisions.json", import.meta.url)));

/** Numbers in one list, and the terms with their places in it, as `WebModel` writes them. */
function packed({ labels, head: { labelOf, ...head }, expected, ...tables }) {
  const numbers = [];
  const add = (value) => {
    if (!Array.isArray(value)) return value;
    const start = numbers.length;
    numbers.push(...value.flat());
    return { start, count: numbers.length - start };
  };
  const added = (values) => Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, add(value)]));
  const terms = { ...constants, labels, head: { ...added(head), labelOf }, ...added(tables) };
  if (expected) {
    const quantiles = everyPercent(expected.quantiles);
    terms.expected = added({ ...expected, quantiles });
  }
  return [terms, Float32Array.from(numbers)];
}

/** The quantiles of all percents, on straight lines between the given ones. */
function everyPercent(knots) {
  return Array.from({ length: 101 }, (_, percent) => {
    const next = Math.max(1, knots.findIndex(([place]) => place >= percent));
    const [[a, low], [b, high]] = knots.slice(next - 1);
    return low + ((high - low) * (percent - a)) / (b - a);
  });
}

for (const { name, terms: given, cases } of models.filter(({ terms }) => terms)) {
  test(`decision: ${name}`, () => {
    const [terms, numbers] = packed(given);
    for (const { why, vector, refusalRate, ...expected } of cases) {
      const found = answer(Float32Array.from(vector), { ...terms, refusalRate }, numbers);
      for (const key of ["decision", "reason", "between", "label"]) {
        assert.deepEqual(found[key], expected[key], `${why}: ${key}`);
      }
      const descending = found.candidates.map(({ confidence }) => confidence);
      assert.deepEqual(descending, [...descending].sort((a, b) => b - a), why);
      for (const { label, confidence } of found.candidates) {
        const away = confidence - expected.confidences[terms.labels.indexOf(label)];
        assert.ok(Math.abs(away) < 1e-4, `${why}: ${label} ${confidence}`);
      }
      const away = found.typicality - expected.typicality;
      assert.ok(Math.abs(away) < 1e-4, `${why}: typicality ${found.typicality}`);
    }
  });
}

test("enough ink", () => {
  for (const { why, strokes, canvas, isEnough } of ink) {
    assert.equal(hasEnoughInk(strokes, canvas, constants.leastExtent), isEnough, why);
  }
});
