package import JSON

/// The JSON text of drawings: see `docs/FORMATS.md`.
///
/// One drawing is one object. Its strokes are under `strokes` or `drawing`, each a list of columns
/// `[[x…],[y…]]` or `[[x…],[y…],[t…]]`, or of objects `{"x":1,"y":2,"t":0}`. The label is `label`,
/// else Quick, Draw!'s `word`, else Omniglot's `alphabet/character`; the id is `id`, else `key_id`,
/// else `file`, text or number. `canvas`, `shapes` and `recognized` are read; other keys are
/// skipped.
///
/// Where JSON leaves a choice: keys may come in any order. Errors are a duplicate of one of the
/// keys above, both `strokes` and `drawing`, a lone surrogate in a `\u` escape and invalid UTF-8
/// anywhere. An empty label is ignored. A stroke without points is dropped, and the indices in
/// `shapes` are updated; a drawing in which no stroke has a point throws `InkError.emptyDrawing`.
public enum StrokeJSON {
  /// The drawing in `bytes`, which hold one object and nothing else.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public static func parse(_ bytes: [UInt8]) throws(InkError) -> Drawing {
    var parser = DrawingParser(bytes)
    let drawing = try parser.drawing()
    do { try parser.scanner.expectEnd() } catch { throw InkError(error) }
    return drawing
  }

  /// The drawing that a value describes; bytes in errors count from the start of the value's text.
  package static func parse(_ value: JSONValue) throws(InkError) -> Drawing {
    var parser = DrawingParser(value.scanner)
    return try parser.drawing()
  }
}
