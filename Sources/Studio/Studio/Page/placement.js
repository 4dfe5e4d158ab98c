// Where things lie on the sheet and beside its shapes: sums in the sheet's units, or in pixels.

/** The smallest emoji, as a share of the sheet's smaller side (`Placement.leastShare`). */
const leastShare = 0.03;
/** The smallest font size of words, and their largest width in a smaller square, in CSS pixels. */
const leastWords = 12;
const mostWords = 116;
/**
 * How far the newest emoji's handle is from its corner, in CSS pixels: of 603 dot-like late strokes
 * of Quick, Draw!, one lies there.
 */
const handleGap = 22;
/** The menu's distance to the window's edges, and to the emoji, whose frame has a handle. */
const margin = 8;
const menuGap = 30;

/** A value, or the nearest one within bounds; the first bound holds where they cross. */
function within(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

// MARK: Emojis

/** The square of a shape's emoji. */
export function squareOf({ placement, boundingBox: { x, y, width, height } }) {
  return placement ?? { x, y, side: Math.max(width, height) };
}

/** A square as the server will place it: on the sheet, and neither too small nor too large. */
export function squareInside({ x, y, side }, { width, height }) {
  const room = Math.min(width, height);
  const own = within(side, leastShare * room, room);
  const inside = (at, most) => within(at + (side - own) / 2, 0, most - own);
  return { x: inside(x, width), y: inside(y, height), side: own };
}

/** Whether an emoji does not lie over its drawing. */
export function isMoved({ placement, boundingBox: { x, y, width, height } }) {
  if (!placement) return false;
  const side = Math.max(width, height);
  const away = Math.max(
    Math.abs(placement.x + placement.side / 2 - x - width / 2),
    Math.abs(placement.y + placement.side / 2 - y - height / 2),
    Math.abs(placement.side - side),
  );
  return away > 0.02 * Math.max(side, placement.side);
}

/** The middle of a handle outside of a square's corner, where that is on a sheet of a scale. */
export function handlePlace({ x, y, side }, { width, height, scale }) {
  const gap = handleGap / scale;
  const [left, right, top, bottom] = [x - gap, x + side + gap, y - gap, y + side + gap];
  const isOn = ([cx, cy]) => cx >= gap && cx <= width - gap && cy >= gap && cy <= height - gap;
  const corners = [[right, top], [left, top], [right, bottom], [left, bottom]];
  return corners.find(isOn) ?? [within(right, gap, width - gap), within(top, gap, height - gap)];
}

// MARK: Words

/** Splits words into two lines of about the same length; a single word is one line. */
export function linesOf(label) {
  const words = label.split(/\s+/u);
  if (words.length === 1) return [label];
  const splits = words.slice(1).map((_, index) => [
    words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" "),
  ]);
  const longest = (lines) => Math.max(...lines.map((line) => line.length));
  return splits.reduce((best, lines) => (longest(lines) < longest(best) ? lines : best));
}

/**
 * How a label of words lies in its square: as large as that allows, on one or two lines, but never
 * too small to read. On a small square the plate is wider, with an ellipsis if that is not enough.
 * @param {{x: number, side: number}} square
 * @param {{width: number, scale: number}} sheet
 * @param {(words: string) => number} widthOf The width of words, in ems.
 * @returns {{lines: string[], size: number, most: number, shift: number}} The plate's lines, font
 *   size and largest width, and how far it is moved onto the paper.
 */
export function wordsPlace(label, { x, side }, { width: paper, scale }, widthOf) {
  const least = leastWords / scale;
  const lines = linesOf(label).map((words) => ({ words, width: widthOf(words) }));
  // The plate has a padding of half an em on either side.
  const sizeOf = (widths) => {
    const byWidth = side / (Math.max(...widths) + 1);
    return Math.min(byWidth, side / (widths.length * 1.15 + 0.5), side * 0.3);
  };
  const oneWidth = widthOf(label);
  const one = sizeOf([oneWidth]);
  const two = lines.length === 2 ? sizeOf(lines.map((line) => line.width)) : 0;
  const isOne = one >= two || two < least;
  const size = Math.max(least, isOne ? one : two);
  const most = Math.max(side, mostWords / scale);
  const width = isOne
    ? Math.min(most, size * (oneWidth + 1))
    : size * (Math.max(...lines.map((line) => line.width)) + 1);
  const middle = x + side / 2;
  const shift = paper > width ? within(middle, width / 2, paper - width / 2) - middle : 0;
  return { lines: isOne ? [label] : lines.map(({ words }) => words), size, most, shift };
}

// MARK: Messages and menus

/**
 * Where a message lies beside a box of the sheet, and inside the sheet's element, in pixels. Where
 * it fits neither below nor above, it lies over the box.
 * @param {object} box In the sheet's units.
 * @param {object} message Its `width` and `height`.
 * @param {object} view The sheet's `scale`, `x`, `y` in its element, whose size it has.
 * @returns {{left: number, top: number, isBelow: boolean, point: number}} Its middle, its upper (or
 *   above the box, lower) edge, and where its tip is from the middle.
 */
export function messagePlace(box, message, { scale, x, y, width, height }) {
  const below = y + (box.y + box.height) * scale + 12;
  const above = y + box.y * scale - 12;
  const isBelow = below + message.height < height || above < message.height;
  const half = message.width / 2 + 8;
  const middle = x + (box.x + box.width / 2) * scale;
  const left = within(middle, half, width - half);
  const top = isBelow ? within(below, 0, height - message.height - 4) : above;
  return { left, top, isBelow, point: middle - left };
}

/** Where a menu lies beside a box, in a window: right, left, or else above or below it. */
export function menuPlace({ left, top, width, height }, menu, window) {
  const fits = [left + width + menuGap, left - menu.width - menuGap]
    .find((each) => each >= margin && each + menu.width <= window.width - margin);
  // The menu of a low shape is at the upper edge of a phone.
  const isLow = top + height / 2 > window.height / 2;
  const under = isLow ? top - menu.height - menuGap : top + height + menuGap;
  const beside = top + height / 2 - menu.height / 2;
  return {
    isLow,
    left: fits ?? within(left, margin, window.width - menu.width - margin),
    top: within(fits === undefined ? under : beside, margin, window.height - menu.height - margin),
  };
}
