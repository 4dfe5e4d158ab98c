#include "CArtStyles.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t styles[] = {
#embed "../Artwork/styles.json"
};

const uint8_t *drawml_art_styles(void) { return styles; }
size_t drawml_art_styles_length(void) { return sizeof styles; }
