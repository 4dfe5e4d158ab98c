#ifndef DRAWML_SEGMENTER_H
#define DRAWML_SEGMENTER_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of `Sources/Kit/Segmentation/segmenter.json`, embedded in the program.
const uint8_t *drawml_segmenter(void);
/// How many bytes that is.
size_t drawml_segmenter_length(void);

#endif
