// Convolutions of a training step: see drawml_layer.

// The floats of padded pictures, and of transformed tiles, that fit in a core's L2 cache.
#define PADDED 65536
#define TRANSFORMED 196608

// Aligned to cache lines: a vector across two lines takes twice the time. Scratch buffers are LINE
// floats longer for the alignment.
#define LINE 16
static float *aligned(const float *room) {
  return (float *)(((uintptr_t)room + 63) & ~(uintptr_t)63);
}
static long whole_lines(long count) { return (count + LINE - 1) / LINE * LINE; }
static long whole_panels(long count) { return (count + PANEL - 1) / PANEL * PANEL; }

static long taps_of(struct drawml_layer g) { return g.rows * g.columns; }
static long padded_line(struct drawml_layer g) { return (g.width + g.columns - 1) * g.inputs; }
static long padded_picture(struct drawml_layer g) {
  return (g.height + g.rows - 1) * padded_line(g);
}

// The number of pictures padded at a time.
static long padded_pictures(struct drawml_layer g) {
  const long pictures = PADDED / padded_picture(g);
  return pictures < 1 ? 1 : pictures;
}

// Whether the layer takes Winograd's method. The transforms of weights and of their gradients are
// written for pictures only with 3 × 3 kernels.
static int transforms(struct drawml_layer g) {
  return g.rows <= 3 &&
         drawml_winograd_saves(g.height, g.width, g.inputs, g.outputs, g.rows, g.columns);
}

static struct drawml_winograd winograd_of(
    struct drawml_layer g, const float *input, const float *output) {
  struct drawml_winograd c = {
      .height = g.height,
      .width = g.width,
      .channels = g.outputs,
      .inputs = g.inputs,
      .kernel_rows = g.rows,
      .kernel_columns = g.columns,
      .rows = g.rows == 1 ? 1 : POINTS + 1 - g.rows,
      .columns = POINTS + 1 - g.columns,
      .input = {(float *)input, g.height * g.width * g.inputs, g.width * g.inputs, g.inputs},
      .output = {(float *)output, g.height * g.width * g.outputs, g.width * g.outputs, g.outputs},
  };
  c.examples_per_round = TRANSFORMED / (points_of(&c) * tiles_of(&c) * (g.inputs + g.outputs));
  if (c.examples_per_round < 1) c.examples_per_round = 1;
  return c;
}

static long packed_count(struct drawml_layer g) {
  const struct drawml_winograd c = winograd_of(g, 0, 0);
  const long panels =
      (transforms(g) ? points_of(&c) : taps_of(g)) * g.inputs * whole_panels(g.outputs);
  // After the panels, space for the rotated weights.
  return panels + taps_of(g) * g.inputs * g.outputs + LINE;
}

static long scratch_count(struct drawml_layer g) {
  const long bias = whole_panels(g.outputs) + 2 * LINE;
  if (!transforms(g)) return bias + padded_pictures(g) * padded_picture(g);
  const struct drawml_winograd c = winograd_of(g, 0, 0);
  const long values = c.examples_per_round * tiles_of(&c) * (g.inputs + g.outputs);
  return bias + points_of(&c) * (values + 2 * DRAWML_POINT_GAP);
}

// to[c][r] = from[r][c], or += if `adding`; in blocks, so that cache lines of both are fully used.
INLINE void transpose(int adding, const float *from, long rows, long columns, float *to) {
  for (long top = 0; top < rows; top += 16)
    for (long left = 0; left < columns; left += 16)
      for (long c = left; c < columns && c < left + 16; c++)
        for (long r = top; r < rows && r < top + 16; r++)
          to[c * rows + r] = (adding ? to[c * rows + r] : 0) + from[r * columns + c];
}

// Weights [values, outputs] → panels [panel, values, outputs of a panel], padded with 0.
static void pack_panels(const float *weights, long values, long outputs, float *panels) {
  for (long start = 0; start < outputs; start += PANEL)
    for (long k = 0; k < values; k++, panels += PANEL) {
      const long width = outputs - start < PANEL ? outputs - start : PANEL;
      memcpy(panels, weights + k * outputs + start, 4 * width);
      memset(panels + width, 0, 4 * (PANEL - width));
    }
}

