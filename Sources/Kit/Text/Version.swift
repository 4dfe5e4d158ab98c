/// The versions of this program and of its compiler.
package enum Version {
  /// The version of DrawML.
  package static let text = "0.2.0"

  /// The compiler's version, as far as a program can determine it.
  package static var swift: String {
    #if compiler(>=6.4)
      "6.4 or newer"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
