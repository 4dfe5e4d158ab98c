// Inner products: see `row_products`, `search_one` and `search_panel` of drawml_kernels.

INLINE float inner_product(const float *one, const float *other, long count) {
  // Vectors of 16 are no faster here, and slower if the rows come from memory.
  typedef float eight __attribute__((vector_size(32), aligned(4)));
  eight even = {0}, odd = {0};
  long k = 0;
  for (; k + 16 <= count; k += 16) {
    even += *(const eight *)(one + k) * *(const eight *)(other + k);
    odd += *(const eight *)(one + k + 8) * *(const eight *)(other + k + 8);
  }
  even += odd;
  float sum =
      ((even[0] + even[4]) + (even[2] + even[6])) + ((even[1] + even[5]) + (even[3] + even[7]));
  for (; k < count; k++) sum += one[k] * other[k];
  return sum;
}

static void row_products(
    const float *rows, long count, long dimension, const float *vector, float *products) {
  for (long row = 0; row < count; row++)
    products[row] = inner_product(rows + row * dimension, vector, dimension);
}

// Inserts a product that is greater than the last of its list.
static void insert(float product, int32_t row, long kept, float *products, int32_t *places) {
  long place = kept - 1;
  for (; place > 0 && product > products[place - 1]; place--) {
    products[place] = products[place - 1];
    places[place] = places[place - 1];
  }
  products[place] = product;
  places[place] = row;
}

static void search_one(
    const float *samples, long rows, long first, long dimension, const float *query, long kept,
    float *products, int32_t *places) {
  for (long row = 0; row < rows; row++) {
    const float product = inner_product(samples + row * dimension, query, dimension);
    if (product > products[kept - 1])
      insert(product, (int32_t)(first + row), kept, products, places);
  }
}

// A panel of queries: each number of a row is multiplied by those of all queries at once, and the
// products of a row are compared with the queries' least ones at once. Rows are read in place.

// The number of rows whose products with two vectors of queries fit in the registers.
#define MAX_ROWS (LANES == 16 ? 12 : 6)

// `count` rows and `vectors` vectors of queries.
INLINE void search_rows(
    int count, int vectors, const float *samples, long first, long dimension, const float *panel,
    long kept, float *least, float *products, int32_t *places) {
  vector sums[MAX_ROWS][2];
  EACH(row, count) EACH(v, vectors) sums[row][v] = (vector){0};
  for (long k = 0; k < dimension; k++) {
    vector queries[2];
    EACH(v, vectors) queries[v] = load(panel + k * drawml_search_lanes + v * LANES);
    EACH(row, count) {
      const float number = samples[row * dimension + k];
      EACH(v, vectors) sums[row][v] += number * queries[v];
    }
  }
  EACH(row, count) {
    mask greater = (mask)(sums[row][0] > load(least));
    if (vectors > 1) greater |= (mask)(sums[row][1] > load(least + LANES));
    if (__builtin_expect(__builtin_reduce_or(greater) == 0, 1)) continue;
    float found[PANEL];
    EACH(v, vectors) store(sums[row][v], found + v * LANES);
    for (int lane = 0; lane < vectors * LANES; lane++)
      if (found[lane] > least[lane]) {
        float *list = products + lane * kept;
        insert(found[lane], (int32_t)(first + row), kept, list, places + lane * kept);
        least[lane] = list[kept - 1];
      }
  }
}

static void search_panel(
    const float *samples, long rows, long first, long dimension, const float *panel, long queries,
    long kept, float *least, float *products, int32_t *places) {
#define SEARCH(count, vectors)                                                               \
  search_rows(                                                                               \
      count, vectors, samples + row * dimension, first + row, dimension, panel + from, kept, \
      least + from, products + from * kept, places + from * kept)
  for (long from = 0; from < queries; from += PANEL)
    for (long row = 0; row < rows;) {
      const int whole = rows - row >= MAX_ROWS;
      if (queries - from > LANES && whole)
        SEARCH(MAX_ROWS, 2);
      else if (queries - from > LANES)
        SEARCH(1, 2);
      else if (whole)
        SEARCH(MAX_ROWS, 1);
      else
        SEARCH(1, 1);
      row += whole ? MAX_ROWS : 1;
    }
}
