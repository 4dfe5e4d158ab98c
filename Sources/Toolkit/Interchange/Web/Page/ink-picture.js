// Drawings as pictures: thumbnails of samples, of labels' examples, and of the history.

import { decorativeEmoji, fill, make } from "./dom.js";
import { nodesOfColumns, outline } from "./ink-trace.js";

/** The pen's width in a picture of 100 × 100. */
const penWidth = 4.2;

/** The emoji in a thumbnail's corner; "?" for a drawing that was not recognized. */
export function thumbMark(label) {
  if (label) return decorativeEmoji(label, "thumb-emoji");
  return make("span", { class: "thumb-emoji is-none", "aria-hidden": "true", text: "?" });
}

export function strokePath(d) {
  return make("svg:path", { class: "stroke", d });
}

/** Shows strokes, with their outline in `path`, in an SVG element of the given size. */
export function showStrokes(svg, { width, height }, strokes) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  fill(svg, strokes.map(({ path }) => strokePath(path)));
}

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
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * A drawing as SVG, cropped to its ink, which has the color of the text.
 * @param {Array} strokes Columns.
 * @param {string} name What it shows, for screen readers; without a name it is decoration.
 */
export function inkPicture(strokes, name = "") {
  const box = boxOf(strokes);
  const side = Math.max(box.width, box.height, 1);
  const margin = 10;
  const scale = (100 - 2 * margin) / side;
  const dx = 50 - (box.x + box.width / 2) * scale;
  const dy = 50 - (box.y + box.height / 2) * scale;
  const d = strokes
    .map(([xs, ys]) => outline(thin(nodesOfColumns([xs, ys, null], penWidth, scale, dx, dy))))
    .join("");
  const words = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return make("svg:svg", { class: "ink-picture", viewBox: "0 0 100 100", ...words },
    make("svg:path", { d }));
}

/** Half of the nodes are enough for a thumbnail. */
function thin(nodes) {
  return nodes.filter((_, index) => index % 2 === 0 || index === nodes.length - 1);
}

/** The network's input pixels: squares in the ink's color, with the pixel's value as opacity. */
export function rasterPicture({ width, height, pixels }, name) {
  const squares = [];
  pixels.forEach((value, index) => {
    if (value > 0) {
      squares.push(make("svg:rect", {
        x: index % width, y: Math.floor(index / width), width: 1, height: 1,
        "fill-opacity": (value / 255).toFixed(3),
      }));
    }
  });
  const viewBox = `0 0 ${width} ${height}`;
  return make("svg:svg", { class: "raster", viewBox, role: "img", "aria-label": name }, squares);
}
