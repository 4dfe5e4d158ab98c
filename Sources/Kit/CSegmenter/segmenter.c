#include "CSegmenter.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t segmenter[] = {
#embed "../Segmentation/segmenter.json"
};

const uint8_t *drawml_segmenter(void) { return segmenter; }
size_t drawml_segmenter_length(void) { return sizeof segmenter; }
