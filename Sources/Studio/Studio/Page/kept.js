// The browser's storage. It can be forbidden, full or damaged: the page works without it.

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

/** Stores a text, or removes it for null. Returns whether that worked. */
export function keep(key, text, storage = "localStorage") {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Stores a drawing in this tab for the next load of the page, or removes it for null. */
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
