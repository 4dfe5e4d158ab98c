#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define MAX_PIXELS 6
#define NAME(f) drawml_##f##_avx2
#include "kernels.h"
#pragma clang attribute pop
#endif
