// Convolution by Winograd's method: see drawml_winograd. In the notation of Lavin and Gray (2016,
// arXiv 1509.09308), outputs are Aᵀ[(G g Gᵀ) ⊙ (Bᵀ d B)]A: `transform_input` is Bᵀ,
// `transform_filter` G, and `transform_output` Aᵀ.

#define POINTS DRAWML_POINTS

// Six adjacent values are the coefficients of a polynomial; the transform gives its scaled values
// at 0, 2/3, -2/3, 3/2, -3/2 and infinity (Winograd 1980, Lavin and Gray 2016, arXiv 1509.09308).
// These points have a smaller rounding error than the usual 0, 1, -1, 2, -2 (Barabasz et al. 2020,
// doi:10.1145/3412380): they are reciprocal, with product 1.
#define A (2.f / 3)
#define B (3.f / 2)
#define SQUARES (A * A + B * B)

INLINE void transform_input(const vector x[POINTS], vector y[POINTS]) {
  const vector evenA = x[4] - B * B * x[2], oddA = A * x[3] - B * x[1];
  const vector evenB = x[4] - A * A * x[2], oddB = B * x[3] - A * x[1];
  y[0] = x[0] + (x[4] - SQUARES * x[2]);
  y[1] = evenA + oddA;
  y[2] = evenA - oddA;
  y[3] = evenB + oddB;
  y[4] = evenB - oddB;
  y[5] = x[1] + (x[5] - SQUARES * x[3]);
}

// From products at the points to `outputs` adjacent outputs.
INLINE void transform_output(const vector x[POINTS], int outputs, vector y[]) {
  const vector evenA = x[1] + x[2], oddA = x[1] - x[2], evenB = x[3] + x[4], oddB = x[3] - x[4];
  y[0] = x[0] + (evenA + evenB);
  y[1] = A * oddA + B * oddB;
  if (outputs == 2) {
    y[1] += x[5];
    return;
  }
  y[2] = A * A * evenA + B * B * evenB;
  y[3] = A * A * A * oddA + (B * B * B * oddB + x[5]);
}

// The transpose of `transform_output`: from the gradients of adjacent outputs to those of the
// products.
INLINE void transform_output_gradient(const vector x[], int outputs, vector y[POINTS]) {
  vector evenA = x[0], evenB = x[0], oddA = A * x[1], oddB = B * x[1];
  if (outputs == 4) {
    evenA += A * A * x[2];
    evenB += B * B * x[2];
    oddA += A * A * A * x[3];
    oddB += B * B * B * x[3];
  }
  y[0] = x[0];
  y[1] = evenA + oddA;
  y[2] = evenA - oddA;
  y[3] = evenB + oddB;
  y[4] = evenB - oddB;
  y[5] = x[outputs - 1];
}

// The products of the distances of A, and of B, from the other points; for point 0 it is 1.
#define NEAR (2 * A * A * (A * A - B * B))
#define FAR (2 * B * B * (B * B - A * A))

// From 3 or 5 weights, also coefficients of a polynomial, to its values at the points divided by
// those products.
INLINE void transform_filter(const vector x[], int taps, vector y[POINTS]) {
  vector evenA = x[0] + A * A * x[2], evenB = x[0] + B * B * x[2], oddA = A * x[1], oddB = B * x[1];
  if (taps == 5) {
    evenA += A * A * A * A * x[4];
    evenB += B * B * B * B * x[4];
    oddA += A * A * A * x[3];
    oddB += B * B * B * x[3];
  }
  y[0] = x[0];
  y[1] = (evenA + oddA) * (1 / NEAR);
  y[2] = (evenA - oddA) * (1 / NEAR);
  y[3] = (evenB + oddB) * (1 / FAR);
  y[4] = (evenB - oddB) * (1 / FAR);
  y[5] = x[taps - 1];
}

