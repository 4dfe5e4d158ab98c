/// Makes a picture from a sketch on this machine, one filter for each style.
///
/// Filters are drawing programs, not models: they use the strokes, the areas that these enclose and
/// colors, and know nothing of what is drawn but the tints. The same sketch, tints and seed give
/// the same bytes on every machine.
///
///     let fields = SketchFields(sketch, tints: [SketchTint(strokes: [0, 1], color: yellow)])
///     let picture = ArtFilter.watercolor.picture(of: fields, seed: 7)
public enum ArtFilter: String, Sendable, CaseIterable {
  /// Soft light on rounded shapes; the style's name promises more.
  case photorealistic
  /// Washes that bleed and granulate, on paper.
  case watercolor = "watercolor-painting"
  /// Outlines of varied width and two tones per color.
  case anime = "anime-manga"
  /// 128 × 128 pixels of few colors, dithered.
  case pixelArt = "pixel-art"
  /// Glowing lines in a night sky.
  case fantasy = "fantasy-magical"
  /// Bold outlines, flat colors, halftone dots.
  case comic = "cartoon-comic"
  /// Short brush strokes along the drawn ones, thick paint.
  case oil = "oil-painting"
  /// Graphite outlines and hatching on paper.
  case pencil = "pencil-sketch-enhanced"
  /// Four panels in bold color schemes, with dots.
  case popArt = "pop-art"
  /// Textured colors between a sky and a hill.
  case storybook = "storybook-illustration"

  /// The style that the filter imitates.
  public var style: ArtStyle {
    guard let style = ArtStyle.all.first(where: { $0.id == rawValue }) else {
      preconditionFailure("styles.json has no style \(rawValue)")
    }
    return style
  }

  /// The name for people: the style's, with where the picture is made.
  public var name: String { "\(style.name) (on this computer)" }

  /// What the filter does, in a few words for people.
  public var summary: String {
    switch self {
    case .photorealistic: "Soft light on rounded shapes, as if of clay. It is not a photo."
    case .watercolor: "Washes that bleed, granulate and dry darker at their edges"
    case .anime: "Clean outlines and two tones for each color"
    case .pixelArt: "128 × 128 pixels of few colors, with ordered dithering"
    case .fantasy: "Glowing lines in a night sky"
    case .comic: "Bold outlines, flat colors and halftone dots"
    case .oil: "Thick brush strokes that follow your lines"
    case .pencil: "Graphite outlines and hatching on paper"
    case .popArt: "Four panels in bold colors, with dots"
    case .storybook: "Warm, textured colors between a sky and a hill"
    }
  }

  /// The picture of a sketch.
  ///
  /// - Parameters:
  ///   - sketch: Strokes and canvas.
  ///   - tints: Natural colors of recognized shapes.
  ///   - seed: Selects the textures; any number.
  /// - Returns: A picture of 1,024 × 1,024 pixels.
  public func picture(
    of sketch: Sketch, tints: [SketchTint] = [], seed: UInt64 = 0
  ) -> RGBPicture {
    picture(of: SketchFields(sketch, tints: tints), seed: seed)
  }

  /// The picture of a sketch whose fields are known, for several pictures of one sketch.
  ///
  /// - Parameters:
  ///   - fields: The sketch's fields.
  ///   - seed: Selects the textures; any number.
  /// - Returns: A picture of 1,024 × 1,024 pixels.
  public func picture(of fields: SketchFields, seed: UInt64 = 0) -> RGBPicture {
    switch self {
    case .photorealistic: SoftLightFilter(fields, seed: seed).picture()
    case .watercolor: WatercolorFilter(fields, seed: seed).picture()
    case .anime: AnimeFilter(fields, seed: seed).picture()
    case .pixelArt: PixelArtFilter(fields, seed: seed).picture()
    case .fantasy: FantasyFilter(fields, seed: seed).picture()
    case .comic: ComicFilter(fields, seed: seed).picture()
    case .oil: OilFilter(fields, seed: seed).picture()
    case .pencil: PencilFilter(fields, seed: seed).picture()
    case .popArt: PopArtFilter(fields, seed: seed).picture()
    case .storybook: StorybookFilter(fields, seed: seed).picture()
    }
  }
}
