#include <cblas.h>
#include <lapacke.h>