// The transpose of `transform_filter`.
INLINE void transform_filter_gradient(const vector x[POINTS], int taps, vector y[]) {
  const vector evenA = (x[1] + x[2]) * (1 / NEAR), oddA = (x[1] - x[2]) * (1 / NEAR);
  const vector evenB = (x[3] + x[4]) * (1 / FAR), oddB = (x[3] - x[4]) * (1 / FAR);
  y[0] = x[0] + (evenA + evenB);
  y[1] = A * oddA + B * oddB;
  y[2] = A * A * evenA + B * B * evenB;
  if (taps == 5) {
    y[3] = A * A * A * oddA + B * B * B * oddB;
    y[4] = A * A * A * A * evenA + B * B * B * B * evenB;
  }
  y[taps - 1] += x[5];
}

#undef A
#undef B
#undef SQUARES
#undef NEAR
#undef FAR

// The position of a tile's first value, and the part of the tile inside the picture.
struct window {
  long top, left, first_row, last_row, first_column, last_column;
};

INLINE struct window window(const struct drawml_winograd *c, long down, long across) {
  struct window w = {
      .top = down * c->rows - c->kernel_rows / 2,
      .left = across * c->columns - c->kernel_columns / 2,
  };
  const long rows = c->rows == 1 ? 1 : POINTS;
  w.first_row = w.top < 0 ? -w.top : 0;
  w.first_column = w.left < 0 ? -w.left : 0;
  w.last_row = c->height - w.top < rows ? c->height - w.top : rows;
  w.last_column = c->width - w.left < POINTS ? c->width - w.left : POINTS;
  return w;
}

INLINE int is_inside(const struct window *w, long rows) {
  return w->first_row == 0 && w->first_column == 0 && w->last_row == rows &&
         w->last_column == POINTS;
}

// `row` is the start of the picture's row; `inside`: the whole tile is inside the picture.
INLINE void transform_input_row(
    int inside, const float *row, long step, long count, const struct window *w,
    vector out[POINTS]) {
  vector x[POINTS];
  for (int i = 0; i < POINTS; i++) {
    x[i] = (vector){0};
    if (inside || (i >= w->first_column && i < w->last_column))
      x[i] = load_some(row + (w->left + i) * step, count);
  }
  transform_input(x, out);
}

// The values of one tile at all points, `step` floats apart. `is_picture`: it has several rows;
// `whole`: the channels fill whole vectors.
INLINE void transform_input_tile(
    int is_picture, int whole, int inside, const struct drawml_winograd *c, const float *picture,
    const struct window *w, float *out, long step) {
  for (long channel = 0; channel < c->inputs; channel += LANES) {
    const long count = whole ? LANES : c->inputs - channel;
    vector x[POINTS][POINTS], y[POINTS];
    if (!is_picture) {
      transform_input_row(inside, picture + channel, c->input.pixel, count, w, y);
      for (int i = 0; i < POINTS; i++) store_some(y[i], out + i * step + channel, count);
      continue;
    }
    for (int row = 0; row < POINTS; row++) {
      if (inside || (row >= w->first_row && row < w->last_row))
        transform_input_row(
            inside, picture + (w->top + row) * c->input.row + channel, c->input.pixel, count, w,
            x[row]);
      else
        memset(x[row], 0, sizeof x[row]);
    }
    for (int column = 0; column < POINTS; column++) {
      vector line[POINTS];
      for (int row = 0; row < POINTS; row++) line[row] = x[row][column];
      transform_input(line, y);
      for (int row = 0; row < POINTS; row++)
        store_some(y[row], out + (row * POINTS + column) * step + channel, count);
    }
  }
}

