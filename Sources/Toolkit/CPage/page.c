#include "CPage.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t index_html[] = {
#embed "../../Studio/Studio/Page/index.html"
};
static const uint8_t api_js[] = {
#embed "../../Studio/Studio/Page/api.js"
};
static const uint8_t app_js[] = {
#embed "../../Studio/Studio/Page/app.js"
};
static const uint8_t app_webmanifest[] = {
#embed "../../Studio/Studio/Page/app.webmanifest"
};
static const uint8_t base_css[] = {
#embed "../../Studio/Studio/Page/base.css"
};
static const uint8_t browser_model_js[] = {
#embed "../../Studio/Studio/Page/browser-model.js"
};
static const uint8_t certainty_js[] = {
#embed "../../Studio/Studio/Page/certainty.js"
};
static const uint8_t dialogs_css[] = {
#embed "../../Studio/Studio/Page/dialogs.css"
};
static const uint8_t dialogs_js[] = {
#embed "../../Studio/Studio/Page/dialogs.js"
};
static const uint8_t dom_js[] = {
#embed "../../Studio/Studio/Page/dom.js"
};
static const uint8_t drawing_sheet_js[] = {
#embed "../../Studio/Studio/Page/drawing-sheet.js"
};
static const uint8_t emoji_ar_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-ar.txt.gz"
};
static const uint8_t emoji_bn_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-bn.txt.gz"
};
static const uint8_t emoji_de_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-de.txt.gz"
};
static const uint8_t emoji_en_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-en.txt.gz"
};
static const uint8_t emoji_es_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-es.txt.gz"
};
static const uint8_t emoji_fr_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-fr.txt.gz"
};
static const uint8_t emoji_hi_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-hi.txt.gz"
};
static const uint8_t emoji_id_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-id.txt.gz"
};
static const uint8_t emoji_ja_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-ja.txt.gz"
};
static const uint8_t emoji_pt_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-pt.txt.gz"
};
static const uint8_t emoji_ru_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-ru.txt.gz"
};
static const uint8_t emoji_ur_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-ur.txt.gz"
};
static const uint8_t emoji_zh_txt_gz[] = {
#embed "../../Studio/Studio/Page/emoji-zh.txt.gz"
};
static const uint8_t emojis_js[] = {
#embed "../../Studio/Studio/Page/emojis.js"
};
static const uint8_t events_js[] = {
#embed "../../Studio/Studio/Page/events.js"
};
static const uint8_t everyday_js[] = {
#embed "../../Studio/Studio/Page/everyday.js"
};
static const uint8_t explain_js[] = {
#embed "../../Studio/Studio/Page/explain.js"
};
static const uint8_t forced_colors_css[] = {
#embed "../../Studio/Studio/Page/forced-colors.css"
};
static const uint8_t icon_svg[] = {
#embed "../../Studio/Studio/Page/icon.svg"
};
static const uint8_t icons_js[] = {
#embed "../../Studio/Studio/Page/icons.js"
};
static const uint8_t ink_picture_js[] = {
#embed "../../Studio/Studio/Page/ink-picture.js"
};
static const uint8_t ink_surface_css[] = {
#embed "../../Studio/Studio/Page/ink-surface.css"
};
static const uint8_t ink_surface_js[] = {
#embed "../../Studio/Studio/Page/ink-surface.js"
};
static const uint8_t ink_trace_js[] = {
#embed "../../Studio/Studio/Page/ink-trace.js"
};
static const uint8_t invitation_css[] = {
#embed "../../Studio/Studio/Page/invitation.css"
};
static const uint8_t invitation_js[] = {
#embed "../../Studio/Studio/Page/invitation.js"
};
static const uint8_t kept_js[] = {
#embed "../../Studio/Studio/Page/kept.js"
};
static const uint8_t lesson_js[] = {
#embed "../../Studio/Studio/Page/lesson.js"
};
static const uint8_t license_typeface_txt[] = {
#embed "../../Studio/Studio/Page/license-typeface.txt"
};
static const uint8_t license_unicode_txt[] = {
#embed "../../Studio/Studio/Page/license-unicode.txt"
};
static const uint8_t live_guesses_js[] = {
#embed "../../Studio/Studio/Page/live-guesses.js"
};
static const uint8_t messages_js[] = {
#embed "../../Studio/Studio/Page/messages.js"
};
static const uint8_t onboarding_js[] = {
#embed "../../Studio/Studio/Page/onboarding.js"
};
static const uint8_t parts_css[] = {
#embed "../../Studio/Studio/Page/parts.css"
};
static const uint8_t picker_css[] = {
#embed "../../Studio/Studio/Page/picker.css"
};
static const uint8_t picker_js[] = {
#embed "../../Studio/Studio/Page/picker.js"
};
static const uint8_t placement_js[] = {
#embed "../../Studio/Studio/Page/placement.js"
};
static const uint8_t playground_canvas_js[] = {
#embed "../../Studio/Studio/Page/playground-canvas.js"
};
static const uint8_t playground_link_js[] = {
#embed "../../Studio/Studio/Page/playground-link.js"
};
static const uint8_t print_css[] = {
#embed "../../Studio/Studio/Page/print.css"
};
static const uint8_t projector_css[] = {
#embed "../../Studio/Studio/Page/projector.css"
};
static const uint8_t projector_js[] = {
#embed "../../Studio/Studio/Page/projector.js"
};
static const uint8_t refresh_js[] = {
#embed "../../Studio/Studio/Page/refresh.js"
};
static const uint8_t report_css[] = {
#embed "../../Studio/Studio/Page/report.css"
};
static const uint8_t report_words_js[] = {
#embed "../../Studio/Studio/Page/report-words.js"
};
static const uint8_t report_js[] = {
#embed "../../Studio/Studio/Page/report.js"
};
static const uint8_t router_js[] = {
#embed "../../Studio/Studio/Page/router.js"
};
static const uint8_t samples_css[] = {
#embed "../../Studio/Studio/Page/samples.css"
};
static const uint8_t samples_js[] = {
#embed "../../Studio/Studio/Page/samples.js"
};
static const uint8_t screen_help_css[] = {
#embed "../../Studio/Studio/Page/screen-help.css"
};
static const uint8_t screen_help_js[] = {
#embed "../../Studio/Studio/Page/screen-help.js"
};
static const uint8_t screen_home_css[] = {
#embed "../../Studio/Studio/Page/screen-home.css"
};
static const uint8_t screen_home_js[] = {
#embed "../../Studio/Studio/Page/screen-home.js"
};
static const uint8_t screen_labels_css[] = {
#embed "../../Studio/Studio/Page/screen-labels.css"
};
static const uint8_t screen_labels_js[] = {
#embed "../../Studio/Studio/Page/screen-labels.js"
};
static const uint8_t screen_models_css[] = {
#embed "../../Studio/Studio/Page/screen-models.css"
};
static const uint8_t screen_models_js[] = {
#embed "../../Studio/Studio/Page/screen-models.js"
};
static const uint8_t screen_playground_css[] = {
#embed "../../Studio/Studio/Page/screen-playground.css"
};
static const uint8_t screen_playground_js[] = {
#embed "../../Studio/Studio/Page/screen-playground.js"
};
static const uint8_t screen_templates_js[] = {
#embed "../../Studio/Studio/Page/screen-templates.js"
};
static const uint8_t screen_train_css[] = {
#embed "../../Studio/Studio/Page/screen-train.css"
};
static const uint8_t screen_train_js[] = {
#embed "../../Studio/Studio/Page/screen-train.js"
};
static const uint8_t screens_css[] = {
#embed "../../Studio/Studio/Page/screens.css"
};
static const uint8_t settings_js[] = {
#embed "../../Studio/Studio/Page/settings.js"
};
static const uint8_t shape_menu_css[] = {
#embed "../../Studio/Studio/Page/shape-menu.css"
};
static const uint8_t shape_menu_js[] = {
#embed "../../Studio/Studio/Page/shape-menu.js"
};
static const uint8_t sheet_export_js[] = {
#embed "../../Studio/Studio/Page/sheet-export.js"
};
static const uint8_t sheet_picture_js[] = {
#embed "../../Studio/Studio/Page/sheet-picture.js"
};
static const uint8_t sheet_view_js[] = {
#embed "../../Studio/Studio/Page/sheet-view.js"
};
static const uint8_t similarity_js[] = {
#embed "../../Studio/Studio/Page/similarity.js"
};
static const uint8_t split_dialog_js[] = {
#embed "../../Studio/Studio/Page/split-dialog.js"
};
static const uint8_t store_js[] = {
#embed "../../Studio/Studio/Page/store.js"
};
static const uint8_t stray_presses_js[] = {
#embed "../../Studio/Studio/Page/stray-presses.js"
};
static const uint8_t templates_css[] = {
#embed "../../Studio/Studio/Page/templates.css"
};
static const uint8_t templates_js[] = {
#embed "../../Studio/Studio/Page/templates.js"
};
static const uint8_t theme_js[] = {
#embed "../../Studio/Studio/Page/theme.js"
};
static const uint8_t toasts_css[] = {
#embed "../../Studio/Studio/Page/toasts.css"
};
static const uint8_t toasts_js[] = {
#embed "../../Studio/Studio/Page/toasts.js"
};
static const uint8_t tokens_css[] = {
#embed "../../Studio/Studio/Page/tokens.css"
};
static const uint8_t trace_camera_js[] = {
#embed "../../Studio/Studio/Page/trace-camera.js"
};
static const uint8_t trace_gestures_js[] = {
#embed "../../Studio/Studio/Page/trace-gestures.js"
};
static const uint8_t trace_screen_js[] = {
#embed "../../Studio/Studio/Page/trace-screen.js"
};
static const uint8_t trace_css[] = {
#embed "../../Studio/Studio/Page/trace.css"
};
static const uint8_t trace_html[] = {
#embed "../../Studio/Studio/Page/trace.html"
};
static const uint8_t trace_js[] = {
#embed "../../Studio/Studio/Page/trace.js"
};
static const uint8_t training_js[] = {
#embed "../../Studio/Studio/Page/training.js"
};
static const uint8_t typeface_bold_woff2[] = {
#embed "../../Studio/Studio/Page/typeface-bold.woff2"
};
static const uint8_t typeface_medium_woff2[] = {
#embed "../../Studio/Studio/Page/typeface-medium.woff2"
};

