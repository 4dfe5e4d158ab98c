#ifndef DRAWML_ART_STYLES_H
#define DRAWML_ART_STYLES_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of `Artwork/styles.json`, the ten styles.
const uint8_t *drawml_art_styles(void);
/// The number of bytes.
size_t drawml_art_styles_length(void);

#endif