// The pixels of one tile from the products at all points. `whole`: the channels fill whole vectors;
// `inside`: all of the tile's pixels are inside the picture.
INLINE void transform_output_tile(
    int rows, int columns, int whole, int inside, const struct drawml_winograd *c,
    const float *products, long step, long example, long y, long x) {
  const long height = inside || c->height - y > rows ? rows : c->height - y;
  const long width = inside || c->width - x > columns ? columns : c->width - x;
  float *output =
      c->output.values + example * c->output.example + y * c->output.row + x * c->output.pixel;
  const float *addend = c->addend.values;
  if (addend) addend += example * c->addend.example + y * c->addend.row + x * c->addend.pixel;
  for (long channel = 0; channel < c->channels; channel += LANES) {
    const long count = whole ? LANES : c->channels - channel;
    vector lines[4][POINTS], line[POINTS], sums[4];
    for (int column = 0; column < POINTS; column++) {
      if (rows == 1) {
        lines[0][column] = load_some(products + column * step + channel, count);
        continue;
      }
      for (int row = 0; row < POINTS; row++)
        line[row] = load_some(products + (row * POINTS + column) * step + channel, count);
      transform_output(line, rows, sums);
      for (int row = 0; row < rows; row++) lines[row][column] = sums[row];
    }
    const vector bias = load(c->bias + channel);
    for (int row = 0; row < rows; row++) {
      if (row >= height) break;
      transform_output(lines[row], columns, sums);
      for (int i = 0; i < columns; i++) {
        if (i >= width) break;
        vector value = sums[i] + bias;
        if (addend)
          value += load_some(addend + row * c->addend.row + i * c->addend.pixel + channel, count);
        if (c->rectifies) value = rectified(value);
        store_some(value, output + row * c->output.row + i * c->output.pixel + channel, count);
      }
    }
  }
}

// The gradients of one tile at all points; `whole` and `inside` as in `transform_output_tile`.
INLINE void transform_output_gradient_tile(
    int rows, int columns, int whole, int inside, const struct drawml_winograd *c, float *gradients,
    long step, long example, long y, long x) {
  const long height = inside || c->height - y > rows ? rows : c->height - y;
  const long width = inside || c->width - x > columns ? columns : c->width - x;
  const float *gradient =
      c->output.values + example * c->output.example + y * c->output.row + x * c->output.pixel;
  for (long channel = 0; channel < c->channels; channel += LANES) {
    const long count = whole ? LANES : c->channels - channel;
    vector lines[4][POINTS], line[4], all[POINTS];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < columns; i++) {
        line[i] = (vector){0};
        if (row < height && i < width)
          line[i] =
              load_some(gradient + row * c->output.row + i * c->output.pixel + channel, count);
      }
      transform_output_gradient(line, columns, lines[row]);
    }
    for (int column = 0; column < POINTS; column++) {
      if (rows == 1) {
        store_some(lines[0][column], gradients + column * step + channel, count);
        continue;
      }
      for (int row = 0; row < rows; row++) line[row] = lines[row][column];
      transform_output_gradient(line, rows, all);
      for (int row = 0; row < POINTS; row++)
        store_some(all[row], gradients + (row * POINTS + column) * step + channel, count);
    }
  }
}

// Constant sizes, so that each vector is a register, with no bounds checks for whole tiles.
#define SIZES(rows_, columns_)                                                                   \
  static void transform_input_##rows_##columns_(                                                 \
      const struct drawml_winograd *c, const float *picture, const struct window *w, float *out, \
      long step) {                                                                               \
    if (c->inputs % LANES)                                                                       \
      transform_input_tile(rows_ > 1, 0, 0, c, picture, w, out, step);                           \
    else if (is_inside(w, rows_ > 1 ? POINTS : 1))                                               \
      transform_input_tile(rows_ > 1, 1, 1, c, picture, w, out, step);                           \
    else                                                                                         \
      transform_input_tile(rows_ > 1, 1, 0, c, picture, w, out, step);                           \
  }                                                                                              \
  static void transform_output_##rows_##columns_(                                                \
      const struct drawml_winograd *c, const float *products, long step, long example, long y,   \
      long x) {                                                                                  \
    if (c->channels % LANES)                                                                     \
      transform_output_tile(rows_, columns_, 0, 0, c, products, step, example, y, x);            \
    else if (c->height - y >= rows_ && c->width - x >= columns_)                                 \
      transform_output_tile(rows_, columns_, 1, 1, c, products, step, example, y, x);            \
    else                                                                                         \
      transform_output_tile(rows_, columns_, 1, 0, c, products, step, example, y, x);            \
  }                                                                                              \
  static void transform_output_gradient_##rows_##columns_(                                       \
      const struct drawml_winograd *c, float *gradients, long step, long example, long y,        \
      long x) {                                                                                  \
    if (c->channels % LANES)                                                                     \
      transform_output_gradient_tile(rows_, columns_, 0, 0, c, gradients, step, example, y, x);  \
    else if (c->height - y >= rows_ && c->width - x >= columns_)                                 \
      transform_output_gradient_tile(rows_, columns_, 1, 1, c, gradients, step, example, y, x);  \
    else                                                                                         \
      transform_output_gradient_tile(rows_, columns_, 1, 0, c, gradients, step, example, y, x);  \
  }
