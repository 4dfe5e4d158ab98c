#define LANES 4
#define MAX_PIXELS 6
#define NAME(f) drawml_##f##_plain
#include "kernels.h"
