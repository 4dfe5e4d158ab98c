internal import Capture
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import Recognition
internal import Segmentation
internal import Studio
internal import Text
internal import Trace
internal import Vectorizing
internal import Workspace

/// What the studio's screen `#capture` asks for: worksheets to print, photos to read, posts to draft.
struct CaptureEndpoints {
  /// Groups the strokes of paper without boxes.
  let segmenter: SegmenterModel
  let drafting: Drafting
  let history: PostHistory

  /// The most bytes of a photo.
  private static let photoBytes = TemplateContents.mostFileBytes
  private static let photoTypes: Set = ["image/png", "image/jpeg", "application/octet-stream"]

  /// The screen's state.
  private struct State: Encodable {
    struct Model: Encodable {
      var name: String
      var server: String
    }
    /// What drafts posts; null for examples.
    @OrNull var model: Model?
    /// Why there are only examples, and what to do.
    @OrNull var reason: String?
    /// How a model is to write, which is sent to it with each text.
    var instructions: String
    var history: [PostHistory.Item]
    /// Where a history that could not be read was put aside, in the workspace's folder.
    @OrNull var brokenHistory: String?
  }

  private struct Words: Encodable {
    var excerpt: ExcerptCapture
    /// Whether the edges of a page were found; without them all of the photo was read.
    var hasPage: Bool
  }

  private struct Drafts: Encodable {
    var isExample: Bool
    var variants: [Variant]
  }

  private struct WorksheetOrder: Decodable {
    var labels: [String]
    var paper: Paper
    var title: String?
  }

  private struct DraftOrder: Decodable {
    var text: String
    var bookTitle: String?
    var author: String?
    /// The server that the user agreed to send this to; nil for examples.
    var server: String?
  }

  private struct Used: Decodable {
    var excerpt: ExcerptCapture
    var variant: Variant
  }

  var all: [CompanionEndpoint] {
    [
      .init(.get, "/capture", work: .waiting) { _ in
        let (items, broken) = try history.items()
        return .json(
          State(
            model: drafting.model.map { .init(name: $0.name, server: $0.server) },
            reason: drafting.reason, instructions: PostPrompt.system, history: items,
            brokenHistory: broken.map { URL(fileURLWithPath: $0).lastPathComponent }))
      },
      .init(.post, "/capture/worksheet", work: .picture) { request in
        let order = try request.json(WorksheetOrder.self)
        let pages = try failing("noWorksheet", "Couldn’t make the worksheet.") {
          let labels = try order.labels.map { text in
            do throws(LabelError) { return try LabelRule.label(text) } catch {
              throw CompanionEndpoint.Failure(
                422, "noWorksheet", "Couldn’t make the worksheet.",
                detail: "The label “\(text.visible)” \(error).")
            }
          }
          let words = Dictionary(
            labels.compactMap { label in EmojiNames.name(of: label).map { (label, $0) } },
            uniquingKeysWith: { $1 })
          return try Worksheet(labels: labels, paper: order.paper)
            .files(as: .pdf, words: words, title: order.title ?? "")
        }
        return .file(pages[0], type: "application/pdf")
      },
      .init(
        .post, "/capture/drawings", types: Self.photoTypes, bodyBytes: Self.photoBytes,
        work: .picture
      ) { request in
        let recognizer = try await request.recognizer()
        let isFree = try request.query("isFree") == "true"
        return .json(
          try failing("unreadablePhoto", Self.unreadable) {
            try drawings(in: request.body, isFree: isFree, named: recognizer)
          })
      },
      .init(
        .post, "/capture/words", types: Self.photoTypes, bodyBytes: Self.photoBytes, work: .picture
      ) { request in
        .json(
          try failing("unreadablePhoto", Self.unreadable) {
            let photo = try GrayPicture(file: request.body, named: "the photo", as: .luma)
            let reading = try PageReader().read(photo)
            return Words(
              excerpt: PageReader.excerpt(of: [reading], sourceHint: "photo"),
              hasPage: reading.page != nil)
          })
      },
      .init(.post, "/capture/drafts", work: .waiting) { request in
        let order = try request.json(DraftOrder.self)
        guard order.text.contains(where: { !$0.isWhitespace }) else {
          throw CompanionEndpoint.Failure(422, "noText", "There is no text to write about.")
        }
        // The studio may have been started with another server since the user agreed.
        guard drafting.model == nil || drafting.model?.server == order.server else {
          throw CompanionEndpoint.Failure(
            409, "notAgreed", "Nothing was sent: first see where the text goes.")
        }
        do {
          let variants = try await drafting.generator.generateVariants(
            from: order.text, bookTitle: order.bookTitle, author: order.author)
          return .json(Drafts(isExample: drafting.model == nil, variants: variants))
        } catch let error as PostError {
          throw CompanionEndpoint.Failure(
            error.mayRetry ? 503 : 502, error.mayRetry ? "tryAgain" : "noDrafts",
            error.description, detail: error == .invalidKey ? TextModelOptions.key.advice : nil)
        }
      },
      .init(.post, "/capture/history", work: .waiting) { request in
        let used = try request.json(Used.self)
        let item = PostHistory.Item(excerpt: used.excerpt, variant: used.variant)
        try failing("notKept", "Couldn’t keep it in the history.") { try history.add(item) }
        return .json(item)
      },
      .init(.delete, "/capture/history/{item}", work: .waiting) { request in
        guard let id = UUID(uuidString: request.name) else {
          throw CompanionEndpoint.Failure(404, "notFound", "There is nothing here.")
        }
        try failing("notKept", "Couldn’t change the history.") { try history.remove(id) }
        return .nothing
      },
    ]
  }

  private static let unreadable = "Couldn’t read the photo."

  /// The drawings in a photo: those in a worksheet's boxes; without a worksheet, or if `isFree`, those
  /// that the segmenter finds.
  private func drawings(
    in file: [UInt8], isFree: Bool, named recognizer: Recognizer
  ) throws -> CapturedDrawings {
    let photo = try GrayPicture(file: file, named: "the photo", as: .luma)
    let ink = try GrayPicture(file: file, named: "the photo")
    let name = "capture-" + Fingerprint.sha256(file).prefix(16)
    if !isFree {
      do {
        return try CapturedDrawings(try WorksheetReader()(photo, ink: ink), named: name)
      } catch let error as CaptureError {
        // A wheel or an eye looks like a mark: the user decides.
        guard error == .noSheet(marks: 0) else {
          throw CompanionEndpoint.Failure(
            422, "unreadableWorksheet", Self.unreadable, detail: error.description.sentence)
        }
      }
    }
    let reader = FreePageReader(recognizer: recognizer, model: segmenter)
    return try CapturedDrawings(try reader(photo, ink: ink), named: name)
  }
}

/// Does `work`; an error that describes itself becomes a failure with a code and a sentence.
private func failing<Value>(
  _ code: String, _ message: String, _ work: () throws -> Value
) throws -> Value {
  do { return try work() } catch let error as any DescribedError {
    var detail = error.description
    // The message has said what cannot be done.
    switch (error as? FileError)?.reason {
    case .malformed(let why): detail = why
    case .foreign(let expected): detail = "it is not a \(expected)"
    default: break
    }
    throw CompanionEndpoint.Failure(422, code, message, detail: detail.sentence)
  }
}
