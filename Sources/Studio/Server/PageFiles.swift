internal import Hummingbird
internal import Support

/// A file of the page.
struct PageFile: Sendable {
  /// The path of its URL, such as "/app.js".
  var path: String
  /// Its media type.
  var type: String
  /// Its bytes.
  var bytes: [UInt8]
  /// The entity tag of its bytes, in quotation marks.
  var tag: String

  /// A file of the folder `Page`.
  init(_ name: String, _ bytes: [UInt8]) {
    path = name == "index.html" ? "/" : "/" + name
    type = Self.type(of: name)
    self.bytes = bytes
    tag = "\"\(Fingerprint.sha256(bytes).prefix(32))\""
  }

  /// The media type for a file name's extension.
  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "woff2": "font/woff2"
    case "gz": "application/gzip"
    default: "text/plain; charset=utf-8"
    }
  }
}

extension PageFile {
  /// All files of the page, embedded in the program. Requests are served only from this list, so
  /// their paths never reach the file system.
  ///
  /// When you add a file to `Page`, add it here; a test compares them.
  static let all: [PageFile] = [
    PageFile("index.html", PackageResources.index_html),
    PageFile("api.js", PackageResources.api_js),
    PageFile("app.js", PackageResources.app_js),
    PageFile("app.webmanifest", PackageResources.app_webmanifest),
    PageFile("base.css", PackageResources.base_css),
    PageFile("certainty.js", PackageResources.certainty_js),
    PageFile("dialogs.css", PackageResources.dialogs_css),
    PageFile("dialogs.js", PackageResources.dialogs_js),
    PageFile("dom.js", PackageResources.dom_js),
    PageFile("emoji-ar.txt.gz", PackageResources.emoji_ar_txt_gz),
    PageFile("emoji-bn.txt.gz", PackageResources.emoji_bn_txt_gz),
    PageFile("emoji-de.txt.gz", PackageResources.emoji_de_txt_gz),
    PageFile("emoji-en.txt.gz", PackageResources.emoji_en_txt_gz),
    PageFile("emoji-es.txt.gz", PackageResources.emoji_es_txt_gz),
    PageFile("emoji-fr.txt.gz", PackageResources.emoji_fr_txt_gz),
    PageFile("emoji-hi.txt.gz", PackageResources.emoji_hi_txt_gz),
    PageFile("emoji-id.txt.gz", PackageResources.emoji_id_txt_gz),
    PageFile("emoji-ja.txt.gz", PackageResources.emoji_ja_txt_gz),
    PageFile("emoji-pt.txt.gz", PackageResources.emoji_pt_txt_gz),
    PageFile("emoji-ru.txt.gz", PackageResources.emoji_ru_txt_gz),
    PageFile("emoji-ur.txt.gz", PackageResources.emoji_ur_txt_gz),
    PageFile("emoji-zh.txt.gz", PackageResources.emoji_zh_txt_gz),
    PageFile("emojis.js", PackageResources.emojis_js),
    PageFile("events.js", PackageResources.events_js),
    PageFile("everyday.js", PackageResources.everyday_js),
    PageFile("explain.js", PackageResources.explain_js),
    PageFile("forced-colors.css", PackageResources.forced_colors_css),
    PageFile("icon.svg", PackageResources.icon_svg),
    PageFile("icons.js", PackageResources.icons_js),
    PageFile("ink-picture.js", PackageResources.ink_picture_js),
    PageFile("ink-surface.css", PackageResources.ink_surface_css),
    PageFile("ink-surface.js", PackageResources.ink_surface_js),
    PageFile("ink-trace.js", PackageResources.ink_trace_js),
    PageFile("lesson.js", PackageResources.lesson_js),
    PageFile("license-typeface.txt", PackageResources.license_typeface_txt),
    PageFile("license-unicode.txt", PackageResources.license_unicode_txt),
    PageFile("live-guesses.js", PackageResources.live_guesses_js),
    PageFile("messages.js", PackageResources.messages_js),
    PageFile("onboarding.js", PackageResources.onboarding_js),
    PageFile("parts.css", PackageResources.parts_css),
    PageFile("picker.css", PackageResources.picker_css),
    PageFile("picker.js", PackageResources.picker_js),
    PageFile("playground-canvas.js", PackageResources.playground_canvas_js),
    PageFile("playground-link.js", PackageResources.playground_link_js),
    PageFile("print.css", PackageResources.print_css),
    PageFile("refresh.js", PackageResources.refresh_js),
    PageFile("report.js", PackageResources.report_js),
    PageFile("router.js", PackageResources.router_js),
    PageFile("samples.css", PackageResources.samples_css),
    PageFile("samples.js", PackageResources.samples_js),
    PageFile("screen-help.css", PackageResources.screen_help_css),
    PageFile("screen-help.js", PackageResources.screen_help_js),
    PageFile("screen-home.css", PackageResources.screen_home_css),
    PageFile("screen-home.js", PackageResources.screen_home_js),
    PageFile("screen-labels.css", PackageResources.screen_labels_css),
    PageFile("screen-labels.js", PackageResources.screen_labels_js),
    PageFile("screen-models.css", PackageResources.screen_models_css),
    PageFile("screen-models.js", PackageResources.screen_models_js),
    PageFile("screen-playground.css", PackageResources.screen_playground_css),
    PageFile("screen-playground.js", PackageResources.screen_playground_js),
    PageFile("screen-train.css", PackageResources.screen_train_css),
    PageFile("screen-train.js", PackageResources.screen_train_js),
    PageFile("screens.css", PackageResources.screens_css),
    PageFile("settings.js", PackageResources.settings_js),
    PageFile("shape-menu.css", PackageResources.shape_menu_css),
    PageFile("shape-menu.js", PackageResources.shape_menu_js),
    PageFile("sheet-export.js", PackageResources.sheet_export_js),
    PageFile("sheet-picture.js", PackageResources.sheet_picture_js),
    PageFile("store.js", PackageResources.store_js),
    PageFile("theme.js", PackageResources.theme_js),
    PageFile("toasts.css", PackageResources.toasts_css),
    PageFile("toasts.js", PackageResources.toasts_js),
    PageFile("tokens.css", PackageResources.tokens_css),
    PageFile("training.js", PackageResources.training_js),
    PageFile("typeface-bold.woff2", PackageResources.typeface_bold_woff2),
    PageFile("typeface-medium.woff2", PackageResources.typeface_medium_woff2),
  ]

  /// The paths of the files' URLs.
  static let paths = Set(all.map(\.path))
}
