#include "CWebPage.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
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
static const uint8_t base_css[] = {
#embed "../Interchange/Web/Page/base.css"
};
static const uint8_t dom_js[] = {
#embed "../Interchange/Web/Page/dom.js"
};
static const uint8_t forced_colors_css[] = {
#embed "../Interchange/Web/Page/forced-colors.css"
};
static const uint8_t icon_svg[] = {
#embed "../Interchange/Web/Page/icon.svg"
};
static const uint8_t icons_js[] = {
#embed "../Interchange/Web/Page/icons.js"
};
static const uint8_t ink_picture_js[] = {
#embed "../Interchange/Web/Page/ink-picture.js"
};
static const uint8_t ink_surface_css[] = {
#embed "../Interchange/Web/Page/ink-surface.css"
};
static const uint8_t ink_surface_js[] = {
#embed "../Interchange/Web/Page/ink-surface.js"
};
static const uint8_t ink_trace_js[] = {
#embed "../Interchange/Web/Page/ink-trace.js"
};
static const uint8_t license_typeface_txt[] = {
#embed "../Interchange/Web/Page/license-typeface.txt"
};
static const uint8_t parts_css[] = {
#embed "../Interchange/Web/Page/parts.css"
};
static const uint8_t sheet_view_js[] = {
#embed "../Interchange/Web/Page/sheet-view.js"
};
static const uint8_t stray_presses_js[] = {
#embed "../Interchange/Web/Page/stray-presses.js"
};
static const uint8_t theme_js[] = {
#embed "../Interchange/Web/Page/theme.js"
};
static const uint8_t tokens_css[] = {
#embed "../Interchange/Web/Page/tokens.css"
};
static const uint8_t typeface_bold_woff2[] = {
#embed "../Interchange/Web/Page/typeface-bold.woff2"
};
static const uint8_t typeface_medium_woff2[] = {
#embed "../Interchange/Web/Page/typeface-medium.woff2"
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
static const drawml_page_file shared_files[] = {
    FILE("base.css", base_css),
    FILE("dom.js", dom_js),
    FILE("forced-colors.css", forced_colors_css),
    FILE("icon.svg", icon_svg),
    FILE("icons.js", icons_js),
    FILE("ink-picture.js", ink_picture_js),
    FILE("ink-surface.css", ink_surface_css),
    FILE("ink-surface.js", ink_surface_js),
    FILE("ink-trace.js", ink_trace_js),
    FILE("license-typeface.txt", license_typeface_txt),
    FILE("parts.css", parts_css),
    FILE("sheet-view.js", sheet_view_js),
    FILE("stray-presses.js", stray_presses_js),
    FILE("theme.js", theme_js),
    FILE("tokens.css", tokens_css),
    FILE("typeface-bold.woff2", typeface_bold_woff2),
    FILE("typeface-medium.woff2", typeface_medium_woff2),
};
#undef FILE

const drawml_page_file *drawml_web_files(void) { return files; }
size_t drawml_web_file_count(void) { return sizeof files / sizeof *files; }
const drawml_page_file *drawml_shared_files(void) { return shared_files; }
size_t drawml_shared_file_count(void) { return sizeof shared_files / sizeof *shared_files; }
