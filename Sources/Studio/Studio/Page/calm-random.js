// Seeded chance for the scenes: the same seed, the same picture (mulberry32).

export function makeRandom(seed) {
  return new Uint32Array([seed]);
}

/** The next number in 0..<1. */
export function next(random) {
  random[0] += 0x6d2b79f5;
  let bits = Math.imul(random[0] ^ (random[0] >>> 15), random[0] | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
}

/** The next number in low..<high. */
export function between(random, low, high) {
  return low + (high - low) * next(random);
}
