#include "CPage.h"

// `#embed` is of C23: the compiler copies the file in without parsing it.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t art_css[] = {
#embed "../Studio/Page/art.css"
};
static const uint8_t art_gallery_js[] = {
#embed "../Studio/Page/art-gallery.js"
};
static const uint8_t art_result_js[] = {
#embed "../Studio/Page/art-result.js"
};
static const uint8_t art_sheet_js[] = {
#embed "../Studio/Page/art-sheet.js"
};
static const uint8_t art_sketch_js[] = {
#embed "../Studio/Page/art-sketch.js"
};
static const uint8_t art_styles_js[] = {
#embed "../Studio/Page/art-styles.js"
};
static const uint8_t index_html[] = {
#embed "../Studio/Page/index.html"
};
static const uint8_t api_js[] = {
#embed "../Studio/Page/api.js"
};
static const uint8_t app_js[] = {
#embed "../Studio/Page/app.js"
};
static const uint8_t app_webmanifest[] = {
#embed "../Studio/Page/app.webmanifest"
};
static const uint8_t browser_model_js[] = {
#embed "../Studio/Page/browser-model.js"
};
static const uint8_t calm_adult_css[] = {
#embed "../Studio/Page/calm-adult.css"
};
static const uint8_t calm_adult_html[] = {
#embed "../Studio/Page/calm-adult.html"
};
static const uint8_t calm_adult_js[] = {
#embed "../Studio/Page/calm-adult.js"
};
static const uint8_t calm_css[] = {
#embed "../Studio/Page/calm.css"
};
static const uint8_t calm_fingers_js[] = {
#embed "../Studio/Page/calm-fingers.js"
};
static const uint8_t calm_gate_js[] = {
#embed "../Studio/Page/calm-gate.js"
};
static const uint8_t calm_html[] = {
#embed "../Studio/Page/calm.html"
};
static const uint8_t calm_js[] = {
#embed "../Studio/Page/calm.js"
};
static const uint8_t calm_paint_js[] = {
#embed "../Studio/Page/calm-paint.js"
};
static const uint8_t calm_random_js[] = {
#embed "../Studio/Page/calm-random.js"
};
static const uint8_t calm_scene_aurora_js[] = {
#embed "../Studio/Page/calm-scene-aurora.js"
};
static const uint8_t calm_scene_bloom_js[] = {
#embed "../Studio/Page/calm-scene-bloom.js"
};
static const uint8_t calm_scene_bubbles_js[] = {
#embed "../Studio/Page/calm-scene-bubbles.js"
};
static const uint8_t calm_scene_colors_js[] = {
#embed "../Studio/Page/calm-scene-colors.js"
};
static const uint8_t calm_scene_dust_js[] = {
#embed "../Studio/Page/calm-scene-dust.js"
};
static const uint8_t calm_scene_ripples_js[] = {
#embed "../Studio/Page/calm-scene-ripples.js"
};
static const uint8_t calm_scene_snow_js[] = {
#embed "../Studio/Page/calm-scene-snow.js"
};
static const uint8_t calm_scene_still_js[] = {
#embed "../Studio/Page/calm-scene-still.js"
};
static const uint8_t calm_scenes_js[] = {
#embed "../Studio/Page/calm-scenes.js"
};
static const uint8_t calm_sound_js[] = {
#embed "../Studio/Page/calm-sound.js"
};
static const uint8_t capture_css[] = {
#embed "../Studio/Page/capture.css"
};
static const uint8_t capture_drawings_js[] = {
#embed "../Studio/Page/capture-drawings.js"
};
static const uint8_t capture_words_js[] = {
#embed "../Studio/Page/capture-words.js"
};
static const uint8_t certainty_js[] = {
#embed "../Studio/Page/certainty.js"
};
static const uint8_t dialogs_css[] = {
#embed "../Studio/Page/dialogs.css"
};
static const uint8_t dialogs_js[] = {
#embed "../Studio/Page/dialogs.js"
};
static const uint8_t drawing_sheet_js[] = {
#embed "../Studio/Page/drawing-sheet.js"
};
static const uint8_t emoji_ar_txt_gz[] = {
#embed "../Studio/Page/emoji-ar.txt.gz"
};
static const uint8_t emoji_bn_txt_gz[] = {
#embed "../Studio/Page/emoji-bn.txt.gz"
};
static const uint8_t emoji_de_txt_gz[] = {
#embed "../Studio/Page/emoji-de.txt.gz"
};
static const uint8_t emoji_en_txt_gz[] = {
#embed "../Studio/Page/emoji-en.txt.gz"
};
static const uint8_t emoji_es_txt_gz[] = {
#embed "../Studio/Page/emoji-es.txt.gz"
};
static const uint8_t emoji_fr_txt_gz[] = {
#embed "../Studio/Page/emoji-fr.txt.gz"
};
static const uint8_t emoji_hi_txt_gz[] = {
#embed "../Studio/Page/emoji-hi.txt.gz"
};
static const uint8_t emoji_id_txt_gz[] = {
#embed "../Studio/Page/emoji-id.txt.gz"
};
static const uint8_t emoji_ja_txt_gz[] = {
#embed "../Studio/Page/emoji-ja.txt.gz"
};
static const uint8_t emoji_pt_txt_gz[] = {
#embed "../Studio/Page/emoji-pt.txt.gz"
};
static const uint8_t emoji_ru_txt_gz[] = {
#embed "../Studio/Page/emoji-ru.txt.gz"
};
static const uint8_t emoji_ur_txt_gz[] = {
#embed "../Studio/Page/emoji-ur.txt.gz"
};
static const uint8_t emoji_zh_txt_gz[] = {
#embed "../Studio/Page/emoji-zh.txt.gz"
};
static const uint8_t emojis_js[] = {
#embed "../Studio/Page/emojis.js"
};
static const uint8_t events_js[] = {
#embed "../Studio/Page/events.js"
};
static const uint8_t everyday_js[] = {
#embed "../Studio/Page/everyday.js"
};
static const uint8_t explain_js[] = {
#embed "../Studio/Page/explain.js"
};
static const uint8_t invitation_css[] = {
#embed "../Studio/Page/invitation.css"
};
static const uint8_t invitation_js[] = {
#embed "../Studio/Page/invitation.js"
};
static const uint8_t kept_js[] = {
#embed "../Studio/Page/kept.js"
};
static const uint8_t lesson_js[] = {
#embed "../Studio/Page/lesson.js"
};
static const uint8_t license_unicode_txt[] = {
#embed "../Studio/Page/license-unicode.txt"
};
static const uint8_t live_guesses_js[] = {
#embed "../Studio/Page/live-guesses.js"
};
static const uint8_t messages_js[] = {
#embed "../Studio/Page/messages.js"
};
static const uint8_t onboarding_js[] = {
#embed "../Studio/Page/onboarding.js"
};
static const uint8_t passphrase_form_js[] = {
#embed "../Studio/Page/passphrase-form.js"
};
static const uint8_t picker_css[] = {
#embed "../Studio/Page/picker.css"
};
static const uint8_t picker_js[] = {
#embed "../Studio/Page/picker.js"
};
static const uint8_t placement_js[] = {
#embed "../Studio/Page/placement.js"
};
static const uint8_t playground_canvas_js[] = {
#embed "../Studio/Page/playground-canvas.js"
};
static const uint8_t playground_link_js[] = {
#embed "../Studio/Page/playground-link.js"
};
static const uint8_t print_css[] = {
#embed "../Studio/Page/print.css"
};
static const uint8_t projector_css[] = {
#embed "../Studio/Page/projector.css"
};
static const uint8_t projector_js[] = {
#embed "../Studio/Page/projector.js"
};
static const uint8_t refresh_js[] = {
#embed "../Studio/Page/refresh.js"
};
static const uint8_t report_css[] = {
#embed "../Studio/Page/report.css"
};
static const uint8_t report_words_js[] = {
#embed "../Studio/Page/report-words.js"
};
static const uint8_t report_js[] = {
#embed "../Studio/Page/report.js"
};
static const uint8_t router_js[] = {
#embed "../Studio/Page/router.js"
};
static const uint8_t samples_css[] = {
#embed "../Studio/Page/samples.css"
};
static const uint8_t samples_js[] = {
#embed "../Studio/Page/samples.js"
};
static const uint8_t screen_art_js[] = {
#embed "../Studio/Page/screen-art.js"
};
static const uint8_t screen_capture_js[] = {
#embed "../Studio/Page/screen-capture.js"
};
static const uint8_t screen_help_css[] = {
#embed "../Studio/Page/screen-help.css"
};
static const uint8_t screen_help_js[] = {
#embed "../Studio/Page/screen-help.js"
};
static const uint8_t screen_home_css[] = {
#embed "../Studio/Page/screen-home.css"
};
static const uint8_t screen_home_js[] = {
#embed "../Studio/Page/screen-home.js"
};
static const uint8_t screen_labels_css[] = {
#embed "../Studio/Page/screen-labels.css"
};
static const uint8_t screen_labels_js[] = {
#embed "../Studio/Page/screen-labels.js"
};
static const uint8_t screen_models_css[] = {
#embed "../Studio/Page/screen-models.css"
};
static const uint8_t screen_models_js[] = {
#embed "../Studio/Page/screen-models.js"
};
static const uint8_t screen_playground_css[] = {
#embed "../Studio/Page/screen-playground.css"
};
static const uint8_t screen_playground_js[] = {
#embed "../Studio/Page/screen-playground.js"
};
static const uint8_t screen_templates_js[] = {
#embed "../Studio/Page/screen-templates.js"
};
static const uint8_t screen_train_css[] = {
#embed "../Studio/Page/screen-train.css"
};
static const uint8_t screen_train_js[] = {
#embed "../Studio/Page/screen-train.js"
};
static const uint8_t screens_css[] = {
#embed "../Studio/Page/screens.css"
};
static const uint8_t settings_js[] = {
#embed "../Studio/Page/settings.js"
};
static const uint8_t shape_menu_css[] = {
#embed "../Studio/Page/shape-menu.css"
};
static const uint8_t shape_menu_js[] = {
#embed "../Studio/Page/shape-menu.js"
};
static const uint8_t sheet_export_js[] = {
#embed "../Studio/Page/sheet-export.js"
};
static const uint8_t sheet_picture_js[] = {
#embed "../Studio/Page/sheet-picture.js"
};
static const uint8_t similarity_js[] = {
#embed "../Studio/Page/similarity.js"
};
static const uint8_t split_dialog_js[] = {
#embed "../Studio/Page/split-dialog.js"
};
static const uint8_t store_js[] = {
#embed "../Studio/Page/store.js"
};
static const uint8_t templates_css[] = {
#embed "../Studio/Page/templates.css"
};
static const uint8_t templates_js[] = {
#embed "../Studio/Page/templates.js"
};
static const uint8_t toasts_css[] = {
#embed "../Studio/Page/toasts.css"
};
static const uint8_t toasts_js[] = {
#embed "../Studio/Page/toasts.js"
};
static const uint8_t trace_camera_js[] = {
#embed "../Studio/Page/trace-camera.js"
};
static const uint8_t trace_gestures_js[] = {
#embed "../Studio/Page/trace-gestures.js"
};
static const uint8_t trace_screen_js[] = {
#embed "../Studio/Page/trace-screen.js"
};
static const uint8_t trace_css[] = {
#embed "../Studio/Page/trace.css"
};
static const uint8_t trace_html[] = {
#embed "../Studio/Page/trace.html"
};
static const uint8_t trace_js[] = {
#embed "../Studio/Page/trace.js"
};
static const uint8_t training_js[] = {
#embed "../Studio/Page/training.js"
};

