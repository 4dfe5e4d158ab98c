#include "CPage.h"

// See page.c.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t index_html[] = {
#embed "../Interchange/Web/Page/index.html"
};
static const uint8_t app_js[] = {
#embed "../Interchange/Web/Page/app.js"
};
static const uint8_t decision_js[] = {
#embed "../Interchange/Web/Page/decision.js"
};
static const uint8_t draw_pixels_js[] = {
#embed "../Interchange/Web/Page/draw-pixels.js"
};
static const uint8_t network_js[] = {
#embed "../Interchange/Web/Page/network.js"
};
static const uint8_t numbers_js[] = {
#embed "../Interchange/Web/Page/numbers.js"
};
static const uint8_t page_css[] = {
#embed "../Interchange/Web/Page/page.css"
};
static const uint8_t stroke_points_js[] = {
#embed "../Interchange/Web/Page/stroke-points.js"
};
static const uint8_t views_js[] = {
#embed "../Interchange/Web/Page/views.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}
static const drawml_page_file files[] = {
    FILE("index.html", index_html),
    FILE("app.js", app_js),
    FILE("decision.js", decision_js),
    FILE("draw-pixels.js", draw_pixels_js),
    FILE("network.js", network_js),
    FILE("numbers.js", numbers_js),
    FILE("page.css", page_css),
    FILE("stroke-points.js", stroke_points_js),
    FILE("views.js", views_js),
};
#undef FILE

const drawml_page_file *drawml_web_files(void) { return files; }
size_t drawml_web_file_count(void) { return sizeof files / sizeof *files; }
