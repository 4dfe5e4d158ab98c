/* DrawML from C: teach a model drawings, and ask it what others are.
 *
 * Results. A function returns NULL if it succeeds, else the text of the error, one sentence in
 * UTF-8, to be released with drawml_free. A function that fails changes nothing; what its results
 * point to is then undefined.
 *
 * Ownership. Arguments stay the caller's and are not kept. A `char **` receives a text that the
 * caller releases with drawml_free, a `drawml_handle *` a handle to release with drawml_release.
 * NULL in place of a pointer is an error unless it is allowed; so is a handle that was released or
 * is of another kind. The library cannot check that arrays are as long as they are said to be.
 *
 * Text is UTF-8 and ends with a zero byte. JSON has no line breaks.
 *
 * Threads. All functions may be called from several threads, also with the same handles. An answer
 * is that of the model before or after a concurrent change, never of one half changed. Changes of a
 * model wait for each other. Model files and .h5 files are HDF5, whose library is not thread-safe:
 * who calls HDF5 in the same process (Debian's h5py does) must not do so while they are read or
 * written. Training, evaluation and adaptation start threads of their own; OpenBLAS starts its own
 * when it is loaded, and works with one from the first adaptation or linear head on, for the whole
 * process. Nothing here installs signal handlers, prints, or ends the process.
 */
#ifndef DRAWML_H
#define DRAWML_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model or drawings; 0 is neither. */
typedef uint64_t drawml_handle;

/* The version of DrawML, such as "0.2.0"; released with drawml_free. NULL if memory is short. */
char *drawml_version(void);

/* Releases a text; NULL is allowed. */
void drawml_free(char *text);

/* Releases a model or drawings. Calls that use it on other threads end as if it were there. */
char *drawml_release(drawml_handle handle);

/* ---- Drawings ---- */

/* Drawings from flat arrays.
 *
 * points          [point_count, columns], row-major, each from -1e100 to 1e100: x, y (growing
 *                 downwards) and, with 3 columns, milliseconds since the first point; a stroke
 *                 whose times are all NaN has no times
 * columns         2 or 3
 * stroke_starts   [stroke_count + 1], ascending: the first point of each stroke, and point_count
 * drawing_starts  [drawing_count + 1], ascending: each drawing's first stroke, and stroke_count
 * ids, labels     [drawing_count], or NULL; NULL for a drawing without
 *
 * Strokes without points are dropped; a drawing without points is an error. Counts are at most
 * 2^28.
 */
char *drawml_drawings_make(const double *points, int64_t point_count, int64_t columns,
                           const int64_t *stroke_starts, int64_t stroke_count,
                           const int64_t *drawing_starts, int64_t drawing_count,
                           const char *const *ids, const char *const *labels,
                           drawml_handle *drawings);

/* Drawings from stroke JSON, one drawing a line; `length` in bytes. */
char *drawml_drawings_parse(const char *text, int64_t length, drawml_handle *drawings);

/* The drawings of a file or folder, as the program `drawml` reads it. */
char *drawml_drawings_read(const char *path, drawml_handle *drawings);

/* {"drawings":[{"id":"a","label":"star"}, ...]}; the label is null where it is not known. */
char *drawml_drawings_describe(drawml_handle drawings, char **json);

/* Draws pixels of `size` rows and columns.
 *
 * size          1 to 4096
 * stroke_width  in pixels, above 0
 * margin        the least distance of ink from the edge in pixels, at least 0
 * coverage      ink coverage in 0...1, row-major, [drawings, size, size]
 * bytes         the same in 0...255, rounded; one of the two can be NULL
 * count         the number of elements of each
 */
char *drawml_drawings_rasterize(drawml_handle drawings, int64_t size, double stroke_width,
                                double margin, float *coverage, uint8_t *bytes, int64_t count);

/* ---- Models ---- */

/* Reads a model file. */
char *drawml_model_load(const char *path, drawml_handle *model);

/* Writes a model file, whole or not at all. A file of another kind is not replaced, nor one that
 * the model was read from or last written to and that another program has changed since. */
char *drawml_model_save(drawml_handle model, const char *path);

/* A new model with the same embedding and without taught drawings, as 'drawml train --base' starts
 * with. */
char *drawml_model_untaught(drawml_handle model, drawml_handle *untaught);

/* A model with all that this one knows now, for answers that belong together: later changes of one
 * are not those of the other. It takes hardly any time or memory. */
char *drawml_model_copy(drawml_handle model, drawml_handle *copy);

