/// Why a file is against its format; readers add the file and the place in it.
struct FormatFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