// Weights [rows, taps, values, outputs] → panels as in `pack_panels` for each point.
INLINE void pack_points(
    int rows, int taps, const float *weights, long values, long outputs, float *panels) {
  const long size = whole_panels(outputs) * values;
  if (outputs % PANEL) memset(panels, 0, 4 * size * (rows == 1 ? POINTS : POINTS * POINTS));
  for (long start = 0; start < outputs; start += LANES) {
    const long count = outputs - start;
    float *panel = panels + start / PANEL * PANEL * values + start % PANEL;
    for (long k = 0; k < values; k++, panel += PANEL) {
      vector lines[5][POINTS], line[5], all[POINTS];
      for (int row = 0; row < rows; row++) {
        for (int tap = 0; tap < taps; tap++)
          line[tap] =
              load_some(weights + ((row * taps + tap) * values + k) * outputs + start, count);
        transform_filter(line, taps, lines[row]);
      }
      for (int column = 0; column < POINTS; column++) {
        if (rows == 1) {
          store(lines[0][column], panel + column * size);
          continue;
        }
        for (int row = 0; row < rows; row++) line[row] = lines[row][column];
        transform_filter(line, rows, all);
        for (int row = 0; row < POINTS; row++)
          store(all[row], panel + (row * POINTS + column) * size);
      }
    }
  }
}

static void pack(const float *weights, struct drawml_layer g, int turned, float *packed) {
  packed = aligned(packed);
  if (turned) {
    const struct drawml_layer back = {g.height, g.width, g.outputs, g.inputs, g.rows, g.columns};
    const long taps = taps_of(g), size = g.inputs * g.outputs;
    float *const other = packed + packed_count(back) - LINE - taps * size;
    for (long tap = 0; tap < taps; tap++)
      transpose(0, weights + (taps - 1 - tap) * size, g.inputs, g.outputs, other + tap * size);
    weights = other;
    g = back;
  }
  if (!transforms(g))
    pack_panels(weights, taps_of(g) * g.inputs, g.outputs, packed);
  else if (g.rows == 3)
    pack_points(3, 3, weights, g.inputs, g.outputs, packed);
  else if (g.columns == 3)
    pack_points(1, 3, weights, g.inputs, g.outputs, packed);
  else
    pack_points(1, 5, weights, g.inputs, g.outputs, packed);
}

// Adds sums [points, values, outputs] to the weight gradient [rows, taps, values, outputs].
INLINE void add_points(
    int rows, int taps, const float *sums, long values, long outputs, float *gradient) {
  for (long k = 0; k < values; k++)
    for (long start = 0; start < outputs; start += LANES) {
      const long count = outputs - start;
      vector lines[POINTS][5], line[POINTS], all[5];
      for (int row = 0; row < (rows == 1 ? 1 : POINTS); row++) {
        for (int column = 0; column < POINTS; column++)
          line[column] =
              load_some(sums + ((row * POINTS + column) * values + k) * outputs + start, count);
        transform_filter_gradient(line, taps, lines[row]);
      }
      for (int tap = 0; tap < taps; tap++) {
        all[0] = lines[0][tap];
        if (rows > 1) {
          for (int row = 0; row < POINTS; row++) line[row] = lines[row][tap];
          transform_filter_gradient(line, rows, all);
        }
        for (int row = 0; row < rows; row++) {
          float *at = gradient + ((row * taps + tap) * values + k) * outputs + start;
          store_some(load_some(at, count) + all[row], at, count);
        }
      }
    }
}

// Copies pictures with zero padding.
static void pad(const float *input, long count, struct drawml_layer g, float *padded) {
  const long width = g.width * g.inputs, left = g.columns / 2 * g.inputs, line = padded_line(g);
  const long above = g.rows / 2 * line;
  for (long example = 0; example < count; example++) {
    memset(padded, 0, 4 * above);
    padded += above;
    for (long row = 0; row < g.height; row++, input += width, padded += line) {
      memset(padded, 0, 4 * left);
      memcpy(padded + left, input, 4 * width);
      memset(padded + left + width, 0, 4 * left);
    }
    memset(padded, 0, 4 * above);
    padded += above;
  }
}

// The bias, or zeros, padded to whole panels at the start of `room`; advances `room` past it.
static float *fill_up(const float *bias, struct drawml_layer g, float **room) {
  float *const filled = aligned(*room);
  memset(filled, 0, 4 * whole_panels(g.outputs));
  if (bias) memcpy(filled, bias, 4 * g.outputs);
  *room = filled + whole_lines(whole_panels(g.outputs));
  return filled;
}

// With a 1 × 1 kernel, all pixels form one row, which needs no padding.
static struct drawml_layer flattened(struct drawml_layer g, long *count) {
  if (taps_of(g) > 1) return g;
  g.width *= g.height * *count;
  g.height = *count = 1;
  return g;
}

