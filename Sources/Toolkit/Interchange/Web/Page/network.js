// Runs networks as `WebGraph` writes them: steps with a kind, inputs and an output by name, and the
// places of their numbers. A value has [channels, height, width], or [length], of one drawing.

/** The values by name after all steps, from those of the inputs. */
export function run(steps, numbers, values) {
  for (const step of steps) {
    const inputs = step.inputs.map((name) => values[name]);
    const take = ({ start, count }) => numbers.subarray(start, start + count);
    values[step.output] = kinds[step.kind](step, take, ...inputs);
  }
  return values;
}

const vector = (values) => ({ values, shape: [values.length] });

const kinds = {
  convolution({ weights, bias, size: [rows, columns] }, take, { values, shape }) {
    const [, height, width] = shape;
    const pixels = height * width;
    const patches = around(values, shape, rows, columns);
    const kernels = take(weights);
    const channels = kernels.length / (patches.length / pixels);
    const result = products(patches, kernels, pixels, channels, bias && take(bias));
    return { values: result, shape: [channels, height, width] };
  },
  normalization({ weights, epsilon }, take, { values, shape }) {
    const [channels] = shape;
    const terms = take(weights); // scale, shift, mean, variance
    const pixels = values.length / channels;
    const result = values.map((value, place) => {
      const channel = Math.floor(place / pixels);
      const [scale, shift, mean, variance] = [0, 1, 2, 3].map((k) => terms[k * channels + channel]);
      return ((value - mean) / Math.sqrt(variance + epsilon)) * scale + shift;
    });
    return { values: result, shape };
  },
  rectifier: (_, __, { values, shape }) => ({ values: values.map((x) => Math.max(x, 0)), shape }),
  maxPool({ size: [rows, columns] }, _, { values, shape: [channels, height, width] }) {
    const [high, wide] = [Math.floor(height / rows), Math.floor(width / columns)];
    const result = new Float32Array(channels * high * wide).fill(-Infinity);
    for (let row = 0; row < channels * high; row += 1) {
      const [channel, y] = [Math.floor(row / high), (row % high) * rows];
      for (let part = 0; part < rows; part += 1) {
        const start = (channel * height + y + part) * width;
        for (let x = 0; x < wide * columns; x += 1) {
          const place = row * wide + Math.floor(x / columns);
          result[place] = Math.max(result[place], values[start + x]);
        }
      }
    }
    return { values: result, shape: [channels, high, wide] };
  },
  means(_, __, { values, shape: [channels] }) {
    const pixels = values.length / channels;
    return vector(Float32Array.from({ length: channels }, (_, channel) =>
      sum(values.subarray(channel * pixels, (channel + 1) * pixels), (x) => x) / pixels));
  },
  flattening: (_, __, { values }) => vector(values),
  linearMap({ weights, bias }, take, { values }) {
    const rows = take(weights);
    return vector(products(values, rows, 1, rows.length / values.length, bias && take(bias)));
  },
  sum: (_, __, { values, shape }, other) =>
    ({ values: values.map((x, place) => x + other.values[place]), shape }),
  unitVector({ epsilon }, _, { values, shape }) {
    const length = Math.max(epsilon, Math.sqrt(sum(values, (x) => x * x)));
    return { values: values.map((x) => x / length), shape };
  },
  product: ({ factor }, _, { values, shape }) => ({ values: values.map((x) => x * factor), shape }),
  concatenation: (_, __, ...parts) =>
    vector(Float32Array.from(parts.flatMap(({ values }) => [...values]))),
};

export function sum(values, term) {
  return values.reduce((total, x) => total + term(x), 0);
}

/** For each pixel the values around it, [pixels, channels, rows, columns]; 0 beyond the edges. */
function around(values, [channels, height, width], rows, columns) {
  const patches = new Float32Array(values.length * rows * columns);
  const length = channels * rows * columns;
  let part = 0;
  for (let channel = 0; channel < channels; channel += 1) {
    for (let down = -(rows >> 1); down <= rows >> 1; down += 1) {
      for (let right = -(columns >> 1); right <= columns >> 1; right += 1) {
        const [first, end] = [Math.max(0, -right), Math.min(width, width - right)];
        for (let y = Math.max(0, -down); y < Math.min(height, height - down); y += 1) {
          const start = (channel * height + y + down) * width + right;
          const target = y * width * length + part;
          for (let x = first; x < end; x += 1) patches[target + x * length] = values[start + x];
        }
        part += 1;
      }
    }
  }
  return patches;
}

/**
 * The products of each of `count` vectors with each of the rows, plus each row's `shift` if there
 * is one, [rows, vectors]: four vectors and two rows at once, as each number that is loaded is then
 * used several times.
 */
export function products(vectors, rows, count, rowCount, shift = null) {
  const length = (vectors.length / count) | 0; // an integer to the compiler, too
  const result = new Float32Array(rowCount * count);
  for (let row = 0; row < rowCount; row += 2) {
    const first = row * length;
    const second = Math.min(row + 1, rowCount - 1) * length;
    const u = shift ? shift[row] : 0, w = shift ? shift[Math.min(row + 1, rowCount - 1)] : 0;
    let v = 0;
    for (; v + 3 < count; v += 4) {
      const a = v * length, b = a + length, c = b + length, d = c + length;
      let a1 = u, b1 = u, c1 = u, d1 = u, a2 = w, b2 = w, c2 = w, d2 = w;
      for (let k = 0; k < length; k += 1) {
        const x = rows[first + k], y = rows[second + k];
        const p = vectors[a + k], q = vectors[b + k], r = vectors[c + k], s = vectors[d + k];
        a1 += x * p; b1 += x * q; c1 += x * r; d1 += x * s;
        a2 += y * p; b2 += y * q; c2 += y * r; d2 += y * s;
      }
      result.set([a1, b1, c1, d1], row * count + v);
      if (row + 1 < rowCount) result.set([a2, b2, c2, d2], (row + 1) * count + v);
    }
    for (; v < count; v += 1) {
      let s1 = u, s2 = w;
      for (let k = 0; k < length; k += 1) {
        s1 += rows[first + k] * vectors[v * length + k];
        s2 += rows[second + k] * vectors[v * length + k];
      }
      result[row * count + v] = s1;
      if (row + 1 < rowCount) result[(row + 1) * count + v] = s2;
    }
  }
  return result;
}
