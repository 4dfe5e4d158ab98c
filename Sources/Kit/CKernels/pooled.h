// Fused convolution, rectifier and 2 × 2 max pooling: only pixels that are the greatest of their
// four and above 0 have a gradient, so the backward pass skips the others.

// The mark for four pixels that are all at most 0.
#define NONE 4
// The maximum number of outputs of such a convolution.
#define MOST_OUTPUTS 256

typedef uint8_t marks_vector __attribute__((vector_size(LANES), aligned(1)));

// A gradient and its position.
struct slope {
  int32_t place;
  float value;
};

static int pools(struct drawml_layer g, int wants_input_gradient) {
  const int many = g.inputs == 16 || g.inputs == 32 || g.inputs == 48 || g.inputs == 64;
  return g.rows == 3 && g.columns == 3 && g.outputs % 16 == 0 && g.outputs <= MOST_OUTPUTS &&
         g.height >= 2 && g.width >= 2 && (many || (g.inputs == 1 && !wants_input_gradient));
}

static long pool_scratch_count(struct drawml_layer g) {
  const long patch = taps_of(g) * g.inputs, pixels = (g.height / 2) * (g.width / 2);
  const long forward = (patch + 1) * whole_panels(g.outputs) + 4 * (g.width / 2) * PANEL;
  const long back = 2 * patch * g.outputs + padded_picture(g) + 2 * pixels * g.outputs;
  return padded_pictures(g) * padded_picture(g) + (forward > back ? forward : back) + 5 * LINE;
}

// The maximum of 2 × 2 pixels of two rows, at least 0, and its index.
INLINE void pool_rows(
    const float *top, const float *bottom, long pixels, int vectors, float *output, uint8_t *marks,
    long outputs) {
  for (long pixel = 0; pixel < pixels; pixel++) {
    EACH(v, vectors) {
      const long place = 2 * pixel * PANEL + v * LANES;
      const vector values[4] = {
          load(top + place), load(top + place + PANEL), load(bottom + place),
          load(bottom + place + PANEL)};
      vector best = values[0], zero = {0};
      mask mark = {0};
      EACH(tap, 4) {
        // Strict comparison: among equal values the first is marked, and a NaN in the first place
        // stays.
        const mask greater = (mask)(values[tap] > best);
        best = (vector)((greater & (mask)values[tap]) | (~greater & (mask)best));
        mark = (greater & tap) | (~greater & mark);
      }
      const mask positive = (mask)(best > zero);
      store(rectified(best), output + pixel * outputs + v * LANES);
      *(marks_vector *)(marks + pixel * outputs + v * LANES) =
          __builtin_convertvector((positive & mark) | (~positive & NONE), marks_vector);
    }
  }
}

static void convolve_pool(
    const float *input, long count, struct drawml_layer g, const float *weights, const float *bias,
    float *room, float *output, uint8_t *marks) {
  const long portion = padded_pictures(g), down = g.height / 2, across = g.width / 2;
  const long panel = PANEL * taps_of(g) * g.inputs, size = 2 * across * PANEL;
  const float *const filled = fill_up(bias, g, &room);
  float *const packed = room, *const rows =
                                  packed + whole_lines(panel * ((g.outputs + PANEL - 1) / PANEL));
  float *const padded = rows + whole_lines(2 * size);
  pack_panels(weights, taps_of(g) * g.inputs, g.outputs, packed);
  for (long first = 0; first < count; first += portion) {
    const long examples = count - first < portion ? count - first : portion;
    pad(input + first * g.height * g.width * g.inputs, examples, g, padded);
    for (long start = 0; start < g.outputs; start += PANEL) {
      struct drawml_convolution c = {
          .examples = 1,
          .height = 2,
          .width = 2 * across,
          .channels = g.outputs - start < PANEL ? g.outputs - start : PANEL,
          .first = {0, 0, padded_line(g), g.inputs, g.rows, g.columns * g.inputs},
          .weights = packed + start / PANEL * panel,
          .bias = filled + start,
          .output = {rows, 0, size, PANEL},
      };
      for (long row = 0; row < examples * down; row++) {
        const long place = ((first * down + row) * across) * g.outputs + start;
        c.first.values = padded + row / down * padded_picture(g) + row % down * 2 * padded_line(g);
        convolve(&c);
        if (g.outputs - start >= PANEL)
          pool_rows(rows, rows + size, across, 2, output + place, marks + place, g.outputs);
        else
          pool_rows(rows, rows + size, across, 1, output + place, marks + place, g.outputs);
      }
    }
  }
}