/* {"labels":["star", ...],"samples":[{"id":"a","label":"star"}, ...],"dimension":256,
 *  "head":{"head":"plda"},"refusalRate":0.1}, labels in ascending order; the head as for
 * drawml_model_set_head. */
char *drawml_model_describe(drawml_handle model, char **json);

/* Replaces what turns vectors into labels by one fitted to the same samples. One of these, in which
 * all but "head" may be missing:
 * {"head":"plda"}                                       how much labels differ in general
 * {"head":"prototype"}                                  the nearest mean of a label
 * {"head":"knn","neighbors":5,"uniform":false}          votes of 1 to 10000 neighbors, by one over
 *                                                       the distance unless uniform
 * {"head":"linear","penalty":0.001,"balance":0}         logistic regression: what holds its weights
 *                                                       near the means, 0 to 1000000, and how much
 *                                                       more labels with many samples count, 0 to 1
 * Other heads and settings are errors. */
char *drawml_model_set_head(drawml_handle model, const char *json);

/* How often a drawing of a taught label may be refused, 0 to 0.5. */
char *drawml_model_set_refusal_rate(drawml_handle model, double rate);

/* Teaches labeled drawings: {"added":3,"repeated":0,"relabeled":0,"newLabels":["star"]}. A drawing
 * with the ink and id of a taught one is repeated, or relabeled; without an id its ink alone
 * counts. */
char *drawml_model_update(drawml_handle model, drawml_handle drawings, char **json);

/* Forgets a label with all its samples: {"forgotten":["a", ...]}, their ids. */
char *drawml_model_forget_label(drawml_handle model, const char *label, char **json);

/* Forgets the sample with an id, or with the digest of its ink: {"forgotten":["a"]}. */
char *drawml_model_forget_sample(drawml_handle model, const char *id, char **json);

/* Adapts the prior to the taught samples, if that is better for those left out in turn:
 * {"outcome":"accepted"}, or "noGain", "tooFewSamples", "noPrior", "otherHead". */
char *drawml_model_adapt(drawml_handle model, char **json);

/* Classifies drawings: a list of the objects of 'drawml classify --format json', with at most `top`
 * candidates each, 1 to 100000. */
char *drawml_model_classify(drawml_handle model, drawml_handle drawings, int64_t top, char **json);

/* The confidence of each label, in 0...1, row-major, [drawings, labels] in the order of
 * drawml_model_describe; `count` is the number of elements. */
char *drawml_model_confidences(drawml_handle model, drawml_handle drawings, float *confidences,
                               int64_t count);

/* The drawings' unit vectors, row-major, [drawings, dimension]; `count` is the number of
 * elements. */
char *drawml_model_embed(drawml_handle model, drawml_handle drawings, float *vectors,
                         int64_t count);

/* ---- Long work ---- */

/* Told what a long call does; any result but 0 stops the call, which is then an error and changes
 * nothing. It is called on the thread of the call, with `event`, valid until it returns:
 *
 * {"event":"progress","part":"Teaching","done":3,"total":10}
 * {"event":"note","text":"..."}
 * {"event":"step","step":1,"steps":60,"epoch":1,"loss":2.1,"accuracy":0.2,"learningRate":0.002}
 * {"event":"epoch","epoch":1,"trainingLoss":1.9,"trainingAccuracy":0.4,"learningRate":0.002, ...}
 *
 * or with NULL about ten times a second while there is nothing to tell. A call may take seconds to
 * stop. */
typedef int (*drawml_progress)(const char *event, void *context);

/* Trains a model of labeled drawings as 'drawml train' does, without a checkpoint; the same
 * drawings, settings and threads give the same model, if OpenBLAS has the same kernels.
 *
 * base      the path of a model whose embedding is used, or NULL to train one
 * settings  a JSON object with any of the keys that 'drawml train --print-config' shows, such as
 *           {"seed":7,"training":{"epochs":20}}; NULL for the standard settings. An unknown key is
 *           an error.
 * threads   how many threads work, 1 to 256; the model records it, and else does not depend on it
 * progress  told what happens, with `context`; NULL is allowed
 */
char *drawml_train(drawml_handle drawings, const char *base, const char *settings, int64_t threads,
                   drawml_progress progress, void *context, drawml_handle *model);

/* Measures a model on labeled drawings: the object of 'drawml evaluate --format json'. Drawings
 * that the model was taught or trained on are left out unless `include_taught` is not 0. Threads
 * and progress are as for drawml_train. */
char *drawml_model_evaluate(drawml_handle model, drawml_handle drawings, int include_taught,
                            int64_t threads, drawml_progress progress, void *context,
                            char **json);

#ifdef __cplusplus
}
#endif

#endif
