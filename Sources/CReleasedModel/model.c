#include "CReleasedModel.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t bytes[] = {
#embed "../../models/base.drawml"
};

const uint8_t *drawml_released_model(void) { return bytes; }

size_t drawml_released_model_length(void) { return sizeof bytes; }
