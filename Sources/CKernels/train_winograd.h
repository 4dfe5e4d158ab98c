// Convolutions of 3 × 3 with fewer multiplications, for one width of vectors: see `train_winograd.c`.

/// Six values under a row of the kernel → the six that are multiplied.
INLINE void NAME(input_transform)(const VECTOR *x, const int step, VECTOR *y) {
  const VECTOR two = SPREAD(2), four = SPREAD(4), five = SPREAD(-5);
  const VECTOR x0 = x[0], x1 = x[step], x2 = x[2 * step], x3 = x[3 * step], x4 = x[4 * step], x5 = x[5 * step];
  const VECTOR a = FMA(SPREAD(-4), x2, x4), b = FMA(SPREAD(-4), x1, x3);
  const VECTOR c = x4 - x2, d = two * (x3 - x1);
  y[0] = FMA(four, x0, FMA(five, x2, x4));
  y[step] = a + b;
  y[2 * step] = a - b;
  y[3 * step] = c + d;
  y[4 * step] = c - d;
  y[5 * step] = FMA(four, x1, FMA(five, x3, x5));
}

/// Six products → four pixels.
INLINE void NAME(output_transform)(const VECTOR *x, const int step, VECTOR *y, const int pace) {
  const VECTOR a = x[step] + x[2 * step], b = x[step] - x[2 * step];
  const VECTOR c = x[3 * step] + x[4 * step], d = x[3 * step] - x[4 * step];
  y[0] = x[0] + a + c;
  y[pace] = FMA(SPREAD(2), d, b);
  y[2 * pace] = FMA(SPREAD(4), c, a);
  y[3 * pace] = FMA(SPREAD(8), d, b) + x[5 * step];
}

/// Four slopes → six that are multiplied for the weights' gradient: the transposed of `output_transform`.
INLINE void NAME(slope_transform)(const VECTOR *x, const int step, VECTOR *y, const int pace) {
  const VECTOR a = x[0] + x[2 * step], b = x[step] + x[3 * step];
  const VECTOR c = FMA(SPREAD(4), x[2 * step], x[0]), d = FMA(SPREAD(8), x[3 * step], SPREAD(2) * x[step]);
  y[0] = x[0];
  y[pace] = a + b;
  y[2 * pace] = a - b;
  y[3 * pace] = c + d;
  y[4 * pace] = c - d;
  y[5 * pace] = x[3 * step];
}

/// Three weights → six.
INLINE void NAME(weight_transform)(const VECTOR *x, const int step, VECTOR *y, const int pace) {
  const VECTOR sixth = SPREAD(-1.f / 6), near = sixth * (x[0] + x[2 * step]), middle = sixth * x[step];
  const VECTOR far = FMA(SPREAD(1.f / 24), x[0], SPREAD(1.f / 6) * x[2 * step]), other = SPREAD(1.f / 12) * x[step];
  y[0] = SPREAD(0.25f) * x[0];
  y[pace] = near + middle;
  y[2 * pace] = near - middle;
  y[3 * pace] = far + other;
  y[4 * pace] = far - other;
  y[5 * pace] = x[2 * step];
}

/// Six sums → the gradient of three weights: the transposed of `weight_transform`.
INLINE void NAME(sum_transform)(const VECTOR *x, const int step, VECTOR *y, const int pace) {
  const VECTOR a = SPREAD(-1.f / 6) * (x[step] + x[2 * step]), b = x[3 * step] + x[4 * step];
  y[0] = FMA(SPREAD(0.25f), x[0], FMA(SPREAD(1.f / 24), b, a));
  y[pace] = FMA(SPREAD(-1.f / 6), x[step] - x[2 * step], SPREAD(1.f / 12) * (x[3 * step] - x[4 * step]));
  y[2 * pace] = FMA(SPREAD(1.f / 6), b, a) + x[5 * step];
}

/// Weights [3, 3, values, outputs] → [36, panels of outputs, values, outputs of a panel].
static void NAME(winograd_weights)(const float *weights, long values, long outputs, float *panels) {
  const long size = (outputs + PANEL - 1) / PANEL * PANEL * values;
  for (long start = 0; start < outputs; start += LANES) {
    const MASK mask = FIRST(outputs - start);
    float *panel = panels + start / PANEL * PANEL * values + start % PANEL;
    for (long k = 0; k < values; k++) {
      VECTOR w[9], half[18], all[36];
      for (int tap = 0; tap < 9; tap++) w[tap] = LOAD_FIRST(weights + (tap * values + k) * outputs + start, mask);
      for (int c = 0; c < 3; c++) NAME(weight_transform)(w + c, 3, half + c, 3);
      for (int r = 0; r < 6; r++) NAME(weight_transform)(half + 3 * r, 1, all + 6 * r, 1);
      for (int n = 0; n < 36; n++) STORE(panel + n * size + k * PANEL, all[n]);
    }
  }
  // The kernels read both vectors of a panel.
  if ((outputs + LANES - 1) / LANES % 2)
    for (long n = 0; n < 36; n++)
      for (long k = 0; k < values; k++)
        STORE(panels + n * size + outputs / PANEL * PANEL * values + k * PANEL + LANES, ZERO());
}

