// Direct convolutions for one width of vectors: see `train_convolution.c`, which includes this file for each.

// A panel is two vectors of outputs wide. So many pixels, or values under the kernel, go at a time that their sums fill
// the registers: 28 of 32, or 12 of 16.
#define PANEL (2 * LANES)
#if LANES == 16
#define PIXELS 14
#define TAPS 12
#else
#define PIXELS 6
#define TAPS 6
#endif

/// Where one tile of a convolution reads and writes.
struct NAME(tile) {
  const float *first, *second;  // the corners under the kernel at the first pixel of each of two rows
  float *out, *outSecond;
  const float *weights, *bias;
  long stride;  // floats from pixel to pixel of the input
  long line;    // floats from row to row of the input
  long rows;    // rows of the kernel
  long values;  // floats under one row of the kernel
  long outputs; // floats from pixel to pixel of the output
};

/// `pixels` pixels of a row, or half of them in each of two rows, and `vectors` vectors of outputs.
INLINE void NAME(convolve_tile)(
    const struct NAME(tile) *t, const int pixels, const int split, const int vectors, const int full, MASK last) {
  VECTOR sums[PIXELS][2];
#pragma clang loop unroll(full)
  for (int v = 0; v < vectors; v++) {
    const int whole = full || v + 1 < vectors;
    const VECTOR start = !t->bias ? ZERO()
                         : whole  ? LOAD(t->bias + v * LANES)
                                  : LOAD_FIRST(t->bias + v * LANES, last);
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; p++) sums[p][v] = start;
  }
  const float *w = t->weights;
  const long s = t->stride;
  for (long row = 0; row < t->rows; row++) {
    // Every third pixel has a pointer of its own; the two behind it are one and two strides away.
    const float *at[(PIXELS + 2) / 3 + 1];
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; p += 1) {
      if (p < split) {
        if (p % 3 == 0) at[p / 3] = t->first + row * t->line + p * s;
      } else if ((p - split) % 3 == 0) {
        at[(split + 2) / 3 + (p - split) / 3] = t->second + row * t->line + (p - split) * s;
      }
    }
    for (long k = 0; k < t->values; k++) {
      VECTOR weights[2];
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) weights[v] = LOAD(w + v * LANES);
      w += PANEL;
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) {
        const int place = p < split ? p : p - split;
        const int base = p < split ? p / 3 : (split + 2) / 3 + place / 3;
        const VECTOR x = SPREAD(at[base][place % 3 * s]);
#pragma clang loop unroll(full)
        for (int v = 0; v < vectors; v++) sums[p][v] = FMA(x, weights[v], sums[p][v]);
      }
#pragma clang loop unroll(full)
      for (int b = 0; b < (split + 2) / 3 + (pixels - split + 2) / 3; b++) {
        at[b]++;
        // Kept apart, or the compiler computes all from one and runs out of registers.
        __asm__("" : "+r"(at[b]));
      }
    }
  }
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) {
    float *out = p < split ? t->out + p * t->outputs : t->outSecond + (p - split) * t->outputs;
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) {
      if (full || v + 1 < vectors)
        STORE(out + v * LANES, sums[p][v]);
      else
        STORE_FIRST(out + v * LANES, last, sums[p][v]);
    }
  }
}

// One function for each number of pixels: `two` rows of `n`, or one.
#define TILE_CASE(n)                                                                           \
  static __attribute__((noinline)) void NAME(convolve_##n)(                                    \
      const struct NAME(tile) * t, int two, long outputs) {                                    \
    const MASK last = FIRST(outputs - LANES *(outputs > LANES));                               \
    if (two && 2 * n <= PIXELS) {                                                              \
      if (outputs >= PANEL)                                                                    \
        NAME(convolve_tile)(t, 2 * n <= PIXELS ? 2 * n : n, n, 2, 1, last);                    \
      else if (outputs > LANES)                                                                \
        NAME(convolve_tile)(t, 2 * n <= PIXELS ? 2 * n : n, n, 2, 0, last);                    \
      else                                                                                     \
        NAME(convolve_tile)(t, 2 * n <= PIXELS ? 2 * n : n, n, 1, 0, last);                    \
    } else if (outputs >= PANEL)                                                               \
      NAME(convolve_tile)(t, n, n, 2, 1, last);                                                \
    else if (outputs > LANES)                                                                  \
      NAME(convolve_tile)(t, n, n, 2, 0, last);                                                \
    else                                                                                       \
      NAME(convolve_tile)(t, n, n, 1, 0, last);                                                \
  }
