// What the scenes share: fingers with a memory, the pace of motion, and a change of size. Nothing
// here allocates after `makeFingers`.

export const fingerCount = 10;

/** Slots for fingers. One that was lifted keeps its place until another finger needs the slot. */
export function makeFingers() {
  const floats = () => new Float32Array(fingerCount);
  return {
    id: new Float64Array(fingerCount),
    isDown: new Uint8Array(fingerCount),
    isNew: new Uint8Array(fingerCount),
    x: floats(), y: floats(),
    /** The way since the last step, in pixels. */
    dx: floats(), dy: floats(),
    /** Seconds since the finger was lifted. */
    rest: floats().fill(60),
    /** Rises to 1 while the finger is down, and falls slowly afterward. */
    light: floats(),
    count: 0,
  };
}

function slotFor(fingers, id) {
  let longest = -1;
  for (let slot = 0; slot < fingerCount; slot += 1) {
    if (fingers.isDown[slot]) {
      if (fingers.id[slot] === id) return slot;
    } else if (longest < 0 || fingers.rest[slot] > fingers.rest[longest]) longest = slot;
  }
  return longest;
}

/** Updates the slots from a step's pointers. */
export function follow(fingers, pointers, dt) {
  fingers.count = 0;
  for (let slot = 0; slot < fingerCount; slot += 1) {
    fingers.isNew[slot] = 0;
    fingers.dx[slot] = 0;
    fingers.dy[slot] = 0;
    let isThere = false;
    for (let index = 0; index < pointers.length; index += 1) {
      isThere ||= pointers[index].id === fingers.id[slot] && !pointers[index].isNew;
    }
    if (!isThere) fingers.isDown[slot] = 0;
    if (!fingers.isDown[slot]) fingers.rest[slot] += dt;
  }
  for (let index = 0; index < pointers.length && index < fingerCount; index += 1) {
    const pointer = pointers[index];
    const slot = slotFor(fingers, pointer.id);
    if (slot < 0) continue;
    if (fingers.isDown[slot]) {
      fingers.dx[slot] = pointer.x - fingers.x[slot];
      fingers.dy[slot] = pointer.y - fingers.y[slot];
    } else {
      fingers.isNew[slot] = 1;
      fingers.isDown[slot] = 1;
      fingers.id[slot] = pointer.id;
    }
    fingers.rest[slot] = 0;
    fingers.x[slot] = pointer.x;
    fingers.y[slot] = pointer.y;
    fingers.count += 1;
  }
  for (let slot = 0; slot < fingerCount; slot += 1) {
    const isDown = fingers.isDown[slot];
    fingers.light[slot] += (isDown - fingers.light[slot]) * toward(isDown ? 2.2 : 0.9, dt);
  }
}

/** Speeds and amplitudes are halved for people who want less motion (CL-048). */
export function share(input) {
  return input.isReduced ? 0.5 : 1;
}

/** The share of a way that is gone in `dt` where `rate` of it goes per second. */
export function toward(rate, dt) {
  return 1 - Math.exp(-rate * dt);
}

export function clamp(value, low, high) {
  return value < low ? low : value > high ? high : value;
}

const across = ["x", "homeX", "inkX"];
const down = ["y", "homeY", "inkY"];

/** Gives a scene another size, as when a device is turned; everything keeps its relative place. */
export function resize(state, width, height) {
  const scale = (names, factor) => {
    for (const name of names) {
      const places = state[name];
      for (let index = 0; index < (places?.length ?? 0); index += 1) places[index] *= factor;
    }
  };
  scale(across, width / state.width);
  scale(down, height / state.height);
  state.width = width;
  state.height = height;
}
