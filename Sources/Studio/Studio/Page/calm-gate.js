// The gate of the surface (CL-020): one pointer in the upper right corner for 6.0 s without a
// break. A pure state machine: events and their times come in, progress and `isOpen` come out.

export const holdMilliseconds = 6000;

export function makeGate() {
  return { width: 0, height: 0, held: null, since: 0, pointers: new Set(), isOpen: false };
}

/** The side of the corner: larger from tablets on. */
export function cornerSide({ width, height }) {
  return Math.min(width, height) >= 600 ? 110 : 80;
}

function isInCorner(gate, { x, y }) {
  const side = cornerSide(gate);
  return x >= gate.width - side && x <= gate.width && y >= 0 && y <= side;
}

/**
 * Applies an event.
 * @param {object} event `kind`: "size" with `width` and `height`; "down", "move" and "up" with
 *   `id`, `x`, `y`; "tick"; "reset". All but "size" and "reset" have a `time` in milliseconds.
 */
export function step(gate, event) {
  const { kind, id, time } = event;
  if (kind === "size") {
    gate.width = event.width;
    gate.height = event.height;
    gate.held = null;
  } else if (kind === "reset") {
    gate.pointers.clear();
    gate.held = null;
  } else if (kind === "down") {
    gate.pointers.add(id);
    // A second finger anywhere ends the hold; it begins again only with a single finger.
    gate.held = gate.pointers.size === 1 && isInCorner(gate, event) ? id : null;
    gate.since = time;
  } else if (kind === "up") {
    gate.pointers.delete(id);
    gate.held = null;
  } else if (kind === "move" && id === gate.held && !isInCorner(gate, event)) gate.held = null;
  if (kind === "tick" && progress(gate, time) >= 1) gate.isOpen = true;
  return gate;
}

/** How much of the hold is over, in 0…1. */
export function progress(gate, time) {
  if (gate.held === null) return 0;
  return Math.min(1, Math.max(0, (time - gate.since) / holdMilliseconds));
}