TILE_CASE(1)
TILE_CASE(2)
TILE_CASE(3)
TILE_CASE(4)
TILE_CASE(5)
TILE_CASE(6)
#if PIXELS > 6
TILE_CASE(7)
TILE_CASE(8)
TILE_CASE(9)
TILE_CASE(10)
TILE_CASE(11)
TILE_CASE(12)
TILE_CASE(13)
TILE_CASE(14)
#endif
#undef TILE_CASE

static void (*const NAME(tiles)[])(const struct NAME(tile) *, int, long) = {
    0, NAME(convolve_1), NAME(convolve_2), NAME(convolve_3), NAME(convolve_4), NAME(convolve_5), NAME(convolve_6),
#if PIXELS > 6
    NAME(convolve_7), NAME(convolve_8), NAME(convolve_9), NAME(convolve_10), NAME(convolve_11), NAME(convolve_12),
    NAME(convolve_13), NAME(convolve_14),
#endif
};

/// One row, or two, of a padded picture and one panel of outputs.
static void NAME(convolve_rows)(struct NAME(tile) t, long width, int two, long outputs) {
  // Tiles of nearly the same width, as few as there can be.
  const long most = two ? PIXELS / 2 : PIXELS, tiles = (width + most - 1) / most;
  for (long tile = 0, x = 0; tile < tiles; tile++) {
    const long pixels = (width - x) / (tiles - tile);
    NAME(tiles)[pixels](&t, two, outputs);
    x += pixels;
    t.first += pixels * t.stride;
    t.out += pixels * t.outputs;
    if (two) {
      t.second += pixels * t.stride;
      t.outSecond += pixels * t.outputs;
    }
  }
}

/// All rows of padded pictures and all outputs.
static void NAME(convolve_padded)(
    const float *padded, long count, drawml_train_convolution g, const float *panels, const float *bias, float *output) {
  const long line = padded_width(g) * g.inputs, picture = padded_height(g) * line;
  const long values = g.columns * g.inputs, rows = count * g.height;
  const int pairs = 2 * g.width <= PIXELS;
  for (long start = 0; start < g.outputs; start += PANEL) {
    struct NAME(tile) t = {
        .weights = panels + start * g.rows * values, .bias = bias ? bias + start : 0, .stride = g.inputs,
        .line = line, .rows = g.rows, .values = values, .outputs = g.outputs};
    for (long row = 0; row < rows;) {
      const long next = row + 1;
      const int two = pairs && next < rows;
      t.first = padded + row / g.height * picture + row % g.height * line;
      t.out = output + row * g.width * g.outputs + start;
      if (two) {
        t.second = padded + next / g.height * picture + next % g.height * line;
        t.outSecond = output + next * g.width * g.outputs + start;
      }
      NAME(convolve_rows)(t, g.width, two, g.outputs - start);
      row += 1 + two;
    }
  }
}

/// Sums over pixels for `taps` values under one row of the kernel and `vectors` vectors of outputs.
INLINE void NAME(gradient_tile)(
    const float *input, long line, long stride, const float *gradient, long outputs, long rows, long width,
    float *result, const int taps, const int vectors, const int full, MASK last) {
  VECTOR sums[TAPS][2];
#pragma clang loop unroll(full)
  for (int a = 0; a < taps; a++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++)
      sums[a][v] = full || v + 1 < vectors ? LOAD(result + a * outputs + v * LANES)
                                           : LOAD_FIRST(result + a * outputs + v * LANES, last);
  for (long row = 0; row < rows; row++) {
    const float *x = input + row * line, *g = gradient + row * width * outputs;
    for (long pixel = 0; pixel < width; pixel++) {
      VECTOR slopes[2];
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++)
        slopes[v] = full || v + 1 < vectors ? LOAD(g + v * LANES) : LOAD_FIRST(g + v * LANES, last);
#pragma clang loop unroll(full)
      for (int a = 0; a < taps; a++) {
        const VECTOR value = SPREAD(x[a]);
#pragma clang loop unroll(full)
        for (int v = 0; v < vectors; v++) sums[a][v] = FMA(value, slopes[v], sums[a][v]);
      }
      x += stride;
      g += outputs;
    }
  }
