#ifndef DRAWML_TRAIN_ROOM_H
#define DRAWML_TRAIN_ROOM_H

// What the files `train*.c` have in common.

#include <string.h>

#include "CKernels.h"

/// Where a line of the cache begins: a vector across two lines takes twice the time. Room is `LINE` floats longer for it.
#define LINE 16
static inline float *aligned(float *room) { return (float *)(((uintptr_t)room + 63) & ~(uintptr_t)63); }
static inline long whole_lines(long count) { return (count + LINE - 1) / LINE * LINE; }

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

#define CALL(name, ...) (level == 2 ? name##_16(__VA_ARGS__) : name##_8(__VA_ARGS__))

/// output[c][r] = input[r][c] of 8 × 8 values.
__attribute__((target("avx2"))) static inline void transpose_block(const float *input, long columns, float *output, long rows) {
  __m256 a[8], b[8];
  for (int r = 0; r < 8; r++) a[r] = _mm256_loadu_ps(input + r * columns);
  for (int r = 0; r < 8; r += 2) {
    b[r] = _mm256_unpacklo_ps(a[r], a[r + 1]);
    b[r + 1] = _mm256_unpackhi_ps(a[r], a[r + 1]);
  }
  for (int r = 0; r < 8; r += 4)
    for (int n = 0; n < 2; n++) {
      a[r + 2 * n] = _mm256_shuffle_ps(b[r + n], b[r + n + 2], 0x44);
      a[r + 2 * n + 1] = _mm256_shuffle_ps(b[r + n], b[r + n + 2], 0xee);
    }
  for (int r = 0; r < 4; r++) {
    _mm256_storeu_ps(output + r * rows, _mm256_permute2f128_ps(a[r], a[r + 4], 0x20));
    _mm256_storeu_ps(output + (r + 4) * rows, _mm256_permute2f128_ps(a[r], a[r + 4], 0x31));
  }
}

/// output[c][r] = input[r][c], or += when `adding`.
static inline void transpose(const float *input, long rows, long columns, int adding, float *output) {
  // In blocks, so that lines of both are used whole while they are near.
  for (long top = 0; top < rows; top += 8)
    for (long left = 0; left < columns; left += 8) {
      if (!adding && top + 8 <= rows && left + 8 <= columns) {
        transpose_block(input + top * columns + left, columns, output + left * rows + top, rows);
        continue;
      }
      for (long c = left; c < columns && c < left + 8; c++)
        for (long r = top; r < rows && r < top + 8; r++) {
          float *place = output + c * rows + r;
          *place = adding ? *place + input[r * columns + c] : input[r * columns + c];
        }
    }
}
#endif

#endif