static void convolve_layer(
    const float *input, long count, struct drawml_layer g, const float *packed, const float *bias,
    float *room, float *output) {
  float *const filled = fill_up(bias, g, &room);
  packed = aligned(packed);
  if (transforms(g)) {
    struct drawml_winograd c = winograd_of(g, input, output);
    c.examples = count;
    c.weights = packed;
    c.bias = filled;
    c.scratch = room;
    convolve_winograd(&c);
    return;
  }
  g = flattened(g, &count);
  const int pads = taps_of(g) > 1;
  const long portion = pads ? padded_pictures(g) : count;
  for (long first = 0; first < count; first += portion) {
    const long examples = count - first < portion ? count - first : portion;
    const float *source = input + first * g.height * g.width * g.inputs;
    if (pads) pad(source, examples, g, room);
    const struct drawml_convolution c = {
        .examples = examples,
        .height = g.height,
        .width = g.width,
        .channels = g.outputs,
        .first = {
            pads ? room : source, padded_picture(g), padded_line(g), g.inputs, g.rows,
            g.columns * g.inputs},
        .weights = packed,
        .bias = filled,
        .output = {
            output + first * g.height * g.width * g.outputs, g.height * g.width * g.outputs,
            g.width * g.outputs, g.outputs},
    };
    convolve(&c);
  }
}

static void add_winograd_gradient(
    const struct drawml_winograd *c, float *room, float *sums, float *weight_gradient) {
  const long points = points_of(c), across = tiles_across(c), tiles = tiles_of(c);
  void (*const transform_one)(const struct drawml_winograd *, float *, long, long, long, long) =
      FOR_SIZES(transform_output_gradient, c);
  memset(sums, 0, 4 * points * c->inputs * c->channels);
  for (long begin = 0; begin < c->examples; begin += c->examples_per_round) {
    const long left = c->examples - begin;
    const long examples = left < c->examples_per_round ? left : c->examples_per_round;
    const long count = examples * tiles;
    const long value_step = point_step(count * c->inputs),
               gradient_step = point_step(count * c->channels);
    float *const values = room, *const gradients = room + points * value_step;
    transform_input_tiles(c, begin, count, values, value_step);
    for (long number = 0; number < count; number++) {
      const long tile = number % tiles;
      transform_one(
          c, gradients + number * c->channels, gradient_step, begin + number / tiles,
          tile / across * c->rows, tile % across * c->columns);
    }
    for (long point = 0; point < points; point++)
      sum_row(
          (struct pixel_sums){
              values + point * value_step, c->inputs, 0, gradients + point * gradient_step,
              c->channels, 1, count, sums + point * c->inputs * c->channels},
          c->inputs);
  }
  if (c->rows > 1)
    add_points(3, 3, sums, c->inputs, c->channels, weight_gradient);
  else if (c->kernel_columns == 3)
    add_points(1, 3, sums, c->inputs, c->channels, weight_gradient);
  else
    add_points(1, 5, sums, c->inputs, c->channels, weight_gradient);
}

static void add_weight_gradient(
    const float *input, long count, struct drawml_layer g, const float *gradient, float *room,
    float *sums, float *weight_gradient) {
  room = aligned(room);
  if (transforms(g)) {
    struct drawml_winograd c = winograd_of(g, input, gradient);
    c.examples = count;
    add_winograd_gradient(&c, room, aligned(sums), weight_gradient);
    return;
  }
  g = flattened(g, &count);
  const int pads = taps_of(g) > 1;
  const long portion = pads ? padded_pictures(g) : count, values = g.columns * g.inputs;
  for (long first = 0; first < count; first += portion) {
    const long examples = count - first < portion ? count - first : portion;
    const float *source = input + first * g.height * g.width * g.inputs;
    const float *slopes = gradient + first * g.height * g.width * g.outputs;
    if (pads) pad(source, examples, g, room);
    for (long row = 0; row < g.rows; row++) {
      struct pixel_sums s = {
          (pads ? room : source) + row * padded_line(g), g.inputs, padded_line(g), slopes,
          g.outputs, g.height, g.width, weight_gradient + row * values * g.outputs};
      if (g.height == 1) {
        // Pictures of one row are processed as the rows of one picture.
        s.line = padded_picture(g);
        s.rows = examples;
        sum_row(s, values);
        continue;
      }
      for (long example = 0; example < examples; example++) {
        sum_row(s, values);
        s.input += padded_picture(g);
        s.gradient += g.height * g.width * g.outputs;
      }
    }
  }
}
