#include "CKernelsSearch.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { lanes = drawml_search_lanes };

/// Puts a product that is greater than the last of its list into its place.
static inline void insert(float product, int32_t row, int64_t kept, float *products, int32_t *places) {
  int64_t place = kept - 1;
  for (; place > 0 && product > products[place - 1]; place--) {
    products[place] = products[place - 1];
    places[place] = places[place - 1];
  }
  products[place] = product;
  places[place] = row;
}

// One query.

static void one_plain(
    const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *query, int64_t kept,
    float *products, int32_t *places) {
  for (int64_t row = 0; row < rows; row++, samples += dimension) {
    float sums[8] = {0};
    int64_t k = 0;
    for (; k + 8 <= dimension; k += 8)
      for (int lane = 0; lane < 8; lane++) sums[lane] += samples[k + lane] * query[k + lane];
    float sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    for (; k < dimension; k++) sum += samples[k] * query[k];
    if (sum > products[kept - 1]) insert(sum, (int32_t)(first + row), kept, products, places);
  }
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) static inline float dot_wide(
    const float *sample, const float *query, int64_t dimension) {
  __m256 even = _mm256_setzero_ps(), odd = _mm256_setzero_ps();
  int64_t k = 0;
  for (; k + 16 <= dimension; k += 16) {
    even = _mm256_fmadd_ps(_mm256_loadu_ps(sample + k), _mm256_loadu_ps(query + k), even);
    odd = _mm256_fmadd_ps(_mm256_loadu_ps(sample + k + 8), _mm256_loadu_ps(query + k + 8), odd);
  }
  even = _mm256_add_ps(even, odd);
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(even), _mm256_extractf128_ps(even, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  float sum = _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
  for (; k < dimension; k++) sum += sample[k] * query[k];
  return sum;
}

__attribute__((target("avx2,fma"))) static void one_wide(
    const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *query, int64_t kept,
    float *products, int32_t *places) {
  for (int64_t row = 0; row < rows; row++, samples += dimension) {
    float sum = dot_wide(samples, query, dimension);
    if (sum > products[kept - 1]) insert(sum, (int32_t)(first + row), kept, products, places);
  }
}

#endif

void drawml_search_one(
    int level, const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *query, int64_t kept,
    float *products, int32_t *places) {
#if defined(__x86_64__)
  // Vectors of 16 are no faster here, and slower where the rows come from memory.
  if (level >= 1) return one_wide(samples, rows, first, dimension, query, kept, products, places);
#endif
  one_plain(samples, rows, first, dimension, query, kept, products, places);
}

// A panel of queries: each number of a row is multiplied with those of all queries side by side, and the products of a
// row are compared with the queries' least ones at once. Rows are read where they are.

/// What a row's products may put on the lists; found [lanes].
static inline void take(
    const float *found, uint32_t greater, int32_t row, int64_t kept, float *least, float *products, int32_t *places) {
  for (; greater != 0; greater &= greater - 1) {
    int lane = __builtin_ctz(greater);
    float *list = products + lane * kept;
    insert(found[lane], row, kept, list, places + lane * kept);
    least[lane] = list[kept - 1];
  }
}

static void panel_plain(
    const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *panel, int64_t queries,
    int64_t kept, float *least, float *products, int32_t *places) {
  for (int64_t row = 0; row < rows; row++, samples += dimension) {
    float sums[lanes] = {0};
    for (int64_t k = 0; k < dimension; k++)
      for (int lane = 0; lane < lanes; lane++) sums[lane] += samples[k] * panel[k * lanes + lane];
    uint32_t greater = 0;
    for (int lane = 0; lane < queries; lane++) greater |= (uint32_t)(sums[lane] > least[lane]) << lane;
    take(sums, greater, (int32_t)(first + row), kept, least, products, places);
  }
}

#if defined(__x86_64__)

/// `count` rows (a constant, at most 6) and 16 lanes from `from`.
__attribute__((target("avx2,fma"), always_inline)) static inline void rows_wide(
    const int count, int from, const float *samples, int64_t first, int64_t dimension, const float *panel,
    int64_t kept, float *least, float *products, int32_t *places) {
  __m256 low[6], high[6];
  for (int row = 0; row < count; row++) low[row] = high[row] = _mm256_setzero_ps();
  for (int64_t k = 0; k < dimension; k++) {
    __m256 a = _mm256_loadu_ps(panel + k * lanes + from), b = _mm256_loadu_ps(panel + k * lanes + from + 8);
    for (int row = 0; row < count; row++) {
      __m256 number = _mm256_broadcast_ss(samples + row * dimension + k);
      low[row] = _mm256_fmadd_ps(number, a, low[row]);
      high[row] = _mm256_fmadd_ps(number, b, high[row]);
    }
  }
  for (int row = 0; row < count; row++) {
    uint32_t greater =
        (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(low[row], _mm256_loadu_ps(least + from), _CMP_GT_OQ)) |
        (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(high[row], _mm256_loadu_ps(least + from + 8), _CMP_GT_OQ)) << 8;
    if (__builtin_expect(greater != 0, 0)) {
      float found[16];
      _mm256_storeu_ps(found, low[row]);
      _mm256_storeu_ps(found + 8, high[row]);
      take(found, greater, (int32_t)(first + row), kept, least + from, products + from * kept, places + from * kept);
    }
  }
}

__attribute__((target("avx2,fma"))) static void panel_wide(
    const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *panel, int64_t queries,
    int64_t kept, float *least, float *products, int32_t *places) {
  for (int from = 0; from < queries; from += 16) {
    int64_t row = 0;
    for (; row + 6 <= rows; row += 6)
      rows_wide(6, from, samples + row * dimension, first + row, dimension, panel, kept, least, products, places);
    for (; row < rows; row++)
      rows_wide(1, from, samples + row * dimension, first + row, dimension, panel, kept, least, products, places);
  }
}

/// `count` rows (a constant, at most 12) and 32 lanes, or 16 where `isHalf`.
__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"), always_inline)) static inline void rows_widest(
    const int count, const int isHalf, const float *samples, int64_t first, int64_t dimension, const float *panel,
    int64_t kept, float *least, float *products, int32_t *places) {
  __m512 low[12], high[12];
#pragma clang loop unroll(full)
  for (int row = 0; row < count; row++) low[row] = high[row] = _mm512_setzero_ps();
  for (int64_t k = 0; k < dimension; k++) {
    __m512 a = _mm512_loadu_ps(panel + k * lanes);
    __m512 b = isHalf ? a : _mm512_loadu_ps(panel + k * lanes + 16);
#pragma clang loop unroll(full)
    for (int row = 0; row < count; row++) {
      __m512 number = _mm512_set1_ps(samples[row * dimension + k]);
      low[row] = _mm512_fmadd_ps(number, a, low[row]);
      if (!isHalf) high[row] = _mm512_fmadd_ps(number, b, high[row]);
    }
  }
#pragma clang loop unroll(full)
  for (int row = 0; row < count; row++) {
    uint32_t greater = _mm512_cmp_ps_mask(low[row], _mm512_loadu_ps(least), _CMP_GT_OQ);
    if (!isHalf)
      greater |= (uint32_t)_mm512_cmp_ps_mask(high[row], _mm512_loadu_ps(least + 16), _CMP_GT_OQ) << 16;
    if (__builtin_expect(greater != 0, 0)) {
      float found[lanes];
      _mm512_storeu_ps(found, low[row]);
      if (!isHalf) _mm512_storeu_ps(found + 16, high[row]);
      take(found, greater, (int32_t)(first + row), kept, least, products, places);
    }
  }
}