// The gradient with respect to the weights of one input, for one picture: all nine sums of a vector
// of outputs at a time.
static void pooled_gradient_single(
    const float *padded, struct drawml_layer g, const float *gradient, const uint8_t *marks,
    float *weight_gradient, float *bias_gradient) {
  const long line = padded_line(g), down = g.height / 2, across = g.width / 2;
  for (long start = 0; start < g.outputs; start += LANES) {
    vector sums[9], all = load(bias_gradient + start);
    EACH(tap, 9) sums[tap] = load(weight_gradient + tap * g.outputs + start);
    for (long row = 0; row < down; row++)
      for (long column = 0; column < across; column++) {
        const long place = (row * across + column) * g.outputs + start;
        const float *corner = padded + 2 * row * line + 2 * column;
        const vector slopes = load(gradient + place);
        const mask marked = __builtin_convertvector(*(const marks_vector *)(marks + place), mask);
        EACH(mark, 4) {
          const vector slope = (vector)((mask)slopes & (mask)(marked == mark));
          all += slope;
          EACH(tap, 9)
          sums[tap] += corner[(mark / 2 + tap / 3) * line + mark % 2 + tap % 3] * slope;
        }
      }
    store(all, bias_gradient + start);
    EACH(tap, 9) store(sums[tap], weight_gradient + tap * g.outputs + start);
  }
}

// target += Σ slope · values, in `rows` rows of `vectors` vectors; the values of a slope begin at
// its place times `step`.
INLINE void add_slopes(
    int rows, int vectors, const struct slope *slopes, long count, const float *values, long step,
    long line, float *target, long target_line) {
  vector sums[rows][vectors];
  EACH(r, rows) EACH(v, vectors) sums[r][v] = load(target + r * target_line + v * LANES);
  for (long n = 0; n < count; n++) {
    const float slope = slopes[n].value, *x = values + slopes[n].place * step;
    EACH(r, rows) EACH(v, vectors) sums[r][v] += slope * load(x + r * line + v * LANES);
  }
  EACH(r, rows) EACH(v, vectors) store(sums[r][v], target + r * target_line + v * LANES);
}

// A bit for each of the first `count` bytes, at most 64, that equals `mark`.
static uint64_t bits_of(const uint8_t *marks, long count, int mark) {
  typedef uint8_t sixteen __attribute__((ext_vector_type(16), aligned(1)));
  typedef _Bool bits __attribute__((ext_vector_type(16)));
  uint64_t found = 0;
  for (long some = 0; some < count && some < 64; some += 16) {
    const sixteen values = *(const sixteen *)(marks + some);
    const bits equal = __builtin_convertvector(values == (sixteen)((uint8_t)mark), bits);
    uint16_t word;
    memcpy(&word, &equal, 2);
    found |= (uint64_t)word << some;
  }
  return found;
}

