/// Why a file is against its format; readers add the file and the place in it.
struct FormatFault: Error, CustomStringConvertible {
  let description: String
  /// Whether the file is sound but exceeds a limit, so that no part of it may be read.
  let isLimit: Bool

  init(_ description: String, isLimit: Bool = false) {
    (self.description, self.isLimit) = (description, isLimit)
  }
}
