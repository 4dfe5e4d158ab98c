#include "CReleased.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t base[] = {
#embed "../../../models/base.drawml"
};
static const uint8_t everyday[] = {
#embed "../../../models/everyday.drawml"
};
static const uint8_t templates[] = {
#embed "../Trace/templates.ndjson"
};

const uint8_t *drawml_released_model(void) { return base; }
size_t drawml_released_model_length(void) { return sizeof base; }

const uint8_t *drawml_everyday_model(void) { return everyday; }
size_t drawml_everyday_model_length(void) { return sizeof everyday; }

const uint8_t *drawml_templates(void) { return templates; }
size_t drawml_templates_length(void) { return sizeof templates; }
