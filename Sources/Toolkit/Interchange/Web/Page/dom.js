// Helpers that make elements. Text is only ever set as text, so a label cannot become markup.

const vector = "http://www.w3.org/2000/svg";

/**
 * Makes an element.
 * @param {string} tag Its name; `svg:path` makes one of SVG.
 * @param {object} [settings] Attributes; `on…` are listeners, `text`, `data` and `style` (through
 *   the CSSOM: the page's policy forbids style attributes) mean what they say. False, null and
 *   undefined leave one out.
 * @param {...(Node|string|null|false)} children Its children, or lists of them.
 */
export function make(tag, settings = {}, ...children) {
  const element = tag.startsWith("svg:")
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
  element.append(...present(children));
  return element;
}

function present(children) {
  return children.flat(3).filter((child) => (child ?? false) !== false);
}

/** Sets style properties; those with dashes too. */
export function setStyle(element, properties) {
  for (const [key, value] of Object.entries(properties)) element.style.setProperty(key, value);
}

/**
 * Replaces an element's children. If one of them had the focus, it moves to the new one with the
 * same `data-key`, or else to the screen's heading.
 */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const hadFocus = element !== focused && element.contains(focused);
  element.replaceChildren(...present(children));
  if (hadFocus && !focusKey(focused.dataset.key, element)) focusHeading();
  return element;
}

/** Focuses the element with a `data-key`; returns whether there is one. */
export function focusKey(key, within = document) {
  const found = key ? within.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  found?.focus({ preventScroll: true });
  return found !== null;
}

/** Focuses the screen's heading, for when the focused element is gone. */
export function focusHeading() {
  document.querySelector("main h1")?.focus({ preventScroll: true });
}

/** Makes one element of a group its tab stop; `nextByKey` goes to the others. */
export function rove(group, chosen, { focus = false } = {}) {
  if (!chosen) return;
  group.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  chosen.setAttribute("tabindex", "0");
  if (focus) chosen.focus();
}

/** Where an arrow key, Home or End goes in a group with one tab stop; null for nowhere. */
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

/** The nearest item in the row above or below; null if there is no such row. */
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
 * Fills a group with buttons that are one tab stop: the focused one, the pressed one, or else the
 * first. Arrows, Home and End go to the others.
 */
export function fillRow(group, buttons) {
  for (const button of buttons) button.setAttribute("tabindex", "-1");
  fill(group, buttons);
  const isPressed = (each) => each.getAttribute("aria-pressed") === "true";
  const focused = buttons.find((each) => each === document.activeElement);
  rove(group, focused ?? buttons.find(isPressed) ?? buttons[0]);
  group.onkeydown = (event) => {
    const next = nextByKey(buttons, buttons.indexOf(event.target), event.key);
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    rove(group, next, { focus: true });
  };
}

/** Whether a label is words: letters in a row, or several characters and none of them an emoji. */
export function isWord(label) {
  if (/[\p{L}\p{N}]{2}/u.test(label)) return true;
  return !/\p{ExtPict}|\p{RI}|\u20e3/u.test(label) && graphemes(label) > 1;
}

/** How many characters a text has, as people count them. */
export function graphemes(text) {
  return "Segmenter" in Intl ? [...new Intl.Segmenter().segment(text)].length : [...text].length;
}

/** An emoji or another label, as text. A label of words is set small. */
export function emoji(label, settings = {}) {
  const look = `emoji ${isWord(label) ? "is-word " : ""}${settings.class ?? ""}`;
  return make("span", { ...settings, class: look, text: label });
}

/** An emoji that screen readers skip, because the text beside it says the same. */
export function decorativeEmoji(label, look = "") {
  return emoji(label, { class: look, "aria-hidden": "true" });
}

/** A button; `look` are its classes beside "button". */
export function button(look, content, onclick, settings = {}) {
  const all = { class: `button ${look}`, type: "button", onclick, ...settings };
  return make("button", all, content);
}

/** A button that is only an icon; screen readers get its name. */
export function roundButton(drawing, name, onclick, settings = {}) {
  const all = { class: "round-button", type: "button", "aria-label": name, onclick, ...settings };
  return make("button", all, drawing);
}

