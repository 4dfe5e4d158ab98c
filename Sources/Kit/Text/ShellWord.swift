extension String {
  /// The text, such as a path, as one word for a shell.
  package var shellWord: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "/._-+@%:=,".contains($0) }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }
}
