public import Foundation
internal import JSON

/// A picture that was made of a sketch (TF-042).
public struct Artwork: Hashable, Sendable, Identifiable {
  /// A UUID in lower case.
  public var id: String
  /// When it was made, to the millisecond.
  public var created: Date
  /// The id of its style, such as "watercolor-painting".
  public var style: String
  /// The name of the image model that made it; nil if this machine did.
  public var maker: String?
  /// The labels of the shapes that were recognized on the sketch, ascending.
  public var labels: [String]
  /// Whether it is one of the user's favorites.
  public var isFavorite: Bool
  /// How much the user likes it, in `starRange`; nil if the user has not said.
  public var stars: Int?

  /// The range of `stars`.
  public static let starRange = 1...5
}

extension Artwork: Encodable {
  private enum CodingKeys: CodingKey { case id, created, style, maker, labels, isFavorite, stars }

  /// Writes all keys, including those without a value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(created, forKey: .created)
    try container.encode(style, forKey: .style)
    try container.encode(maker, forKey: .maker)
    try container.encode(labels, forKey: .labels)
    try container.encode(isFavorite, forKey: .isFavorite)
    try container.encode(stars, forKey: .stars)
  }
}

/// What to change of an artwork; the rest stays.
public struct ArtworkChange: Hashable, Sendable {
  /// Whether it is one of the user's favorites.
  public var isFavorite: Bool?
  /// How much the user likes it, in `Artwork.starRange`; nil to keep that, and nil within to take it
  /// back.
  public var stars: Int??

  /// A change, by default of nothing.
  public init(isFavorite: Bool? = nil, stars: Int?? = nil) {
    self.isFavorite = isFavorite
    self.stars = stars
  }
}

extension ArtworkChange: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case isFavorite, stars }

  /// Decodes a change; null takes the stars back.
  ///
  /// - Throws: `DecodingError` for an unknown key or an invalid value.
  public init(from decoder: any Decoder) throws {
    try decoder.requireKeys(of: CodingKeys.self, calledA: "property of a picture")
    let container = try decoder.container(keyedBy: CodingKeys.self)
    isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite)
    guard container.contains(.stars) else { return }
    // Elsewhere null may be refused in place of a missing key; here the two differ.
    let stars = try OrNull<Int>(from: container.superDecoder(forKey: .stars)).wrappedValue
    guard stars.map(Artwork.starRange.contains) ?? true else {
      let range = Artwork.starRange
      throw DecodingError.dataCorruptedError(
        forKey: .stars, in: container,
        debugDescription: "stars are in \(range.lowerBound)...\(range.upperBound), or null")
    }
    self.stars = .some(stars)
  }
}