/// Padded pictures → [36, tiles, channels].
static void NAME(winograd_input)(const float *padded, struct tiling t, long channels, float *values) {
  const long line = t.paddedWidth * channels, size = t.count * t.tiles * channels;
  for (long tile = 0; tile < t.count * t.tiles; tile++) {
    const long example = tile / t.tiles, row = tile % t.tiles / t.across, column = tile % t.across;
    const float *corner = padded + example * t.paddedPicture * channels + 4 * row * line + 4 * column * channels;
    for (long start = 0; start < channels; start += LANES) {
      const MASK mask = FIRST(channels - start);
      VECTOR x[36];
      for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) x[6 * r + c] = LOAD_FIRST(corner + r * line + c * channels + start, mask);
      for (int c = 0; c < 6; c++) NAME(input_transform)(x + c, 6, x + c);
      for (int r = 0; r < 6; r++) NAME(input_transform)(x + 6 * r, 1, x + 6 * r);
      for (int n = 0; n < 36; n++) STORE_FIRST(values + n * size + tile * channels + start, mask, x[n]);
    }
  }
}

/// [36, tiles, outputs] → pictures.
static void NAME(winograd_output)(const float *products, struct tiling t, long outputs, const float *bias, float *output) {
  const long size = t.count * t.tiles * outputs;
  for (long tile = 0; tile < t.count * t.tiles; tile++) {
    const long example = tile / t.tiles, row = tile % t.tiles / t.across, column = tile % t.across;
    const long rows = t.height - 4 * row < 4 ? t.height - 4 * row : 4;
    const long columns = t.width - 4 * column < 4 ? t.width - 4 * column : 4;
    float *corner = output + ((example * t.height + 4 * row) * t.width + 4 * column) * outputs;
    for (long start = 0; start < outputs; start += LANES) {
      const MASK mask = FIRST(outputs - start);
      const VECTOR base = bias ? LOAD_FIRST(bias + start, mask) : ZERO();
      VECTOR x[36], half[24], all[16];
      for (int n = 0; n < 36; n++) x[n] = LOAD_FIRST(products + n * size + tile * outputs + start, mask);
      for (int c = 0; c < 6; c++) NAME(output_transform)(x + c, 6, half + c, 6);
      for (int r = 0; r < 4; r++) NAME(output_transform)(half + 6 * r, 1, all + 4 * r, 1);
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
          STORE_FIRST(corner + (r * t.width + c) * outputs + start, mask, all[4 * r + c] + base);
    }
  }
}

/// Gradients by pictures → [36, tiles, outputs].
static void NAME(winograd_slopes)(const float *gradient, struct tiling t, long outputs, float *slopes) {
  const long size = t.count * t.tiles * outputs;
  for (long tile = 0; tile < t.count * t.tiles; tile++) {
    const long example = tile / t.tiles, row = tile % t.tiles / t.across, column = tile % t.across;
    const long rows = t.height - 4 * row < 4 ? t.height - 4 * row : 4;
    const long columns = t.width - 4 * column < 4 ? t.width - 4 * column : 4;
    const float *corner = gradient + ((example * t.height + 4 * row) * t.width + 4 * column) * outputs;
    for (long start = 0; start < outputs; start += LANES) {
      const MASK mask = FIRST(outputs - start);
      VECTOR x[16], half[24], all[36];
      for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
          x[4 * r + c] = r < rows && c < columns ? LOAD_FIRST(corner + (r * t.width + c) * outputs + start, mask) : ZERO();
      for (int c = 0; c < 4; c++) NAME(slope_transform)(x + c, 4, half + c, 4);
      for (int r = 0; r < 6; r++) NAME(slope_transform)(half + 4 * r, 1, all + 6 * r, 1);
      for (int n = 0; n < 36; n++) STORE_FIRST(slopes + n * size + tile * outputs + start, mask, all[n]);
    }
  }
}

/// Adds sums [36, values, outputs] to the weights' gradient.
static void NAME(winograd_sums)(const float *sums, long values, long outputs, float *weightGradient) {
  for (long k = 0; k < values; k++)
    for (long start = 0; start < outputs; start += LANES) {
      const MASK mask = FIRST(outputs - start);
      VECTOR x[36], half[18], all[9];
      for (int n = 0; n < 36; n++) x[n] = LOAD_FIRST(sums + (n * values + k) * outputs + start, mask);
      for (int c = 0; c < 6; c++) NAME(sum_transform)(x + c, 6, half + c, 6);
      for (int r = 0; r < 3; r++) NAME(sum_transform)(half + 6 * r, 1, all + 3 * r, 1);
      for (int tap = 0; tap < 9; tap++) {
        float *place = weightGradient + (tap * values + k) * outputs + start;
        STORE_FIRST(place, mask, LOAD_FIRST(place, mask) + all[tap]);
      }
    }
}
