/// Draws sketches as they are: the picture that is exported, and that an image model gets.
public enum SketchPicture {
  /// Columns and rows of the picture.
  public static let side = 1024

  /// The sketch on white, 1,024 × 1,024 pixels.
  ///
  /// The canvas is scaled to fit with its aspect kept, and centered; what is beyond it is cut off.
  /// Lines are antialiased, with round caps and joins; a stroke of one point is a dot. A marker lets
  /// half of what is below through, and gets no darker where it crosses itself; an eraser paints
  /// white.
  ///
  /// - Complexity: O(length × width of all strokes).
  public static func picture(of sketch: Sketch) -> RGBPicture {
    let frame = SketchFrame(sketch.canvas, side: side)
    var painter = StrokePainter(frame)
    var tones = [Tone](repeating: .one, count: side * side)
    for line in sketch.lines {
      let tone = line.pen.tool == .eraser ? Tone.one : Tone(line.pen.color)
      let opacity: Float = line.pen.tool == .marker ? 0.5 : 1
      painter.stroke(frame.placed(line)) { index, coverage, _ in
        tones[index] = tones[index].mixed(with: tone, coverage * opacity)
      }
    }
    return RGBPicture(side: side) { _, _, index in tones[index] }
  }
}