// When you add a file to the folder, add it above and here; a test compares them.
#define FILE(name, bytes) {name, bytes, sizeof bytes}
static const drawml_page_file files[] = {
    FILE("index.html", index_html),
    FILE("api.js", api_js),
    FILE("app.js", app_js),
    FILE("app.webmanifest", app_webmanifest),
    FILE("base.css", base_css),
    FILE("browser-model.js", browser_model_js),
    FILE("certainty.js", certainty_js),
    FILE("dialogs.css", dialogs_css),
    FILE("dialogs.js", dialogs_js),
    FILE("dom.js", dom_js),
    FILE("drawing-sheet.js", drawing_sheet_js),
    FILE("emoji-ar.txt.gz", emoji_ar_txt_gz),
    FILE("emoji-bn.txt.gz", emoji_bn_txt_gz),
    FILE("emoji-de.txt.gz", emoji_de_txt_gz),
    FILE("emoji-en.txt.gz", emoji_en_txt_gz),
    FILE("emoji-es.txt.gz", emoji_es_txt_gz),
    FILE("emoji-fr.txt.gz", emoji_fr_txt_gz),
    FILE("emoji-hi.txt.gz", emoji_hi_txt_gz),
    FILE("emoji-id.txt.gz", emoji_id_txt_gz),
    FILE("emoji-ja.txt.gz", emoji_ja_txt_gz),
    FILE("emoji-pt.txt.gz", emoji_pt_txt_gz),
    FILE("emoji-ru.txt.gz", emoji_ru_txt_gz),
    FILE("emoji-ur.txt.gz", emoji_ur_txt_gz),
    FILE("emoji-zh.txt.gz", emoji_zh_txt_gz),
    FILE("emojis.js", emojis_js),
    FILE("events.js", events_js),
    FILE("everyday.js", everyday_js),
    FILE("explain.js", explain_js),
    FILE("forced-colors.css", forced_colors_css),
    FILE("icon.svg", icon_svg),
    FILE("icons.js", icons_js),
    FILE("ink-picture.js", ink_picture_js),
    FILE("ink-surface.css", ink_surface_css),
    FILE("ink-surface.js", ink_surface_js),
    FILE("ink-trace.js", ink_trace_js),
    FILE("invitation.css", invitation_css),
    FILE("invitation.js", invitation_js),
    FILE("kept.js", kept_js),
    FILE("lesson.js", lesson_js),
    FILE("license-typeface.txt", license_typeface_txt),
    FILE("license-unicode.txt", license_unicode_txt),
    FILE("live-guesses.js", live_guesses_js),
    FILE("messages.js", messages_js),
    FILE("onboarding.js", onboarding_js),
    FILE("parts.css", parts_css),
    FILE("picker.css", picker_css),
    FILE("picker.js", picker_js),
    FILE("placement.js", placement_js),
    FILE("playground-canvas.js", playground_canvas_js),
    FILE("playground-link.js", playground_link_js),
    FILE("print.css", print_css),
    FILE("projector.css", projector_css),
    FILE("projector.js", projector_js),
    FILE("refresh.js", refresh_js),
    FILE("report-words.js", report_words_js),
    FILE("report.css", report_css),
    FILE("report.js", report_js),
    FILE("router.js", router_js),
    FILE("samples.css", samples_css),
    FILE("samples.js", samples_js),
    FILE("screen-help.css", screen_help_css),
    FILE("screen-help.js", screen_help_js),
    FILE("screen-home.css", screen_home_css),
    FILE("screen-home.js", screen_home_js),
    FILE("screen-labels.css", screen_labels_css),
    FILE("screen-labels.js", screen_labels_js),
    FILE("screen-models.css", screen_models_css),
    FILE("screen-models.js", screen_models_js),
    FILE("screen-playground.css", screen_playground_css),
    FILE("screen-playground.js", screen_playground_js),
    FILE("screen-templates.js", screen_templates_js),
    FILE("screen-train.css", screen_train_css),
    FILE("screen-train.js", screen_train_js),
    FILE("screens.css", screens_css),
    FILE("settings.js", settings_js),
    FILE("shape-menu.css", shape_menu_css),
    FILE("shape-menu.js", shape_menu_js),
    FILE("sheet-export.js", sheet_export_js),
    FILE("sheet-picture.js", sheet_picture_js),
    FILE("sheet-view.js", sheet_view_js),
    FILE("similarity.js", similarity_js),
    FILE("split-dialog.js", split_dialog_js),
    FILE("store.js", store_js),
    FILE("stray-presses.js", stray_presses_js),
    FILE("templates.css", templates_css),
    FILE("templates.js", templates_js),
    FILE("theme.js", theme_js),
    FILE("toasts.css", toasts_css),
    FILE("toasts.js", toasts_js),
    FILE("tokens.css", tokens_css),
    FILE("trace-camera.js", trace_camera_js),
    FILE("trace-gestures.js", trace_gestures_js),
    FILE("trace-screen.js", trace_screen_js),
    FILE("trace.css", trace_css),
    FILE("trace.html", trace_html),
    FILE("trace.js", trace_js),
    FILE("training.js", training_js),
    FILE("typeface-bold.woff2", typeface_bold_woff2),
    FILE("typeface-medium.woff2", typeface_medium_woff2),
};
#undef FILE

const drawml_page_file *drawml_page_files(void) { return files; }
size_t drawml_page_file_count(void) { return sizeof files / sizeof *files; }
