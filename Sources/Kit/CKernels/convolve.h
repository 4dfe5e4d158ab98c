// Direct convolution: see drawml_convolution.

// F for each number.
#define UP_TO_6(F) F(1) F(2) F(3) F(4) F(5) F(6)
#define UP_TO_12(F) UP_TO_6(F) F(7) F(8) F(9) F(10) F(11) F(12)

// Unrolled, so that each sum stays in a register.
#define EACH_PIXEL _Pragma("clang loop unroll(full)") for (int i = 0; i < pixels; i++)

// The start of a tile (a few adjacent pixels × the channels of a panel) in each buffer, and the
// pixel steps of its addend and output.
struct place {
  const float *first, *second, *weights, *bias, *addend;
  float *output;
  long addend_step, output_step;
};

// `vectors` is 2 for a whole panel, 1 if only its first half is used.
INLINE const float *add_products(
    int pixels, int vectors, const struct drawml_patches *patches, const float *values,
    const float *weights, vector *a, vector *b) {
  const long step = patches->pixel;
  for (long row = 0; row < patches->kernel_rows; row++) {
    const float *x = values + row * patches->row;
    for (const float *end = weights + patches->run * PANEL; weights < end; weights += PANEL, x++) {
      const vector w0 = load(weights), w1 = load(weights + LANES);
      EACH_PIXEL {
        const float value = x[i * step];
        a[i] += value * w0;
        if (vectors > 1) b[i] += value * w1;
      }
    }
  }
  return weights;
}

INLINE void tile(
    int pixels, int vectors, const struct drawml_convolution *c, const struct place *at) {
  vector a[MAX_PIXELS], b[MAX_PIXELS];
  vector first = {0}, second = {0};
  if (at->bias) {
    first = load(at->bias);
    second = load(at->bias + LANES);
  }
  EACH_PIXEL {
    a[i] = first;
    b[i] = second;
  }
  const float *weights = add_products(pixels, vectors, &c->first, at->first, at->weights, a, b);
  add_products(pixels, vectors, &c->second, at->second, weights, a, b);
  if (at->addend) {
    const float *addend = at->addend;
    const long step = at->addend_step;
    EACH_PIXEL {
      a[i] += load(addend + i * step);
      if (vectors > 1) b[i] += load(addend + i * step + LANES);
    }
  }
  if (c->rectifies) {
    EACH_PIXEL {
      a[i] = rectified(a[i]);
      b[i] = rectified(b[i]);
    }
  }
  float *output = at->output;
  const long step = at->output_step;
  EACH_PIXEL {
    store(a[i], output + i * step);
    if (vectors > 1) store(b[i], output + i * step + LANES);
  }
}

#define TILE(n)                                                                           \
  static void tile_##n(const struct drawml_convolution *c, const struct place *at) {      \
    tile(n, 2, c, at);                                                                    \
  }                                                                                       \
  static void half_tile_##n(const struct drawml_convolution *c, const struct place *at) { \
    tile(n, 1, c, at);                                                                    \
  }
#if MAX_PIXELS > 6
#define EACH_WIDTH(F) UP_TO_12(F) F(13) F(14)
#else
#define EACH_WIDTH(F) UP_TO_6(F)
#endif
EACH_WIDTH(TILE)

#define TILE_ENTRY(n) tile_##n,
#define HALF_TILE_ENTRY(n) half_tile_##n,
typedef void (*tile_function)(const struct drawml_convolution *, const struct place *);
static const tile_function tiles[] = {EACH_WIDTH(TILE_ENTRY)};
static const tile_function half_tiles[] = {EACH_WIDTH(HALF_TILE_ENTRY)};

// A tile of the last, incomplete panel: the padding channels stay in local buffers.
static void partial_tile(
    const struct drawml_convolution *c, struct place at, long pixels, long channels) {
  float addend[MAX_PIXELS * PANEL] = {0}, output[MAX_PIXELS * PANEL];
  float *target = at.output;
  if (at.addend) {
    for (long i = 0; i < pixels; i++)
      memcpy(addend + i * PANEL, at.addend + i * at.addend_step, 4 * channels);
    at.addend = addend;
  }
  const long step = at.output_step;
  at.output = output;
  at.addend_step = at.output_step = PANEL;
  (channels > LANES ? tiles : half_tiles)[pixels - 1](c, &at);
  for (long i = 0; i < pixels; i++, target += step) {
    store_some(load(output + i * PANEL), target, channels);
    if (channels > LANES)
      store_first(load(output + i * PANEL + LANES), target + LANES, channels - LANES);
  }
}

static void convolve(const struct drawml_convolution *c) {
  if (c->width <= 0) return;
  // Use the fewest tiles per row; widths differ by at most one pixel.
  const long across = (c->width + MAX_PIXELS - 1) / MAX_PIXELS, least = c->width / across,
             wider = c->width % across;
  const long panel =
      PANEL * (c->first.kernel_rows * c->first.run + c->second.kernel_rows * c->second.run);
  struct place at = {
      .weights = c->weights,
      .bias = c->bias,
      .addend_step = c->addend.pixel,
      .output_step = c->output.pixel};
  for (long channel = 0; channel < c->channels; channel += PANEL) {
    for (long example = 0; example < c->examples; example++)
      for (long y = 0; y < c->height; y++)
        for (long number = 0; number < across; number++) {
          const long pixels = least + (number < wider),
                     x = number * least + (number < wider ? number : wider);
          at.first =
              c->first.values + example * c->first.example + y * c->first.row + x * c->first.pixel;
          if (c->second.kernel_rows)
            at.second = c->second.values + example * c->second.example + y * c->second.row +
                        x * c->second.pixel;
          if (c->addend.values)
            at.addend = c->addend.values + example * c->addend.example + y * c->addend.row +
                        x * c->addend.pixel + channel;
          at.output = c->output.values + example * c->output.example + y * c->output.row +
                      x * c->output.pixel + channel;
          if (c->channels - channel >= PANEL)
            tiles[pixels - 1](c, &at);
          else if (c->channels - channel == LANES)
            half_tiles[pixels - 1](c, &at);
          else
            partial_tile(c, at, pixels, c->channels - channel);
        }
    at.weights += panel;
    if (at.bias) at.bias += PANEL;
  }
}
