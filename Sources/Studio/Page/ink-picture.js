// A drawing as a picture: thumbnails of samples, of labels' examples, of the past.

import { make } from "./dom.js";
import { nodesOfColumns, outline } from "./ink-trace.js";

/** The box around strokes kept as columns. */
export function boxOf(strokes) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [xs, ys] of strokes) {
    for (let index = 0; index < xs.length; index += 1) {
      left = Math.min(left, xs[index]);
      right = Math.max(right, xs[index]);
      top = Math.min(top, ys[index]);
      bottom = Math.max(bottom, ys[index]);
    }
  }
  return left > right ? { x: 0, y: 0, width: 0, height: 0 } : { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * A drawing as SVG, cropped to its ink, which takes the text's colour.
 * @param {Array} strokes Columns.
 * @param {{name?: string, size?: number}} options What it shows, for screen readers (without it is decoration); pen's width of 100.
 */
export function inkPicture(strokes, { name = "", size = 4.2 } = {}) {
  const box = boxOf(strokes);
  const side = Math.max(box.width, box.height, 1);
  const margin = 10;
  const scale = (100 - 2 * margin) / side;
  const dx = 50 - (box.x + box.width / 2) * scale;
  const dy = 50 - (box.y + box.height / 2) * scale;
  const d = strokes
    .map((stroke) => outline(thin(nodesOfColumns([stroke[0], stroke[1], null], size, scale, dx, dy))))
    .join("");
  const words = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return make("svg:svg", { class: "ink-picture", viewBox: "0 0 100 100", focusable: "false", ...words },
    make("svg:path", { d }));
}

/** Half of the nodes are enough for a thumbnail. */
function thin(nodes) {
  return nodes.filter((_, index) => index % 2 === 0 || index === nodes.length - 1);
}

/** A square of grey pixels, as the model sees a drawing: squares of the ink's colour, more or less see-through. */
export function rasterPicture({ width, height, pixels }, name) {
  const squares = [];
  pixels.forEach((value, index) => {
    if (value > 0) {
      squares.push(make("svg:rect", {
        x: index % width, y: Math.floor(index / width), width: 1, height: 1, "fill-opacity": (value / 255).toFixed(3),
      }));
    }
  });
  return make("svg:svg", { class: "raster", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, squares);
}
