// How a sheet lies in its element: as large as fits, in the middle; and what is drawn on it there.

/** The view of a sheet in an element of the given size. */
export function viewOf(sheet, { width, height }) {
  const scale = Math.min(width / sheet.width, height / sheet.height);
  return {
    scale, x: (width - sheet.width * scale) / 2, y: (height - sheet.height * scale) / 2,
    width, height,
  };
}

/** The share of an element that a sheet fills. */
export function filledShare(sheet, { width, height }) {
  const [wide, high] = [width / sheet.width, height / sheet.height];
  return Math.min(wide, high) / Math.max(wide, high);
}

/** Columns from one view of the sheet in another one's units; they keep their place in pixels. */
export function carried([xs, ys, ts], from, to) {
  return [
    xs.map((x) => rounded((x * from.scale + from.x - to.x) / to.scale)),
    ys.map((y) => rounded((y * from.scale + from.y - to.y) / to.scale)), ts,
  ];
}

/** A coordinate as it is kept: to a hundredth of a unit. */
export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Which share of the way from a point beside a box to one in it is outside of the box. */
export function entryShare(from, to, { left, top, width, height }) {
  const share = (a, b, low, high) => {
    if (a < low) return (low - a) / (b - a);
    return a > high ? (high - a) / (b - a) : 0;
  };
  return Math.max(
    share(from.x, to.x, left, left + width), share(from.y, to.y, top, top + height));
}
