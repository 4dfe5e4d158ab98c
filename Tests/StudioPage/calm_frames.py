"""Frames of Calm's scenes, stepped and drawn in the browser, and how their light changes."""

# Steps a scene with random touches, and samples the luminance of its frames: each mean of all and
# of tiles of 100 × 100, in 0…1 as it is seen (not linear).
SAMPLE = """async ({ name, seed, seconds, rate, size, isTouched }) => {
  const { makeInput, scenes, stepSeconds } = await import("/calm-scenes.js");
  const { between, makeRandom, next } = await import("/calm-random.js");
  const [width, height] = size;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const scene = scenes[name];
  const state = scene.make(seed, width, height);
  const random = makeRandom(seed);
  const input = makeInput();
  const [columns, rows] = [width / 100, height / 100];
  const means = [];
  const tiles = [];
  let number = 0;
  for (let turn = 0; turn < 60 * seconds; turn += 1) {
    const { pointers } = input;
    for (let index = pointers.length - 1; index >= 0; index -= 1) {
      const pointer = pointers[index];
      pointer.isNew = false;
      pointer.x += between(random, -14, 14);
      pointer.y += between(random, -14, 14);
      // Taps, and fingers that stay for a while.
      if (next(random) < (pointer.id % 2 ? 0.2 : 0.02)) pointers.splice(index, 1);
    }
    if (isTouched && pointers.length < 10 && next(random) < 0.07) {
      number += 1;
      pointers.push({
        id: number, x: width * next(random), y: height * next(random), isNew: true,
      });
    }
    scene.step(state, input, stepSeconds);
    if (name === "bloom") {
      const group = scene.takeReady(state);
      if (group >= 0) scene.answer(state, group, next(random) < 0.5 ? "\\u2600\\ufe0f" : null);
    }
    if (turn % (60 / rate) !== 0) continue;
    scene.draw(state, context);
    const { data } = context.getImageData(0, 0, width, height);
    const sums = new Float64Array(columns * rows);
    for (let y = 0, at = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1, at += 4) {
        const light = 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
        sums[columns * Math.floor(y / 100) + Math.floor(x / 100)] += light;
      }
    }
    tiles.push(Array.from(sums, (sum) => sum / 2550000));
    means.push(tiles.at(-1).reduce((sum, each) => sum + each) / sums.length);
  }
  return { means, tiles };
}"""


def sampled(page, name, seed, seconds=20, rate=12, size=(400, 300), is_touched=True):
    options = {"name": name, "seed": seed, "seconds": seconds, "rate": rate}
    return page.evaluate(SAMPLE, {**options, "size": size, "isTouched": is_touched})


def flashes(values, rate, share=0.1):
    """The most changes of more than `share`, each in the other direction, in any second."""
    times, low, high, direction = [], values[0], values[0], 0
    for index, value in enumerate(values):
        low, high = min(low, value), max(high, value)
        if direction <= 0 and value - low > share:
            times.append(index)
            direction, low, high = 1, value, value
        elif direction >= 0 and high - value > share:
            times.append(index)
            direction, low, high = -1, value, value
    return max([sum(at <= each < at + rate for each in times) for at in times], default=0)


def drift(means, rate):
    """How much the mean luminance changes in a second: on average, and at most as a share."""
    changes = [abs(late - soon) for soon, late in zip(means, means[rate:])]
    share = max(abs(late - soon) / soon for soon, late in zip(means, means[rate:]))
    return sum(changes) / len(changes), share