/** A bar that shows a share in 0…1; the number is in the text beside it. */
export function meter(share) {
  const full = make("span", { class: "meter-after", style: { width: `${share * 100}%` } });
  return make("span", { class: "meter", "aria-hidden": "true" }, full);
}

/**
 * Animates an element; with reduced motion by the frames of `quiet` instead, or not at all.
 * Resolves at the end.
 */
export async function animate(element, frames, options, quiet = null) {
  const chosen = matchMedia("(prefers-reduced-motion: reduce)").matches ? quiet : frames;
  if (!chosen || !element.isConnected) return;
  try {
    await element.animate(chosen, options).finished;
  } catch {
    // A canceled animation has ended too.
  }
}

/** Fades an element in, from a transform to its place. */
export function appear(element, transform, duration, easing = "ease-out") {
  const frames = [{ opacity: 0, transform }, { opacity: 1, transform: "none" }];
  return animate(element, frames, { duration, easing });
}

/** Fades an element out toward a transform, and removes it. */
export async function vanish(element, transform, duration, easing = "ease-in") {
  await animate(element, [{ opacity: 1 }, { opacity: 0, transform }], { duration, easing });
  element.remove();
}

/** An easing that overshoots a little. */
export const spring = "cubic-bezier(.34,1.5,.5,1)";

/** The frames of a shaken head. */
export const shake = [0, -9, 8, -6, 5, -3, 0].map((x) => ({
  transform: `translateX(${x}px) rotate(${x / 6}deg)`,
}));

/** "1 drawing", "2 drawings". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** "93 %". */
export function percent(share) {
  return `${Math.round(share * 100)}\u00a0%`;
}

/** A label of fewer samples is never shown as surer than `mostOfFew`. */
export const few = 3;
const mostOfFew = 0.9;

/** How many samples of a label the model knows; unlimited on pages that do not count them. */
let samplesOf = () => Infinity;

/** Sets what counts the samples of a label. */
export function countSamplesBy(counter) {
  samplesOf = counter;
}

/** The confidence shown for a label, in 0…1. */
export function shownCertainty(confidence, label) {
  return samplesOf(label) < few ? Math.min(mostOfFew, confidence) : confidence;
}

/** "72 %"; never "100 %" or "0 %", as no model is certain. */
export function certain(confidence, label) {
  const share = shownCertainty(confidence, label);
  if (share < 0.005) return "< 1 %";
  return share > 0.99 ? "over 99 %" : percent(share);
}

/** "72 % sure". */
export function sure(confidence, label) {
  return `${certain(confidence, label)} sure`;
}

/** How sure a shape on the sheet is; a person's correction is certain. */
export function said(confidence, label) {
  return confidence === 1 ? "as you said" : sure(confidence ?? 0, label);
}

/** The columns of strokes, with times from the start of the drawing instead of the page's load. */
export function timed(strokes) {
  const start = strokes[0].columns[2][0];
  const since = (t) => Math.round((t - start) * 10) / 10;
  return strokes.map(({ columns: [xs, ys, ts] }) => [xs, ys, ts.map(since)]);
}

/** A stroke that many milliseconds later. */
export function later({ columns: [xs, ys, ts], ...stroke }, milliseconds) {
  return { ...stroke, columns: [xs, ys, ts.map((t) => t + milliseconds)] };
}

/** A button below a sheet. */
export function tool(drawing, words, onclick, settings = {}) {
  const all = { class: "tool", type: "button", onclick, ...settings };
  return make("button", all, drawing, make("span", { text: words }));
}

/** Calls `undo` at Ctrl+Z outside text fields and dialogs, until `signal` aborts. */
export function onUndoKey(undo, signal) {
  addEventListener("keydown", (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey;
    const isUndo = isCommand && event.key.toLowerCase() === "z";
    if (!isUndo || event.target.closest?.("input, textarea, dialog")) return;
    event.preventDefault();
    undo();
  }, { signal });
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

/** A random UUID, also outside secure contexts, which have no `randomUUID`. */
export function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
