// Small helpers that make elements. Text is only ever set as text, so a label or a name cannot become markup.

const vector = "http://www.w3.org/2000/svg";

/**
 * Makes an element.
 * @param {string} tag Its name; `svg:path` makes one of SVG.
 * @param {object} [settings] Attributes; `on…` are listeners, `class`, `text`, `data` and `style` (properties through
 *   the CSSOM: the page's policy forbids style attributes) mean what they say. False, null and undefined leave it out.
 * @param {...(Node|string|null|false)} children What stands in it.
 */
export function make(tag, settings = {}, ...children) {
  const isVector = tag.startsWith("svg:");
  const element = isVector
    ? document.createElementNS(vector, tag.slice(4))
    : document.createElement(tag);
  for (const [key, value] of Object.entries(settings)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (key === "style") setStyle(element, value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets style properties; those with dashes too. */
export function setStyle(element, properties) {
  for (const [key, value] of Object.entries(properties)) element.style.setProperty(key, value);
}

/**
 * Puts new children in place of an element's old ones. If the focus was on one of these, it goes to what has the same
 * `data-key` now, or else to the screen's heading.
 */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const hadFocus = element !== focused && element.contains(focused);
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  if (hadFocus && !focusKey(focused.dataset.key, element)) focusHeading();
  return element;
}

/** Gives the focus to what has a `data-key`; says whether there is such. */
export function focusKey(key, within = document) {
  const found = key ? within.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  found?.focus({ preventScroll: true });
  return found !== null;
}

/** Gives the focus to the screen's heading, where what had it is gone. */
export function focusHeading() {
  document.querySelector("main h1")?.focus({ preventScroll: true });
}

/** Makes one of several in a group the stop of the Tab key; `nextByKey` goes to the others. */
export function rove(group, chosen, { focus = false } = {}) {
  if (!chosen) return;
  group.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  chosen.setAttribute("tabindex", "0");
  if (focus) chosen.focus();
}

/** Where an arrow, Home or End goes from one of several that are one stop of the Tab key; null where it goes nowhere. */
export function nextByKey(items, index, key) {
  if (index < 0) return null;
  switch (key) {
    case "ArrowRight": return items[Math.min(items.length - 1, index + 1)];
    case "ArrowLeft": return items[Math.max(0, index - 1)];
    case "Home": return items[0];
    case "End": return items[items.length - 1];
    case "ArrowDown": return beside(items, index, 1);
    case "ArrowUp": return beside(items, index, -1);
    default: return null;
  }
}

/** The nearest in the next row above or below; null where there is no such row. */
function beside(items, index, direction) {
  const from = items[index].getBoundingClientRect();
  let best = null;
  let row = null;
  for (let other = index + direction; other >= 0 && other < items.length; other += direction) {
    const box = items[other].getBoundingClientRect();
    if (Math.abs(box.top - from.top) < 4) continue;
    if (row !== null && Math.abs(box.top - row) > 4) break;
    row = box.top;
    const distance = Math.abs(box.left - from.left);
    if (!best || distance < best.distance) best = { distance, item: items[other] };
  }
  return best?.item ?? null;
}

/**
 * Puts buttons into a group that is one stop of the Tab key: that of the focus, of the pressed one, or else the first. Arrows,
 * Home and End go to the others.
 */
export function fillRow(group, buttons) {
  for (const button of buttons) button.setAttribute("tabindex", "-1");
  fill(group, buttons);
  rove(group, buttons.find((each) => each === document.activeElement) ?? buttons.find((each) => each.getAttribute("aria-pressed") === "true") ?? buttons[0]);
  group.onkeydown = (event) => {
    const next = nextByKey(buttons, buttons.indexOf(event.target), event.key);
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    rove(group, next, { focus: true });
  };
}

/** Whether a label is words: two letters or digits in a row are none of an emoji. */
export function isWord(label) {
  return /[\p{L}\p{N}]{2}/u.test(label);
}

/** An emoji or another label, as text. Labels may be words, which are set small. */
export function emoji(label, settings = {}) {
  return make("span", { ...settings, class: `emoji ${isWord(label) ? "is-word " : ""}${settings.class ?? ""}`, text: label });
}

/** Whether the person asked for less motion. */
export function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Animates an element unless the person asked for less motion; `quiet` is shown then. Resolves at the end. */
export async function animate(element, frames, options, quiet = null) {
  const chosen = prefersStillness() ? quiet : frames;
  if (!chosen || !element.isConnected) return;
  try {
    await element.animate(chosen, options).finished;
  } catch {
    // An animation that was taken away has ended too.
  }
}

/** No, said with the whole body. */
export const shake = [0, -9, 8, -6, 5, -3, 0].map((x) => ({ transform: `translateX(${x}px) rotate(${x / 6}deg)` }));

/** "1 drawing", "2 drawings". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** "93 %". */
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/** "72 %"; a model is never quite certain. */
export function certain(confidence) {
  return confidence > 0.99 ? "over 99 %" : percent(confidence);
}

/** "72 % sure". */
export function sure(confidence) {
  return `${certain(confidence)} sure`;
}

/** The columns of strokes with times that begin with the drawing; the page's clock means nothing to a saved one. */
export function timed(strokes) {
  const start = strokes[0].columns[2][0];
  return strokes.map(({ columns: [xs, ys, ts] }) => [xs, ys, ts.map((t) => Math.round((t - start) * 10) / 10)]);
}

/** A button below a sheet. */
export function tool(drawing, words, onclick, settings = {}) {
  return make("button", { class: "tool", type: "button", onclick, ...settings }, drawing, make("span", { text: words }));
}

/** Calls `undo` at Ctrl+Z, but for that of a text field or a dialog; returns what ends that. */
export function onUndoKey(undo) {
  const listener = (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || event.target.closest?.("input, textarea, dialog")) return;
    event.preventDefault();
    undo();
  };
  addEventListener("keydown", listener);
  return () => removeEventListener("keydown", listener);
}

/** A time for people: "today, 14:05" or "3 May 2026". */
export function when(text) {
  if (!text) return "never";
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return "never";
  const clock = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return date.toDateString() === new Date().toDateString()
    ? `today, ${clock}`
    : date.toLocaleDateString([], { day: "numeric", month: "long", year: "numeric" });
}

/** A random identifier (UUID); also where the page is not in a secure context, which has no `randomUUID`. */
export function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}