// When you add a file to the folder, add it above and here; a test compares them.
#define FILE(name, bytes) {name, bytes, sizeof bytes}
static const drawml_page_file files[] = {
    FILE("index.html", index_html),
    FILE("api.js", api_js),
    FILE("app.js", app_js),
    FILE("app.webmanifest", app_webmanifest),
    FILE("art-gallery.js", art_gallery_js),
    FILE("art-result.js", art_result_js),
    FILE("art-sheet.js", art_sheet_js),
    FILE("art-sketch.js", art_sketch_js),
    FILE("art-styles.js", art_styles_js),
    FILE("art.css", art_css),
    FILE("browser-model.js", browser_model_js),
    FILE("calm-adult.css", calm_adult_css),
    FILE("calm-adult.html", calm_adult_html),
    FILE("calm-adult.js", calm_adult_js),
    FILE("calm-fingers.js", calm_fingers_js),
    FILE("calm-gate.js", calm_gate_js),
    FILE("calm-paint.js", calm_paint_js),
    FILE("calm-random.js", calm_random_js),
    FILE("calm-scene-aurora.js", calm_scene_aurora_js),
    FILE("calm-scene-bloom.js", calm_scene_bloom_js),
    FILE("calm-scene-bubbles.js", calm_scene_bubbles_js),
    FILE("calm-scene-colors.js", calm_scene_colors_js),
    FILE("calm-scene-dust.js", calm_scene_dust_js),
    FILE("calm-scene-ripples.js", calm_scene_ripples_js),
    FILE("calm-scene-snow.js", calm_scene_snow_js),
    FILE("calm-scene-still.js", calm_scene_still_js),
    FILE("calm-scenes.js", calm_scenes_js),
    FILE("calm-sound.js", calm_sound_js),
    FILE("calm.css", calm_css),
    FILE("calm.html", calm_html),
    FILE("calm.js", calm_js),
    FILE("capture.css", capture_css),
    FILE("capture-drawings.js", capture_drawings_js),
    FILE("capture-words.js", capture_words_js),
    FILE("certainty.js", certainty_js),
    FILE("dialogs.css", dialogs_css),
    FILE("dialogs.js", dialogs_js),
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
    FILE("invitation.css", invitation_css),
    FILE("invitation.js", invitation_js),
    FILE("kept.js", kept_js),
    FILE("lesson.js", lesson_js),
    FILE("license-unicode.txt", license_unicode_txt),
    FILE("live-guesses.js", live_guesses_js),
    FILE("messages.js", messages_js),
    FILE("onboarding.js", onboarding_js),
    FILE("passphrase-form.js", passphrase_form_js),
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
    FILE("screen-art.js", screen_art_js),
    FILE("screen-capture.js", screen_capture_js),
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
    FILE("similarity.js", similarity_js),
    FILE("split-dialog.js", split_dialog_js),
    FILE("store.js", store_js),
    FILE("templates.css", templates_css),
    FILE("templates.js", templates_js),
    FILE("toasts.css", toasts_css),
    FILE("toasts.js", toasts_js),
    FILE("trace-camera.js", trace_camera_js),
    FILE("trace-gestures.js", trace_gestures_js),
    FILE("trace-screen.js", trace_screen_js),
    FILE("trace.css", trace_css),
    FILE("trace.html", trace_html),
    FILE("trace.js", trace_js),
    FILE("training.js", training_js),
};
#undef FILE

const drawml_page_file *drawml_page_files(void) { return files; }
size_t drawml_page_file_count(void) { return sizeof files / sizeof *files; }