#pragma clang loop unroll(full)
  for (int a = 0; a < taps; a++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++)
      if (full || v + 1 < vectors)
        STORE(result + a * outputs + v * LANES, sums[a][v]);
      else
        STORE_FIRST(result + a * outputs + v * LANES, last, sums[a][v]);
}

#define GRADIENT_CASE(n)                                                                                          \
  static __attribute__((noinline)) void NAME(gradient_##n)(                                                       \
      const float *input, long line, long stride, const float *gradient, long outputs, long rows, long width,     \
      float *result, long left) {                                                                                 \
    const MASK last = FIRST(left - LANES *(left > LANES));                                                        \
    if (left >= PANEL)                                                                                            \
      NAME(gradient_tile)(input, line, stride, gradient, outputs, rows, width, result, n, 2, 1, last);            \
    else if (left > LANES)                                                                                        \
      NAME(gradient_tile)(input, line, stride, gradient, outputs, rows, width, result, n, 2, 0, last);            \
    else                                                                                                          \
      NAME(gradient_tile)(input, line, stride, gradient, outputs, rows, width, result, n, 1, 0, last);            \
  }
GRADIENT_CASE(1)
GRADIENT_CASE(2)
GRADIENT_CASE(3)
GRADIENT_CASE(4)
GRADIENT_CASE(5)
GRADIENT_CASE(6)
#if TAPS > 6
GRADIENT_CASE(7)
GRADIENT_CASE(8)
GRADIENT_CASE(9)
GRADIENT_CASE(10)
GRADIENT_CASE(11)
GRADIENT_CASE(12)
#endif
#undef GRADIENT_CASE

typedef void (*NAME(gradient_function))(
    const float *, long, long, const float *, long, long, long, float *, long);
static const NAME(gradient_function) NAME(gradients)[] = {
    0, NAME(gradient_1), NAME(gradient_2), NAME(gradient_3), NAME(gradient_4), NAME(gradient_5), NAME(gradient_6),
#if TAPS > 6
    NAME(gradient_7), NAME(gradient_8), NAME(gradient_9), NAME(gradient_10), NAME(gradient_11), NAME(gradient_12),
#endif
};

/// The sums of all values under the kernel and all outputs, over the pixels of padded pictures.
static void NAME(gradient_padded)(
    const float *padded, long count, drawml_train_convolution g, const float *gradient, float *weightGradient) {
  const long line = padded_width(g) * g.inputs, picture = padded_height(g) * line;
  const long values = g.columns * g.inputs, tiles = (values + TAPS - 1) / TAPS;
  for (long row = 0; row < g.rows; row++)
    for (long tile = 0, k = 0; tile < tiles; tile++) {
      const long taps = (values - k) / (tiles - tile);
      for (long start = 0; start < g.outputs; start += PANEL) {
        // Rows of one picture follow each other at one distance; so do pictures of one row.
        if (g.height == 1)
          NAME(gradients)[taps](
              padded + row * line + k, picture, g.inputs, gradient + start, g.outputs, count, g.width,
              weightGradient + (row * values + k) * g.outputs + start, g.outputs - start);
        else
          for (long example = 0; example < count; example++)
            NAME(gradients)[taps](
                padded + example * picture + row * line + k, line, g.inputs,
                gradient + example * g.height * g.width * g.outputs + start, g.outputs, g.height, g.width,
                weightGradient + (row * values + k) * g.outputs + start, g.outputs - start);
      }
      k += taps;
    }
}
