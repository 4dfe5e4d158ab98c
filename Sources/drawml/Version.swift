/// What this program is and what built it.
enum Version {
  /// The version of DrawML.
  static let text = "0.1.0"

  /// The compiler's version, as far as a program can ask for it.
  static var swift: String {
    #if compiler(>=6.4)
      "6.4 or newer"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
