// The palette's contrasts, in both themes (WCAG 2.2).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { folder } from "./page.mjs";

const tokens = readFileSync(new URL("tokens.css", folder), "utf8");

/** The colors of a theme, by name. */
function colorsOf(theme) {
  const [, rules] = tokens.match(new RegExp(`:root\\[data-theme="${theme}"\\] \\{([^}]*)\\}`));
  const colors = [...rules.matchAll(/--([a-z-]+): (#[0-9a-f]{3,6});/g)];
  return Object.fromEntries(colors.map(([, name, color]) => [name, color]));
}

function luminance(color) {
  const digits = color.length === 4 ? color.replaceAll(/[0-9a-f]/g, "$&$&") : color;
  const [red, green, blue] = [1, 3, 5].map((index) => {
    const channel = parseInt(digits.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const texts = [
  ...["ink", "ink-soft"].flatMap((ink) =>
    ["desk", "paper", "paper-low"].map((ground) => [ink, ground])),
  ["on-accent", "accent"], ["ink", "accent-wash"], ["good", "good-wash"], ["bad", "bad-wash"],
  ["bad", "paper"], ["on-toast", "toast"], ["paper", "bad"], ["paper", "ink"],
];
// Edges of fields, the ring around what has the focus, and refused ink.
const graphics = [
  ["line-strong", "paper"], ["focus", "paper"], ["focus", "desk"], ["refused", "paper"],
];

for (const theme of ["light", "dark"]) {
  test(`the ${theme} palette has enough contrast`, () => {
    const colors = colorsOf(theme);
    const check = (pairs, least) => {
      for (const [one, other] of pairs) {
        const found = contrast(colors[one], colors[other]);
        assert.ok(found >= least, `${one} on ${other}: ${found}`);
      }
    };
    check(texts, 4.5);
    check(graphics, 3);
  });
}
