#ifndef DRAWML_RELEASED_H
#define DRAWML_RELEASED_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of `models/base.drawml`, so that the program has it wherever it is run from.
const uint8_t *drawml_released_model(void);
/// How many bytes that is.
size_t drawml_released_model_length(void);
/// The bytes of `models/everyday.drawml`.
const uint8_t *drawml_everyday_model(void);
/// How many bytes that is.
size_t drawml_everyday_model_length(void);
/// The bytes of `Trace/templates.ndjson`, the shapes that one can draw over.
const uint8_t *drawml_templates(void);
/// How many bytes that is.
size_t drawml_templates_length(void);

#endif
