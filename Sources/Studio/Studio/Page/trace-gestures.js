// Fingers, mouse, wheel and keys as gestures that move a template (TR-012).

/** What a press of a key does, in pixels, factors and radians; Shift makes arrows go farther. */
const keys = {
  ArrowLeft: { x: -1 }, ArrowRight: { x: 1 }, ArrowUp: { y: -1 }, ArrowDown: { y: 1 },
  "+": { scale: 1.02 }, "=": { scale: 1.02 }, "-": { scale: 1 / 1.02 },
  "[": { rotation: -Math.PI / 180 }, "]": { rotation: Math.PI / 180 },
};

/**
 * Listens to an element.
 * @param {Element} element Where the gestures are made.
 * @param {object} options
 * @param {() => boolean} options.isLocked Whether there are no gestures now.
 * @param {(client: {x: number, y: number}) => {x: number, y: number}} options.place The place on
 *   the sheet of a place in the window.
 * @param {() => {x: number, y: number}} options.middle What keys scale and turn about.
 * @param {(gesture: object) => void} options.ongesture Gets each gesture, in the sheet's units.
 * @param {(isMoving: boolean) => void} options.onmoving Fingers went down, or the last one up.
 */
export function followGestures(element, { isLocked, place, middle, ongesture, onmoving }) {
  const fingers = new Map();
  const placeOf = ({ clientX, clientY }) => place({ x: clientX, y: clientY });
  const listeners = {
    pointerdown(event) {
      if (isLocked() || event.button !== 0 || fingers.size === 2) return;
      if (event.target.closest("button")) return;
      try {
        element.setPointerCapture(event.pointerId);
      } catch {
        // The pointer is already gone, and there will be no "up".
        return;
      }
      fingers.set(event.pointerId, placeOf(event));
      onmoving(true);
    },
    pointermove(event) {
      const from = fingers.get(event.pointerId);
      if (!from) return;
      const to = placeOf(event);
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      fingers.set(event.pointerId, to);
      if (isLocked()) return;
      ongesture(other ? pinch(from, to, other) : { x: to.x - from.x, y: to.y - from.y });
    },
    pointerup: lift,
    pointercancel: lift,
    lostpointercapture: lift,
    wheel(event) {
      if (isLocked()) return;
      event.preventDefault();
      const center = placeOf(event);
      // Alt turns; some systems then scroll sideways.
      const amount = (event.deltaY || event.deltaX) * (event.deltaMode === 1 ? 20 : 1);
      ongesture(event.altKey
        ? { center, rotation: amount / 500 } : { center, scale: Math.exp(-amount / 500) });
    },
    keydown(event) {
      const step = keys[event.key];
      if (!step || isLocked() || event.target !== element) return;
      // Some keyboards have brackets only with Alt.
      const isArrow = event.key.startsWith("Arrow");
      if (event.ctrlKey || event.metaKey || (event.altKey && isArrow)) return;
      event.preventDefault();
      const { x = 0, y = 0, ...rest } = step;
      const times = event.shiftKey && isArrow ? 10 : 1;
      ongesture({ center: middle(), x: x * times, y: y * times, ...rest });
    },
  };
  function lift({ pointerId }) {
    if (fingers.delete(pointerId) && fingers.size === 0) onmoving(false);
  }
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener, { passive: false });
  }
}

/** One of two fingers moves from a place to another: what is between them scales, turns, moves. */
function pinch(from, to, other) {
  const [before, after] = [from, to].map(({ x, y }) => ({ x: x - other.x, y: y - other.y }));
  const length = ({ x, y }) => Math.max(1, Math.hypot(x, y));
  return {
    center: other,
    scale: length(after) / length(before),
    rotation: Math.atan2(after.y, after.x) - Math.atan2(before.y, before.x),
  };
}
