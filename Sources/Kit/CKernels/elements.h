// Element-wise loops of a training step, vectorized by the compiler.

// For loops over the few channels: with vectors of 8 and no interleaving, the scalar remainder is
// short.
#define COLUMNS _Pragma("clang loop vectorize_width(8) interleave_count(1)")

static void rectify(const float *restrict input, long count, float *restrict output) {
  // Written so that NaN propagates and training detects it.
  for (long i = 0; i < count; i++) output[i] = input[i] < 0 ? 0 : input[i];
}

static void mask_negative(float *restrict gradient, const float *restrict output, long count) {
  for (long i = 0; i < count; i++) gradient[i] = output[i] > 0 ? gradient[i] : 0;
}

static void accumulate(const float *restrict input, long count, float *restrict output) {
  for (long i = 0; i < count; i++) output[i] += input[i];
}

static void add(const float *one, const float *other, long count, float *restrict output) {
  for (long i = 0; i < count; i++) output[i] = one[i] + other[i];
}

static void scale_and_shift(
    const float *restrict input, long rows, long columns, const float *restrict scale,
    const float *restrict shift, int rectifies, float *restrict output) {
  for (long row = 0; row < rows; row++) {
    const float *x = input + row * columns;
    float *y = output + row * columns;
    if (rectifies)
      COLUMNS for (long c = 0; c < columns; c++) {
        const float value = x[c] * scale[c] + shift[c];
        y[c] = value < 0 ? 0 : value;
      }
    else
      COLUMNS for (long c = 0; c < columns; c++) y[c] = x[c] * scale[c] + shift[c];
  }
}

static void combine(
    float *restrict gradient, const float *restrict input, const float *restrict output, long rows,
    long columns, const float *restrict a, const float *restrict b, const float *restrict c) {
  for (long row = 0; row < rows; row++) {
    const float *x = input + row * columns;
    float *g = gradient + row * columns;
    if (output) {
      const float *o = output + row * columns;
      COLUMNS
      for (long i = 0; i < columns; i++)
        g[i] = (o[i] > 0 ? g[i] : 0) * a[i] + x[i] * b[i] + c[i];
    } else
      COLUMNS for (long i = 0; i < columns; i++) g[i] = g[i] * a[i] + x[i] * b[i] + c[i];
  }
}

// Sums over `rows` rows of g and of g · x in `vectors` vectors of columns; unless `whole`, of only
// the first `count` columns.
INLINE void sum_block(
    int vectors, int whole, const float *g, const float *x, const float *output, long rows,
    long columns, long count, vector *sums, vector *products) {
  for (int v = 0; v < vectors; v++) sums[v] = products[v] = (vector){0};
  for (long row = 0; row < rows; row++)
    EACH(v, vectors) {
      const long place = row * columns + v * LANES;
      vector slope = whole ? load(g + place) : load_first(g + place, count);
      const vector value = whole ? load(x + place) : load_first(x + place, count);
      if (output)
        slope =
            where_positive(whole ? load(output + place) : load_first(output + place, count), slope);
      sums[v] += slope;
      products[v] += slope * value;
    }
}

static void column_sums(
    const float *g, const float *x, const float *output, long rows, long columns, double *plain,
    double *products) {
  for (long i = 0; i < columns; i++) plain[i] = products[i] = 0;
  // At most 64 rows in single precision, which are then added in double precision.
  for (long start = 0; start < rows; start += 64) {
    const long some = rows - start < 64 ? rows - start : 64;
    for (long column = 0; column < columns;) {
      const long place = start * columns + column, left = columns - column;
      vector sums[4], mixed[4];
      const float *o = output ? output + place : 0;
      float values[2][4 * LANES];
      long width;
      if (left >= 4 * LANES) {
        sum_block(4, 1, g + place, x + place, o, some, columns, LANES, sums, mixed);
        width = 4 * LANES;
      } else if (left >= LANES) {
        sum_block(1, 1, g + place, x + place, o, some, columns, LANES, sums, mixed);
        width = LANES;
      } else {
        sum_block(1, 0, g + place, x + place, o, some, columns, left, sums, mixed);
        width = left;
      }
      for (long v = 0; v * LANES < width; v++) {
        store(sums[v], values[0] + v * LANES);
        store(mixed[v], values[1] + v * LANES);
      }
      for (long i = 0; i < width; i++) {
        plain[column + i] += values[0][i];
        products[column + i] += values[1][i];
      }
      column += width;
    }
  }
}

static void add_column_sums(
    const float *restrict input, long rows, long columns, float *restrict output) {
  for (long row = 0; row < rows; row++)
    COLUMNS for (long c = 0; c < columns; c++) output[c] += input[row * columns + c];
}

