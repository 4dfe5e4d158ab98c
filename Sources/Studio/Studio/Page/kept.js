// What this browser keeps. Storage can be forbidden, full or spoiled: the page does without it.

import { later } from "./dom.js";

/** The text under a key, or null; `sessionStorage` lasts as long as the tab. */
export function keptText(key, storage = "localStorage") {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** The value of the JSON under a key, or null. */
export function keptValue(key, storage) {
  try {
    return JSON.parse(keptText(key, storage));
  } catch {
    return null;
  }
}

/** Keeps a text, or nothing for null. Returns whether it is kept so. */
export function keep(key, text, storage = "localStorage") {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Keeps a drawing in this tab for the next load of the page, or nothing for null. */
export function keepDraft(key, draft) {
  const text = draft && JSON.stringify({ ...draft, now: performance.now() });
  return keep(key, text, "sessionStorage");
}

/** The drawing that an earlier load kept, converted to this one's clock; or null. */
export function keptDraft(key) {
  try {
    const { now, strokes, ...draft } = keptValue(key, "sessionStorage");
    const shift = performance.now() - now;
    if (!Number.isFinite(shift)) return null;
    return { ...draft, strokes: strokes.map((stroke) => later(stroke, shift)) };
  } catch {
    return null;
  }
}
