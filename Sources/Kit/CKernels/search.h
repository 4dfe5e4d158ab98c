// Inner products: see `row_products`, `search_one` and `search_panel` of drawml_kernels.

typedef float eight __attribute__((vector_size(32), aligned(4)));

// The number of vectors that are multiplied by a row at once: each row is read once for all of
// them.
#define MAX_VECTORS 4

// The inner products of a row with `count` vectors, each the same to the bit whatever `count` is.
// vectors [count, dimension]; products [count], `stride` apart.
INLINE void inner_products(
    int count, const float *row, const float *vectors, long dimension, float *products,
    long stride) {
  // Vectors of 16 are no faster here, and slower if the rows come from memory.
  eight even[MAX_VECTORS], odd[MAX_VECTORS];
  EACH(v, count) even[v] = odd[v] = (eight){0};
  long whole = 0;
  for (; whole + 16 <= dimension; whole += 16)
    EACH(v, count) {
      const float *vector = vectors + v * dimension + whole;
      even[v] += *(const eight *)(row + whole) * *(const eight *)vector;
      odd[v] += *(const eight *)(row + whole + 8) * *(const eight *)(vector + 8);
    }
  EACH(v, count) {
    const eight all = even[v] + odd[v];
    float sum = ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
    for (long k = whole; k < dimension; k++) sum += row[k] * vectors[v * dimension + k];
    products[v * stride] = sum;
  }
}

INLINE float inner_product(const float *row, const float *vector, long dimension) {
  float product;
  inner_products(1, row, vector, dimension, &product, 1);
  return product;
}

static void row_products(
    const float *rows, long count, long dimension, const float *vectors, long vector_count,
    float *products) {
  long v = 0;
  for (; v + MAX_VECTORS <= vector_count; v += MAX_VECTORS)
    for (long row = 0; row < count; row++)
      inner_products(
          MAX_VECTORS, rows + row * dimension, vectors + v * dimension, dimension,
          products + v * count + row, count);
  for (; v < vector_count; v++)
    for (long row = 0; row < count; row++)
      products[v * count + row] =
          inner_product(rows + row * dimension, vectors + v * dimension, dimension);
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
