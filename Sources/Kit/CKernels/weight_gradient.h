// The gradient with respect to the weights: sums over pixels of values under the kernel times
// slopes.

// The number of values at a time, such that their sums fill the registers.
#define MAX_TAPS (LANES == 16 ? 12 : 6)
#define EACH(i, count) _Pragma("clang loop unroll(full)") for (int i = 0; i < count; i++)

struct pixel_sums {
  // The first value under the kernel at the first pixel; the steps from pixel to pixel and row to
  // row.
  const float *input;
  long pixel, line;
  // The output gradient, `outputs` values at each pixel.
  const float *gradient;
  long outputs, rows, width;
  // The sums: a row of outputs for each value.
  float *sums;
};

// For `taps` values and `vectors` vectors of outputs; the last has `count` outputs, or all if
// `whole`.
INLINE void sum_pixels(int taps, int vectors, int whole, const struct pixel_sums *s, long count) {
  vector sums[MAX_TAPS][2];
  const long outputs = s->outputs, pixel = s->pixel;
  EACH(a, taps) EACH(v, vectors) {
    const float *at = s->sums + a * outputs + v * LANES;
    sums[a][v] = whole || v + 1 < vectors ? load(at) : load_first(at, count);
  }
  for (long row = 0; row < s->rows; row++) {
    const float *x = s->input + row * s->line, *slopes = s->gradient + row * s->width * outputs;
    for (long column = 0; column < s->width; column++, x += pixel, slopes += outputs) {
      vector slope[2];
      EACH(v, vectors)
        slope[v] = whole || v + 1 < vectors ? load(slopes + v * LANES)
                                            : load_first(slopes + v * LANES, count);
      EACH(a, taps) {
        const float value = x[a];
        EACH(v, vectors) sums[a][v] += value * slope[v];
      }
    }
  }
  EACH(a, taps) EACH(v, vectors) {
    float *at = s->sums + a * outputs + v * LANES;
    if (whole || v + 1 < vectors)
      store(sums[a][v], at);
    else
      store_first(sums[a][v], at, count);
  }
}

#define SUMS(n)                                                                \
  static void sum_pixels_##n(const struct pixel_sums *s, long left) {          \
    if (left >= PANEL)                                                         \
      sum_pixels(n, 2, 1, s, LANES);                                           \
    else if (left > LANES)                                                     \
      sum_pixels(n, 2, 0, s, left - LANES);                                    \
    else                                                                       \
      sum_pixels(n, 1, 0, s, left);                                            \
  }
#if LANES == 16
#define EACH_TAPS(F) UP_TO_12(F)
#else
#define EACH_TAPS(F) UP_TO_6(F)
#endif
EACH_TAPS(SUMS)

#define SUMS_ENTRY(n) sum_pixels_##n,
static void (*const pixel_summers[])(const struct pixel_sums *, long) = {EACH_TAPS(SUMS_ENTRY)};

// For all values under one row of the kernel, and all outputs.
static void sum_row(struct pixel_sums s, long values) {
  const long tiles = (values + MAX_TAPS - 1) / MAX_TAPS;
  for (long tile = 0, done = 0; tile < tiles; tile++) {
    const long taps = (values - done) / (tiles - tile);
    for (long start = 0; start < s.outputs; start += PANEL) {
      struct pixel_sums some = s;
      some.input += done;
      some.gradient += start;
      some.sums += done * s.outputs + start;
      pixel_summers[taps - 1](&some, s.outputs - start);
    }
    done += taps;
  }
}
