// Splits a shape that is two things: asks which lines belong to the second.

import { openDialog } from "./dialogs.js";
import { button, make } from "./dom.js";
import { boxOf, strokePath } from "./ink-picture.js";

/** The room around the ink, as a share of its longer side. */
const margin = 0.12;

/** A line that can be chosen; a tap near it is meant for it. */
function lineButton(columns, index, pathOf, onchange) {
  const places = columns[0].map((x, at) => `${x},${columns[1][at]}`);
  // A line of one point has no ends to be drawn.
  if (places.length === 1) places.push(places[0]);
  const line = make("svg:g", {
    class: "split-line", role: "button", tabindex: "0", "aria-pressed": "false",
    "aria-label": `Line ${index + 1}`,
  }, make("svg:polyline", {
    class: "split-near", points: places.join(" "),
  }), strokePath(pathOf(columns)));
  const press = () => {
    line.setAttribute("aria-pressed", String(line.getAttribute("aria-pressed") === "false"));
    onchange();
  };
  line.addEventListener("click", press);
  line.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
  return line;
}

/**
 * Asks which strokes of a drawing are another thing.
 * @param {Array} strokes Columns.
 * @param {(columns: Array) => string} pathOf The outline of a stroke.
 * @returns {Promise<number[] | undefined>} Their indices; some, but not all.
 */
export function askOtherThing(strokes, pathOf) {
  const chosen = () => lines
    .map((line, index) => (line.getAttribute("aria-pressed") === "true" ? index : null))
    .filter((index) => index !== null);
  const go = button("is-primary", "Make it two", () => dialog.close(chosen()));
  const check = () => {
    const { length } = chosen();
    go.disabled = length === 0 || length === strokes.length;
  };
  const lines = strokes.map((columns, index) => lineButton(columns, index, pathOf, check));
  const { x, y, width, height } = boxOf(strokes);
  const room = margin * Math.max(width, height, 1);
  const viewBox = [x - room, y - room, width + 2 * room, height + 2 * room].join(" ");
  const dialog = openDialog({
    title: "Two things", kind: "is-small",
    body: [
      make("p", { text: "Tap the lines of one of them." }),
      make("svg:svg", { class: "split-picture", viewBox, role: "group", "aria-label": "Lines" },
        lines),
    ],
    actions: [button("", "Cancel", () => dialog.close()), go],
  });
  check();
  return dialog.closed;
}
