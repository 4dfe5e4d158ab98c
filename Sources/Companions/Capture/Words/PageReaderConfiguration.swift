public import Files
package import JSON

extension PageReader {
  /// What a reader of pages does. In JSON, settings that are left out have their defaults.
  public struct Configuration: Sendable, Equatable {
    /// How carefully the words are read.
    public enum RecognitionLevel: String, Sendable, Codable, CaseIterable {
      /// At the full size.
      case accurate
      /// At two thirds of it.
      case fast
    }

    /// The languages of the text, such as "en-US", the first one first.
    public var languages = ["en-US"]
    /// How carefully the words are read.
    public var recognitionLevel = RecognitionLevel.accurate
    /// Whether words of a dictionary are preferred.
    public var usesLanguageCorrection = true
    /// What is taken for a page.
    public var page = PageFinder()
    /// Lines whose tops differ by no more than this are in one row, in pixels of the photo.
    public var yTolerance = 18.0
    /// The most columns of a photo; a larger one is reduced.
    public var maxProcessingWidth = 1500
    /// Whether the light of the page is made even first.
    public var boostsContrast = true

    /// The defaults.
    public init() {}

    /// The settings in a file.
    ///
    /// - Throws: `FileError` that names the setting that is unknown or wrong.
    public init(path: String) throws(FileError) {
      let bytes = try AtomicFile.read(path)
      do {
        let document = try JSONDocument(bytes, notesKeys: true)
        self = try document.decode(Configuration.self)
        if let key = document.unknownKey {
          throw JSONFault(place: key, "is not a setting; --print-configuration shows all")
        }
        try check()
      } catch {
        throw FileError(reading: path, "\(error)")
      }
    }

    /// Checks the ranges of the settings.
    ///
    /// - Throws: `JSONFault` that names the first one that is wrong.
    package func check() throws(JSONFault) {
      func require(_ isRight: Bool, _ key: String, _ range: String) throws(JSONFault) {
        guard isRight else { throw JSONFault(place: key, "must be \(range)") }
      }
      try require(!languages.isEmpty, "languages", "at least one language")
      try require(yTolerance >= 0 && yTolerance <= 1000, "yTolerance", "from 0 to 1000")
      try require((200...6000).contains(maxProcessingWidth), "maxProcessingWidth", "200 to 6000")
      try require((0...1).contains(page.minimumAspectRatio), "minimumAspectRatio", "from 0 to 1")
      try require((0...1).contains(page.minimumSize), "minimumSize", "from 0 to 1")
      try require(
        (0...90).contains(page.quadratureTolerance), "quadratureTolerance", "from 0 to 90")
      try require((0...1).contains(page.minimumConfidence), "minimumConfidence", "from 0 to 1")
    }
  }
}

extension PageReader.Configuration: Codable {
  private enum Key: String, CodingKey {
    case languages, recognitionLevel, usesLanguageCorrection, minimumAspectRatio, minimumSize
    case quadratureTolerance, minimumConfidence, yTolerance, maxProcessingWidth, boostsContrast
  }

  /// Decodes settings; missing ones get their defaults.
  public init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: Key.self)
    func set<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
      if let found = try values.decodeIfPresent(Value.self, forKey: key) { value = found }
    }
    try set(&languages, .languages)
    try set(&recognitionLevel, .recognitionLevel)
    try set(&usesLanguageCorrection, .usesLanguageCorrection)
    try set(&page.minimumAspectRatio, .minimumAspectRatio)
    try set(&page.minimumSize, .minimumSize)
    try set(&page.quadratureTolerance, .quadratureTolerance)
    try set(&page.minimumConfidence, .minimumConfidence)
    try set(&yTolerance, .yTolerance)
    try set(&maxProcessingWidth, .maxProcessingWidth)
    try set(&boostsContrast, .boostsContrast)
  }

  /// All settings, on one level.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(languages, forKey: .languages)
    try values.encode(recognitionLevel, forKey: .recognitionLevel)
    try values.encode(usesLanguageCorrection, forKey: .usesLanguageCorrection)
    try values.encode(page.minimumAspectRatio, forKey: .minimumAspectRatio)
    try values.encode(page.minimumSize, forKey: .minimumSize)
    try values.encode(page.quadratureTolerance, forKey: .quadratureTolerance)
    try values.encode(page.minimumConfidence, forKey: .minimumConfidence)
    try values.encode(yTolerance, forKey: .yTolerance)
    try values.encode(maxProcessingWidth, forKey: .maxProcessingWidth)
    try values.encode(boostsContrast, forKey: .boostsContrast)
  }
}
