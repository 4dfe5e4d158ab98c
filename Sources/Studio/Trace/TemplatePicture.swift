internal import Ink
internal import Pictures
internal import Vectorizing

/// A picture to draw over, as PNG.
public struct TemplatePicture: Hashable, Sendable {
  /// The file's bytes.
  public let png: [UInt8]
  /// Its size.
  public let size: Template.PictureSize

  /// The maximum number of pixels of a file.
  public static let mostPixels = 40_000_000
  /// The maximum memory for decoding, in bytes, whatever the file's size.
  private static let memory = 7 * mostPixels
  /// The maximum number of rows and columns; larger pictures are reduced.
  public static let largestSide = 2_048
  /// The maximum length in bytes: somewhat more than the pixels, which may be incompressible.
  public static let mostBytes = largestSide * largestSide * 4 + (1 << 20)

  /// A picture that was made by `init(file:)`.
  ///
  /// - Throws: `TemplateError` for another one.
  public init(png: [UInt8]) throws(TemplateError) {
    do {
      let (_, width, height) = try PNG.decode(png, as: .rgba)
      guard max(width, height) <= Self.largestSide, png.count <= Self.mostBytes else {
        throw TemplateError.tooManyPixels(width: width, height: height)
      }
      (self.png, size) = (png, Template.PictureSize(width: width, height: height))
    } catch {
      throw TemplateError(error)
    }
  }

  /// The picture of a PNG or JPEG file, upright, at most `largestSide` pixels a side, without what
  /// else the file says, such as where a photograph was taken.
  ///
  /// - Throws: `TemplateError`; `.foreign` for another file.
  init(file bytes: [UInt8]) throws(TemplateError) {
    let side = Self.largestSide
    do {
      if bytes.starts(with: PNG.signature) {
        let header = try PNG.header(of: bytes)
        try Self.check(width: header.width, height: header.height)
        if header.isGray, !header.isWide {
          try self.init(GrayPicture(png: bytes).reduced(toSide: side))
        } else {
          try self.init(ColorPicture(png: bytes, memory: Self.memory).reduced(toSide: side))
        }
      } else if bytes.starts(with: JPEG.signature) {
        let header = try JPEG.header(of: bytes)
        try Self.check(width: header.width, height: header.height)
        if header.isGray {
          try self.init(GrayPicture(jpeg: bytes).reduced(toSide: side))
        } else {
          let picture = try ColorPicture(jpeg: bytes, reducedTo: side, memory: Self.memory)
          try self.init(picture.reduced(toSide: side))
        }
      } else {
        throw UnreadPicture(bytes).map {
          TemplateError.unreadable("it is \($0.rawValue); \($0.advice)")
        } ?? .foreign
      }
    } catch {
      throw TemplateError(error)
    }
  }

  private init(_ picture: GrayPicture) throws {
    self.init(
      try PNG.encode(picture.values, width: picture.width, height: picture.height, as: .gray),
      width: picture.width, height: picture.height)
  }

  private init(_ picture: ColorPicture) throws {
    self.init(
      try PNG.encode(picture.values, width: picture.width, height: picture.height, as: .rgba),
      width: picture.width, height: picture.height)
  }

  private init(_ png: [UInt8], width: Int, height: Int) {
    (self.png, size) = (png, Template.PictureSize(width: width, height: height))
  }

  private static func check(width: Int, height: Int) throws(TemplateError) {
    guard width * height <= mostPixels else {
      throw .tooManyPixels(width: width, height: height)
    }
  }
}

extension TemplateError {
  /// What a reader of pictures threw.
  fileprivate init(_ error: any Error) {
    self = error as? TemplateError ?? .unreadable("\(error)")
  }
}
