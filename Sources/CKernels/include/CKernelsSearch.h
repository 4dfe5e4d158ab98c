#ifndef DRAWML_CKERNELS_SEARCH_H
#define DRAWML_CKERNELS_SEARCH_H

#include <stdint.h>

/// The rows of a matrix that have the greatest inner products with queries, for `VectorSearch` of NeuralNetwork.
///
/// All matrices are row-major. For each query there is a list of the `kept` greatest products so far, greatest first,
/// and of their rows; products that are not there yet are -INFINITY and their rows -1. Rows must come in ascending order
/// over all calls with one list: of equal products the row that came first stays. A product that is no number is left out.

/// How many queries stand side by side in a packed panel.
enum { drawml_search_lanes = 32 };

/// One query, dot product by dot product: for so few queries that the memory limits.
///
/// level: see drawml_vector_level. samples [rows, dimension]; first: the number of the first row; query [dimension];
/// products, places [kept].
void drawml_search_one(
    int level, const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *query, int64_t kept,
    float *products, int32_t *places);

/// A panel of up to 32 queries against blocks of rows that stay in the cache.
///
/// panel [dimension, 32]: the queries' numbers side by side, 0 where there are fewer queries than lanes; queries: how many
/// there are; least [32]: the least product on each query's list, INFINITY behind the last query;
/// products, places [queries, kept].
void drawml_search_panel(
    int level, const float *samples, int64_t rows, int64_t first, int64_t dimension, const float *panel,
    int64_t queries, int64_t kept, float *least, float *products, int32_t *places);

#endif