// Both gradients for one picture, `rows` rows of `vectors` vectors under the kernel at a time.
INLINE void pooled_gradient(
    int inputs, int rows, int vectors, const float *padded, struct drawml_layer g,
    const float *weights, const float *gradient, const uint8_t *marks, struct slope *lists,
    float *weight_gradient, float *bias_gradient, float *padded_gradient) {
  const long line = padded_line(g), values = 3 * inputs, patch = 9 * inputs;
  const long down = g.height / 2, across = g.width / 2, room = down * across;
  // The number of pixels at which each output has a gradient; `lists` holds their positions.
  int counts[MOST_OUTPUTS] = {0};
  struct slope here[MOST_OUTPUTS];
  for (long row = 0; row < down; row++)
    for (long column = 0; column < across; column++)
      for (int mark = 0; mark < 4; mark++) {
        const long place = (row * across + column) * g.outputs;
        const long corner = (2 * row + mark / 2) * line + (2 * column + mark % 2) * inputs;
        long found = 0;
        for (long start = 0; start < g.outputs; start += 64) {
          // Many marks at a time, because the loop's exit is hard to predict.
          uint64_t bits = bits_of(marks + place + start, g.outputs - start, mark);
          for (; bits; bits &= bits - 1) {
            const long output = start + __builtin_ctzll(bits);
            const float slope = gradient[place + output];
            here[found++] = (struct slope){(int32_t)output, slope};
            lists[output * room + counts[output]++] = (struct slope){(int32_t)corner, slope};
          }
        }
        if (found && padded_gradient)
          for (int r = 0; r < 3; r += rows)
            for (int v = 0; v < 3 * inputs / LANES; v += vectors)
              add_slopes(
                  rows, vectors, here, found, weights + r * values + v * LANES, patch, values,
                  padded_gradient + corner + r * line + v * LANES, line);
      }
  for (long output = 0; output < g.outputs; output++) {
    const struct slope *slopes = lists + output * room;
    float sum = 0;
    for (long n = 0; n < counts[output]; n++) sum += slopes[n].value;
    bias_gradient[output] += sum;
    for (int r = 0; r < 3; r += rows)
      for (int v = 0; v < 3 * inputs / LANES; v += vectors)
        add_slopes(
            rows, vectors, slopes, counts[output], padded + r * line + v * LANES, 1, line,
            weight_gradient + output * patch + r * values + v * LANES, values);
  }
}

#define MANY(inputs, rows, vectors)                                                            \
  static void pooled_gradient_##inputs(                                                        \
      const float *padded, struct drawml_layer g, const float *weights, const float *gradient, \
      const uint8_t *marks, struct slope *lists, float *weight_gradient, float *bias_gradient, \
      float *padded_gradient) {                                                                \
    pooled_gradient(                                                                           \
        inputs, rows, vectors, padded, g, weights, gradient, marks, lists, weight_gradient,    \
        bias_gradient, padded_gradient);                                                       \
  }
#if LANES == 16
MANY(16, 3, 3)
MANY(32, 3, 6)
MANY(48, 3, 9)
MANY(64, 1, 12)
#else
MANY(16, 1, 6)
MANY(32, 1, 12)
MANY(48, 1, 9)
MANY(64, 1, 12)
#endif

static void convolve_pool_gradient(
    const float *input, long count, struct drawml_layer g, const float *weights,
    const float *gradient, const uint8_t *marks, float *room, float *weight_gradient,
    float *bias_gradient, float *input_gradient) {
  const long inputs = g.height * g.width * g.inputs,
             outputs = (g.height / 2) * (g.width / 2) * g.outputs;
  const long patch = taps_of(g) * g.inputs, line = padded_line(g),
             inside = g.rows / 2 * line + g.columns / 2 * g.inputs;
  void (*const many)(
      const float *, struct drawml_layer, const float *, const float *, const uint8_t *,
      struct slope *, float *, float *, float *) =
      g.inputs == 16   ? pooled_gradient_16
      : g.inputs == 32 ? pooled_gradient_32
      : g.inputs == 48 ? pooled_gradient_48
                       : pooled_gradient_64;
  float *const padded = aligned(room), *const back = padded + whole_lines(padded_picture(g));
  float *const turned = back + whole_lines(padded_picture(g));
  float *const turned_gradient = turned + patch * g.outputs;
  struct slope *const lists = (struct slope *)(turned_gradient + patch * g.outputs);
  if (g.inputs > 1) {
    // Outputs first, so that the weights of each are contiguous.
    transpose(0, weights, patch, g.outputs, turned);
    memset(turned_gradient, 0, 4 * patch * g.outputs);
  }
  for (long example = 0; example < count; example++, gradient += outputs, marks += outputs) {
    pad(input + example * inputs, 1, g, padded);
    if (g.inputs == 1) {
      pooled_gradient_single(padded, g, gradient, marks, weight_gradient, bias_gradient);
      continue;
    }
    if (input_gradient) memset(back, 0, 4 * padded_picture(g));
    many(
        padded, g, turned, gradient, marks, lists, turned_gradient, bias_gradient,
        input_gradient ? back : 0);
    if (input_gradient)
      for (long row = 0; row < g.height; row++)
        memcpy(
            input_gradient + example * inputs + row * g.width * g.inputs,
            back + inside + row * line, 4 * g.width * g.inputs);
  }
  if (g.inputs > 1) transpose(1, turned_gradient, g.outputs, patch, weight_gradient);
}
