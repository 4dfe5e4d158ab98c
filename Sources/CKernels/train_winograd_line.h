// Convolutions of 1 × 3 and 1 × 5 with fewer multiplications, for one width of vectors: see `train_winograd.c`. Six products give
// four steps of a sequence or two. As many weights as there are rows of powers of the points 0, 1, -1, 2 and -2, and infinity.

/// Six products → `steps` steps.
INLINE void NAME(line_output_transform)(const VECTOR *x, const int steps, VECTOR *y) {
  if (steps == 4) {
    NAME(output_transform)(x, 1, y, 1);
    return;
  }
  const VECTOR a = x[1] + x[2], b = x[1] - x[2];
  y[0] = x[0] + a + (x[3] + x[4]);
  y[1] = FMA(SPREAD(2), x[3] - x[4], b) + x[5];
}

/// The slopes of `steps` steps → six.
INLINE void NAME(line_slope_transform)(const VECTOR *x, const int steps, VECTOR *y) {
  if (steps == 4) {
    NAME(slope_transform)(x, 1, y, 1);
    return;
  }
  y[0] = x[0];
  y[1] = x[0] + x[1];
  y[2] = x[0] - x[1];
  y[3] = FMA(SPREAD(2), x[1], x[0]);
  y[4] = FMA(SPREAD(-2), x[1], x[0]);
  y[5] = x[1];
}

/// The weights of a row of the kernel → six.
INLINE void NAME(line_weight_transform)(const VECTOR *x, const int taps, VECTOR *y) {
  if (taps == 3) {
    NAME(weight_transform)(x, 1, y, 1);
    return;
  }
  const VECTOR even = SPREAD(-1.f / 6) * (x[0] + x[2] + x[4]), odd = SPREAD(-1.f / 6) * (x[1] + x[3]);
  const VECTOR far = FMA(SPREAD(2.f / 3), x[4], FMA(SPREAD(1.f / 6), x[2], SPREAD(1.f / 24) * x[0]));
  const VECTOR other = FMA(SPREAD(1.f / 3), x[3], SPREAD(1.f / 12) * x[1]);
  y[0] = SPREAD(0.25f) * x[0];
  y[1] = even + odd;
  y[2] = even - odd;
  y[3] = far + other;
  y[4] = far - other;
  y[5] = x[4];
}

/// Six sums → the gradient of the weights of a row of the kernel.
INLINE void NAME(line_sum_transform)(const VECTOR *x, const int taps, VECTOR *y) {
  if (taps == 3) {
    NAME(sum_transform)(x, 1, y, 1);
    return;
  }
  const VECTOR near = SPREAD(-1.f / 6) * (x[1] + x[2]), difference = SPREAD(-1.f / 6) * (x[1] - x[2]);
  const VECTOR far = x[3] + x[4], other = x[3] - x[4];
  y[0] = FMA(SPREAD(0.25f), x[0], FMA(SPREAD(1.f / 24), far, near));
  y[1] = FMA(SPREAD(1.f / 12), other, difference);
  y[2] = FMA(SPREAD(1.f / 6), far, near);
  y[3] = FMA(SPREAD(1.f / 3), other, difference);
  y[4] = FMA(SPREAD(2.f / 3), far, near) + x[5];
}

INLINE void NAME(line_weights_of)(const float *weights, long values, long outputs, float *panels, const int taps) {
  const long size = (outputs + PANEL - 1) / PANEL * PANEL * values;
  for (long start = 0; start < outputs; start += LANES) {
    const MASK mask = FIRST(outputs - start);
    float *panel = panels + start / PANEL * PANEL * values + start % PANEL;
    for (long k = 0; k < values; k++) {
      VECTOR w[5], all[6];
      for (int tap = 0; tap < taps; tap++) w[tap] = LOAD_FIRST(weights + (tap * values + k) * outputs + start, mask);
      NAME(line_weight_transform)(w, taps, all);
      for (int n = 0; n < 6; n++) STORE(panel + n * size + k * PANEL, all[n]);
    }
  }
  if ((outputs + LANES - 1) / LANES % 2)
    for (long n = 0; n < 6; n++)
      for (long k = 0; k < values; k++)
        STORE(panels + n * size + outputs / PANEL * PANEL * values + k * PANEL + LANES, ZERO());
}

/// Weights [taps, values, outputs] → [6, panels of outputs, values, outputs of a panel].
static void NAME(line_weights)(const float *weights, long values, long outputs, float *panels, long taps) {
  if (taps == 3)
    NAME(line_weights_of)(weights, values, outputs, panels, 3);
  else
    NAME(line_weights_of)(weights, values, outputs, panels, 5);
}

