// What this browser keeps. Storage can be forbidden, full or spoiled: the page does without it.

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