static void max_pool(
    const float *restrict input, long rows, long height, long width, long channels, int tall,
    float *restrict output, uint8_t *restrict marks) {
  const long down = height / (tall ? 2 : 1), across = width / 2, line = width * channels;
  for (long row = 0; row < rows * down; row++)
    for (long column = 0; column < across; column++) {
      const float *a = input + (row / down * height + row % down * (tall ? 2 : 1)) * line +
                       2 * column * channels;
      const float *b = a + channels, *c = a + line, *d = c + channels;
      float *y = output + (row * across + column) * channels;
      uint8_t *m = marks + (row * across + column) * channels;
      if (tall)
        COLUMNS for (long i = 0; i < channels; i++) {
          // Among equal values, the first is marked.
          float best = a[i];
          int mark = 0;
          mark = b[i] > best ? 1 : mark;
          best = b[i] > best ? b[i] : best;
          mark = c[i] > best ? 2 : mark;
          best = c[i] > best ? c[i] : best;
          mark = d[i] > best ? 3 : mark;
          best = d[i] > best ? d[i] : best;
          y[i] = best;
          m[i] = (uint8_t)mark;
        }
      else
        COLUMNS for (long i = 0; i < channels; i++) {
          m[i] = b[i] > a[i];
          y[i] = b[i] > a[i] ? b[i] : a[i];
        }
    }
}

static void spread_to_marks(
    const float *restrict gradient, const uint8_t *restrict marks, long rows, long height,
    long width, long channels, int tall, float *restrict output) {
  const long tallness = tall ? 2 : 1, down = height / tallness, across = width / 2,
             line = width * channels;
  for (long row = 0; row < rows * down; row++) {
    float *first = output + (row / down * height + row % down * tallness) * line;
    for (long column = 0; column < across; column++) {
      const float *g = gradient + (row * across + column) * channels;
      const uint8_t *m = marks + (row * across + column) * channels;
      for (int tap = 0; tap < 2 * tallness; tap++) {
        float *y = first + (tap / 2 * width + 2 * column + tap % 2) * channels;
        COLUMNS for (long i = 0; i < channels; i++) y[i] = m[i] == tap ? g[i] : 0;
      }
    }
    if (width % 2)
      for (long r = 0; r < tallness; r++)
        COLUMNS
        for (long i = 0; i < channels; i++)
          first[r * line + (width - 1) * channels + i] = 0;
    if (height % tallness && row % down == down - 1)
      for (long i = 0; i < line; i++) first[tallness * line + i] = 0;
  }
}

static void step_sgd(
    float *restrict parameters, const float *restrict gradient, float *restrict momenta, long count,
    float rate, float momentum, int nesterov, float decay) {
  if (nesterov)
    for (long i = 0; i < count; i++) {
      const float slope = gradient[i] + decay * parameters[i], m = momentum * momenta[i] + slope;
      momenta[i] = m;
      parameters[i] -= rate * (slope + momentum * m);
    }
  else
    for (long i = 0; i < count; i++) {
      const float slope = gradient[i] + decay * parameters[i], m = momentum * momenta[i] + slope;
      momenta[i] = m;
      parameters[i] -= rate * m;
    }
}

static void step_adam(
    float *restrict parameters, const float *restrict gradient, float *restrict first,
    float *restrict second, long count, float rate, float beta1, float beta2, float root,
    float epsilon, float keep) {
  for (long i = 0; i < count; i++) {
    const float slope = gradient[i];
    const float m = first[i] + (1 - beta1) * (slope - first[i]);
    const float v = beta2 * second[i] + (1 - beta2) * slope * slope;
    first[i] = m;
    second[i] = v;
    parameters[i] =
        parameters[i] * keep - rate * m / (__builtin_elementwise_sqrt(v) * root + epsilon);
  }
}

static void average(float *restrict means, const float *restrict values, long count, float share) {
  for (long i = 0; i < count; i++) means[i] += share * (values[i] - means[i]);
}

static void scale(float *values, long count, float factor) {
  for (long i = 0; i < count; i++) values[i] *= factor;
}

static double squared_norm(const float *values, long count) {
  // Interleaved sums, in a fixed order for all vector widths.
  double sums[32] = {0}, sum = 0;
  const long whole = count / 32 * 32;
  for (long start = 0; start < whole; start += 32)
    for (int lane = 0; lane < 32; lane++) {
      const double x = values[start + lane];
      sums[lane] += x * x;
    }
  for (int lane = 0; lane < 32; lane++) sum += sums[lane];
  for (long i = whole; i < count; i++) sum += (double)values[i] * values[i];
  return sum;
}