/// Padded sequences → [6, tiles, channels].
static void NAME(line_input)(const float *padded, struct tiling t, long channels, float *values) {
  const long size = t.count * t.tiles * channels;
  for (long tile = 0; tile < t.count * t.tiles; tile++) {
    const float *corner = padded + (tile / t.tiles * t.paddedPicture + tile % t.tiles * t.step) * channels;
    for (long start = 0; start < channels; start += LANES) {
      const MASK mask = FIRST(channels - start);
      VECTOR x[6];
      for (int c = 0; c < 6; c++) x[c] = LOAD_FIRST(corner + c * channels + start, mask);
      NAME(input_transform)(x, 1, x);
      for (int n = 0; n < 6; n++) STORE_FIRST(values + n * size + tile * channels + start, mask, x[n]);
    }
  }
}

INLINE void NAME(line_output_of)(
    const float *products, struct tiling t, long outputs, const float *bias, float *output, const int steps) {
  const long size = t.count * t.tiles * outputs;
  for (long tile = 0; tile < t.count * t.tiles; tile++) {
    const long step = tile % t.tiles * steps, left = t.width - step < steps ? t.width - step : steps;
    float *corner = output + (tile / t.tiles * t.width + step) * outputs;
    for (long start = 0; start < outputs; start += LANES) {
      const MASK mask = FIRST(outputs - start);
      const VECTOR base = bias ? LOAD_FIRST(bias + start, mask) : ZERO();
      VECTOR x[6], all[4];
      for (int n = 0; n < 6; n++) x[n] = LOAD_FIRST(products + n * size + tile * outputs + start, mask);
      NAME(line_output_transform)(x, steps, all);
      for (int c = 0; c < left; c++) STORE_FIRST(corner + c * outputs + start, mask, all[c] + base);
    }
  }
}

/// [6, tiles, outputs] → sequences.
static void NAME(line_output)(const float *products, struct tiling t, long outputs, const float *bias, float *output) {
  if (t.step == 4)
    NAME(line_output_of)(products, t, outputs, bias, output, 4);
  else
    NAME(line_output_of)(products, t, outputs, bias, output, 2);
}

INLINE void NAME(line_slopes_of)(
    const float *gradient, struct tiling t, long outputs, float *slopes, const int steps) {
  const long size = t.count * t.tiles * outputs;
  for (long tile = 0; tile < t.count * t.tiles; tile++) {
    const long step = tile % t.tiles * steps, left = t.width - step < steps ? t.width - step : steps;
    const float *corner = gradient + (tile / t.tiles * t.width + step) * outputs;
    for (long start = 0; start < outputs; start += LANES) {
      const MASK mask = FIRST(outputs - start);
      VECTOR x[4], all[6];
      for (int c = 0; c < steps; c++) x[c] = c < left ? LOAD_FIRST(corner + c * outputs + start, mask) : ZERO();
      NAME(line_slope_transform)(x, steps, all);
      for (int n = 0; n < 6; n++) STORE_FIRST(slopes + n * size + tile * outputs + start, mask, all[n]);
    }
  }
}

/// Gradients by sequences → [6, tiles, outputs].
static void NAME(line_slopes)(const float *gradient, struct tiling t, long outputs, float *slopes) {
  if (t.step == 4)
    NAME(line_slopes_of)(gradient, t, outputs, slopes, 4);
  else
    NAME(line_slopes_of)(gradient, t, outputs, slopes, 2);
}

INLINE void NAME(line_sums_of)(const float *sums, long values, long outputs, float *weightGradient, const int taps) {
  for (long k = 0; k < values; k++)
    for (long start = 0; start < outputs; start += LANES) {
      const MASK mask = FIRST(outputs - start);
      VECTOR x[6], all[5];
      for (int n = 0; n < 6; n++) x[n] = LOAD_FIRST(sums + (n * values + k) * outputs + start, mask);
      NAME(line_sum_transform)(x, taps, all);
      for (int tap = 0; tap < taps; tap++) {
        float *place = weightGradient + (tap * values + k) * outputs + start;
        STORE_FIRST(place, mask, LOAD_FIRST(place, mask) + all[tap]);
      }
    }
}

/// Adds sums [6, values, outputs] to the weights' gradient.
static void NAME(line_sums)(const float *sums, long values, long outputs, float *weightGradient, long taps) {
  if (taps == 3)
    NAME(line_sums_of)(sums, values, outputs, weightGradient, 3);
  else
    NAME(line_sums_of)(sums, values, outputs, weightGradient, 5);
}