__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))) static void panel_widest(
    const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *panel, int64_t queries,
    int64_t kept, float *least, float *products, int32_t *places) {
  int64_t row = 0;
  if (queries > 16) {
    for (; row + 12 <= rows; row += 12)
      rows_widest(12, 0, samples + row * dimension, first + row, dimension, panel, kept, least, products, places);
    for (; row < rows; row++)
      rows_widest(1, 0, samples + row * dimension, first + row, dimension, panel, kept, least, products, places);
  } else {
    for (; row + 12 <= rows; row += 12)
      rows_widest(12, 1, samples + row * dimension, first + row, dimension, panel, kept, least, products, places);
    for (; row < rows; row++)
      rows_widest(1, 1, samples + row * dimension, first + row, dimension, panel, kept, least, products, places);
  }
}

#endif

void drawml_search_panel(
    int level, const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *panel,
    int64_t queries, int64_t kept, float *least, float *products, int32_t *places) {
#if defined(__x86_64__)
  if (level >= 2) return panel_widest(samples, rows, first, dimension, panel, queries, kept, least, products, places);
  if (level == 1) return panel_wide(samples, rows, first, dimension, panel, queries, kept, least, products, places);
#endif
  panel_plain(samples, rows, first, dimension, panel, queries, kept, least, products, places);
}
