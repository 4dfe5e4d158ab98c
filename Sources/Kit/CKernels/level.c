#include "CKernels.h"

int drawml_vector_level(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return 2;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 1;
#endif
  return 0;
}

extern const struct drawml_kernels drawml_kernels_plain, drawml_kernels_avx2, drawml_kernels_avx512;

const struct drawml_kernels *drawml_kernels_at(int level) {
#if defined(__x86_64__)
  if (level == 2) return &drawml_kernels_avx512;
  if (level == 1) return &drawml_kernels_avx2;
#endif
  return &drawml_kernels_plain;
}
