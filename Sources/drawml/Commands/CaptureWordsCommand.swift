public import ArgumentParser
public import Capture
internal import Datasets
internal import Files
internal import Ink
internal import Report
internal import Text
internal import Training
internal import Vectorizing

struct CaptureWordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "words",
    abstract: "Turn photos of printed pages into text.",
    discussion: """
      Finds the page in each photo (JPEG or PNG), straightens it, reads its words, puts the lines in \
      order, and makes one paragraph of them, without page numbers and repeated headers. Several \
      photos are pages of one text. Everything runs on this machine, by the program tesseract: \
      apt-get install tesseract-ocr.

      Examples:
        drawml capture words page.jpg
        drawml capture words page1.jpg page2.jpg --format json
        drawml capture words seite.jpg --languages de,en
        drawml capture words --print-configuration > reader.json
        drawml capture words page.jpg --configuration reader.json
      """)

  @Argument(help: "JPEG or PNG files.")
  var photos: [String] = []
  @Option(help: "A JSON file with any of the settings.")
  var configuration: String?
  @Flag(help: "Print all settings as JSON, and read nothing.")
  var printConfiguration = false
  @Option(help: "The languages of the text, separated by commas (default: en-US).")
  var languages: String?
  @Option(help: "How carefully words are read (default: accurate).")
  var level: PageReader.Configuration.RecognitionLevel?
  @Flag(inversion: .prefixedNo, help: "Prefer the words of a dictionary (default: yes).")
  var correction: Bool?
  @Option(help: "The least ratio of a page's sides (default: 0.5).", in: 0...1)
  var minAspectRatio: Double?
  @Option(help: "A page's least side, as a share of the photo's (default: 0.2).", in: 0...1)
  var minSize: Double?
  @Option(help: "How far corners may be from 90 degrees (default: 20).", in: 0...90)
  var quadrature: Double?
  @Option(help: "The least confidence in a page (default: 0.5).", in: 0...1)
  var minConfidence: Double?
  @Option(
    help: "How far apart the tops of a row's lines may be, in pixels (default: 18).", in: 0...1000)
  var yTolerance: Double?
  @Option(
    help: "The most columns of a photo; larger ones are reduced (default: 1500).", in: 200...6000)
  var maxWidth: Int?
  @Flag(inversion: .prefixedNo, help: "Make the light of the page even first (default: yes).")
  var contrast: Bool?
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard printConfiguration || !photos.isEmpty else {
      throw ValidationError("Name at least one photo.")
    }
  }

  /// The settings of the file, if any, changed by the options.
  private var settings: PageReader.Configuration {
    get throws {
      var settings = try configuration.map { try PageReader.Configuration(path: $0) } ?? .init()
      if let languages { settings.languages = languages.split(separator: ",").map(String.init) }
      settings.recognitionLevel = level ?? settings.recognitionLevel
      settings.usesLanguageCorrection = correction ?? settings.usesLanguageCorrection
      settings.page.minimumAspectRatio = minAspectRatio ?? settings.page.minimumAspectRatio
      settings.page.minimumSize = minSize ?? settings.page.minimumSize
      settings.page.quadratureTolerance = quadrature ?? settings.page.quadratureTolerance
      settings.page.minimumConfidence = minConfidence ?? settings.page.minimumConfidence
      settings.yTolerance = yTolerance ?? settings.yTolerance
      settings.maxProcessingWidth = maxWidth ?? settings.maxProcessingWidth
      settings.boostsContrast = contrast ?? settings.boostsContrast
      do { try settings.check() } catch { throw ValidationError("\(error)") }
      return settings
    }
  }

  func run() throws {
    let settings = try settings
    guard !printConfiguration else { return try printToStandardOutput(json: settings) }
    let bar = ProgressBar("Reading")
    defer { bar.finish() }
    var current = ""
    let readings: [PageReader.Reading]
    do {
      readings = try PageReader(settings).readings(photos.count) { number in
        current = photos[number]
        if photos.count > 1 { bar.update(number, of: photos.count) }
        return try GrayPicture(path: current == "-" ? "/dev/stdin" : current, as: .luma)
      }
    } catch let error as FileError {
      // What the system refuses is not the picture's fault.
      if case .system = error.reason { throw error }
      throw JobProblem("\(PageReaderError.invalidImage("\(error)"))")
    } catch let error as any DescribedError where !current.isEmpty {
      throw FileError(reading: current, "\(error)")
    }
    let excerpt = PageReader.excerpt(
      of: readings, sourceHint: photos.joined(separator: ", "))
    try format.print(
      Report(excerpt: excerpt, pages: readings.map(\.page?.corners)), [excerpt.text])
  }

  /// The text, and where the pages are.
  private struct Report: Encodable {
    var excerpt: ExcerptCapture
    /// The corners of each photo's page in its pixels, clockwise from the top left; null where none
    /// was found.
    var pages: [[Point]?]

    private enum Key: CodingKey { case pages }

    func encode(to encoder: any Encoder) throws {
      try excerpt.encode(to: encoder)
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(pages.map { $0?.map { [$0.x, $0.y] } }, forKey: .pages)
    }
  }
}

extension PageReader.Configuration.RecognitionLevel: ExpressibleByArgument {}
