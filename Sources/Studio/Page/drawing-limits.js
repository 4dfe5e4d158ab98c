// How much one drawing may have, which the server says.

import { messages } from "./messages.js";
import { store } from "./store.js";
import { toast } from "./toasts.js";

/** Whether a stroke still fits into a drawing; where it does not, the user is told. */
export function fits(strokes, stroke) {
  const { strokes: most, points: mostPoints } = store.limits;
  const points = [...strokes, stroke].reduce((sum, { columns }) => sum + columns[0].length, 0);
  const excess = strokes.length >= most ? "strokes" : points > mostPoints ? "points" : null;
  if (!excess) return true;
  const detail = `Those are too many ${excess} for one drawing.`;
  toast(messages.unreadable, { kind: "bad", detail });
  return false;
}
