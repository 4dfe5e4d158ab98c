public import Ink

/// What a stroke was drawn with.
public struct SketchPen: Hashable, Sendable {
  /// The kind of tool.
  public enum Tool: String, Sendable, CaseIterable {
    /// Covers what is below.
    case pen
    /// Lets half of what is below through; a stroke that crosses itself gets no darker.
    case marker
    /// Removes what is below; its color is ignored.
    case eraser
  }

  /// The three widths of the sheet, in units of a canvas whose longer side is 500 units.
  public enum Width: Double, Sendable, CaseIterable {
    /// A thin line.
    case thin = 2.5
    /// The default.
    case medium = 5
    /// A thick line.
    case thick = 12

    /// The width in units of `canvas`.
    public func on(_ canvas: Drawing.Canvas) -> Double { rawValue / 500 * canvas.longerSide }
  }

  /// The color of the ink.
  public var color: SketchColor
  /// The width of the line in units of the canvas, above 0.
  public var width: Double
  /// The kind of tool.
  public var tool: Tool

  /// A pen of `width` units of the canvas.
  public init(color: SketchColor = .black, width: Double, tool: Tool = .pen) {
    (self.color, self.width, self.tool) = (color, width, tool)
  }

  /// The pen of a drawing that names none: black, a hundredth of the canvas's longer side.
  public static func plain(on canvas: Drawing.Canvas) -> SketchPen {
    SketchPen(width: Width.medium.on(canvas))
  }

  /// The largest width that files may give, as a share of the canvas's longer side. The time to
  /// draw a stroke is proportional to its width.
  package static let maxWidthShare = 0.125
}

extension Drawing.Canvas {
  /// The larger of width and height.
  var longerSide: Double { max(width, height) }
}