SIZES(1, 4)
SIZES(1, 2)
SIZES(4, 4)
SIZES(2, 2)

// The step from the values of one point to those of the next: an odd number of cache lines, so that
// they do not map to the same few cache sets. At most DRAWML_POINT_GAP more than `count`.
static long point_step(long count) { return ((count + 15) / 16 | 1) * 16; }

#define FOR_SIZES(f, c)                                  \
  ((c)->rows == 1   ? ((c)->columns == 4 ? f##_14 : f##_12) \
   : (c)->rows == 4 ? f##_44                             \
                    : f##_22)

static long points_of(const struct drawml_winograd *c) {
  return c->rows == 1 ? POINTS : POINTS * POINTS;
}
static long tiles_across(const struct drawml_winograd *c) {
  return (c->width + c->columns - 1) / c->columns;
}
static long tiles_of(const struct drawml_winograd *c) {
  return (c->height + c->rows - 1) / c->rows * tiles_across(c);
}

// The values of `count` tiles at all points, from the first tile of example `begin` on.
static void transform_input_tiles(
    const struct drawml_winograd *c, long begin, long count, float *values, long step) {
  const long across = tiles_across(c), tiles = tiles_of(c);
  void (*const transform_one)(
      const struct drawml_winograd *, const float *, const struct window *, float *, long) =
      FOR_SIZES(transform_input, c);
  for (long number = 0; number < count; number++) {
    const long tile = number % tiles;
    const struct window w = window(c, tile / across, tile % across);
    transform_one(
        c, c->input.values + (begin + number / tiles) * c->input.example, &w,
        values + number * c->inputs, step);
  }
}

static void convolve_winograd(const struct drawml_winograd *c) {
  const long points = points_of(c), across = tiles_across(c), tiles = tiles_of(c);
  const long panels = (c->channels + PANEL - 1) / PANEL;
  void (*const transform_one)(
      const struct drawml_winograd *, const float *, long, long, long, long) =
      FOR_SIZES(transform_output, c);
  for (long begin = 0; begin < c->examples; begin += c->examples_per_round) {
    const long left = c->examples - begin;
    const long examples = left < c->examples_per_round ? left : c->examples_per_round;
    const long count = examples * tiles;
    const long value_step = point_step(count * c->inputs),
               product_step = point_step(count * c->channels);
    float *const values = c->scratch, *const products = c->scratch + points * value_step;
    transform_input_tiles(c, begin, count, values, value_step);
    struct drawml_convolution at_point = {
        .examples = 1,
        .height = 1,
        .width = count,
        .channels = c->channels,
        .first = {.values = values, .pixel = c->inputs, .kernel_rows = 1, .run = c->inputs},
        .weights = c->weights,
        .output = {.values = products, .pixel = c->channels},
    };
    for (long point = 0; point < points; point++) {
      convolve(&at_point);
      at_point.first.values += value_step;
      at_point.weights += panels * PANEL * c->inputs;
      at_point.output.values += product_step;
    }
    for (long number = 0; number < count; number++) {
      const long tile = number % tiles;
      transform_one(
          c, products + number * c->channels, product_step, begin + number / tiles,
          tile / across * c->rows, tile % across * c->columns);
    }
  }
}
