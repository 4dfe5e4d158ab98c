// The vectors of one level, for the loops included after it.

#include <string.h>

#if LANES > 4
#include <immintrin.h>
#endif

#include "CKernels.h"

typedef float vector __attribute__((vector_size(4 * LANES)));
typedef int mask __attribute__((vector_size(4 * LANES)));
typedef float unaligned __attribute__((vector_size(4 * LANES), aligned(4)));

#define INLINE static inline __attribute__((always_inline))
#define PANEL (2 * LANES)

INLINE vector load(const float *from) { return *(const unaligned *)from; }

INLINE void store(vector value, float *to) { *(unaligned *)to = value; }

// Partial vectors: the first `count` floats, 1 to LANES.

INLINE vector load_first(const float *from, long count) {
#if LANES == 16
  return (vector)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), from);
#else
  vector value = {0};
  memcpy(&value, from, 4 * count);
  return value;
#endif
}

INLINE void store_first(vector value, float *to, long count) {
#if LANES == 16
  _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)value);
#else
  memcpy(to, &value, 4 * count);
#endif
}

INLINE vector load_some(const float *from, long count) {
  return count >= LANES ? load(from) : load_first(from, count);
}

INLINE void store_some(vector value, float *to, long count) {
  if (count >= LANES)
    store(value, to);
  else
    store_first(value, to, count);
}

// NaN propagates.
INLINE vector rectified(vector value) {
  vector zero = {0};
  return (vector)((mask)value & ~(mask)(value < zero));
}

INLINE vector larger(vector a, vector b) {
  mask second = (mask)(b > a);
  return (vector)(((mask)a & ~second) | ((mask)b & second));
}

// `value` where `of` is above 0, else 0.
INLINE vector where_positive(vector of, vector value) {
  vector zero = {0};
  return (vector)((mask)value & (mask)(of > zero));
}
