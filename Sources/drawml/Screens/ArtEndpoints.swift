internal import Artwork
internal import Calm
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import Recognition
internal import Segmentation
internal import Studio
internal import Text
internal import Workspace

/// What the studio's screen `#art` asks for: styles, pictures of sketches, and those that are kept.
struct ArtEndpoints {
  let workspace: Workspace
  /// Groups a sketch's strokes into shapes.
  let segmenter: SegmenterModel
  let painting: ImagePainting
  /// Has the adult's passphrase, if one is set.
  let adult: CalmFile
  private let agreements = Agreements()
  private let jobs = PaintingJobs()

  init(
    workspace: Workspace, segmenter: SegmenterModel, painting: ImagePainting, adult: CalmFile
  ) {
    (self.workspace, self.segmenter) = (workspace, segmenter)
    (self.painting, self.adult) = (painting, adult)
  }

  /// The most bytes of a sketch with what is asked of it.
  private static let sketchBytes = 8 << 20
  /// The longer side of a thumbnail, in pixels.
  private static let thumbnailSide = 512

  /// The screen's state.
  private struct State: Encodable {
    struct Style: Encodable {
      var id: String
      var name: String
      var emoji: String
      var color: String
      var description: String
      /// What the filter on this machine does.
      var summary: String
    }
    struct Model: Encodable {
      var name: String
      var server: String
    }
    var styles: [Style]
    /// What makes pictures over the network; null if nothing does.
    @OrNull var model: Model?
    /// Why there is no model, and what to do.
    @OrNull var reason: String?
    /// Whether an adult agrees by a passphrase.
    var hasPassphrase: Bool
    /// How often the model may be asked today; null for any number.
    @OrNull var leftToday: Int?
    /// Newest first.
    var artworks: [Piece]
  }

  /// A picture that was made.
  private struct Piece: Encodable {
    var id: String
    var created: String
    var style: String
    /// The model that made it; null for this machine.
    @OrNull var maker: String?
    /// What was recognized on it, and the English names of labels that are emojis.
    var labels: [String]
    var names: [String]
    var isFavorite: Bool
    @OrNull var stars: Int?

    init(_ artwork: Artwork) {
      (id, style, maker, labels) = (artwork.id, artwork.style, artwork.maker, artwork.labels)
      (isFavorite, stars) = (artwork.isFavorite, artwork.stars)
      created = artwork.created.formatted(.iso8601)
      names = labels.map { EmojiNames.name(of: $0) ?? $0 }
    }
  }

  private struct Order: Decodable {
    /// A sketch's JSON.
    var sketch: String
    var style: String
    /// The model that names shapes.
    var model: String
    /// What a model over the network was told to stop by.
    var job: String?
    /// What an adult's agreement gave.
    var agreement: String?
  }

  private struct Agreement: Decodable { var passphrase: String? }

  var all: [CompanionEndpoint] {
    [
      .init(.get, "/art", work: .waiting) { _ in
        let artworks = try await workspace.artworks().map(Piece.init)
        return .json(
          State(
            styles: ArtFilter.allCases.map { filter in
              let style = filter.style
              return .init(
                id: style.id, name: style.name, emoji: style.emoji, color: style.color,
                description: style.description, summary: filter.summary)
            },
            model: painting.model.map { .init(name: $0.name, server: $0.server) },
            reason: painting.reason, hasPassphrase: hasPassphrase,
            leftToday: try await workspace.imageRequestsLeft(), artworks: artworks))
      },
      .init(.post, "/art/filtered", bodyBytes: Self.sketchBytes, work: .picture) { request in
        let (order, sketch, style) = try Self.order(of: request)
        guard let filter = style.filter else { throw Self.unknownStyle }
        let reading = try await reading(of: sketch, by: order.model, for: request)
        let picture = filter.picture(of: sketch, tints: reading.tints)
        return try await kept(picture, of: sketch, style, maker: nil, showing: reading)
      },
      .init(.post, "/art/agreement", work: .waiting) { request in
        let agreement = try request.json(Agreement.self)
        _ = try model()
        try adult.requirePassphrase(agreement.passphrase)
        let hasPassphrase = try adult.hasPassphrase()
        return .json(["agreement": await agreements.new(hasPassphrase: hasPassphrase)])
      },
      .init(.post, "/art/painted", bodyBytes: Self.sketchBytes, work: .waiting) { request in
        let (order, sketch, style) = try Self.order(of: request)
        let model = try model()
        let isKnown = await agreements.contains(
          order.agreement, hasPassphrase: try adult.hasPassphrase())
        guard isKnown else {
          throw CompanionEndpoint.Failure(
            409, "notAgreed", "Nothing was sent: first ask an adult.")
        }
        // All of it can be canceled, also what comes before the request.
        return try await jobs.run(order.job ?? UUID().uuidString) {
          let reading = try await reading(of: sketch, by: order.model, for: request)
          try Task.checkCancellation()
          try await workspace.requireRoomForArtwork()
          try await count()
          let picture: RGBPicture
          do {
            picture = try await painting.picture(of: sketch, style: style)
          } catch let failure as PictureFailure {
            // The picture's error tells more than one of the count.
            try? await workspace.giveBackImageRequest()
            throw failure
          }
          return try await kept(picture, of: sketch, style, maker: model.name, showing: reading)
        }
      },
      .init(.delete, "/art/painted/{job}") { request in
        await jobs.cancel(request.name)
        return .nothing
      },
      .init(.get, "/art/artworks/{artwork}") { request in
        .json(Piece(try await workspace.artwork(request.name)))
      },
      .init(.post, "/art/artworks/{artwork}") { request in
        let change = try request.json(ArtworkChange.self)
        return .json(Piece(try await workspace.changeArtwork(request.name, change)))
      },
      .init(.delete, "/art/artworks/{artwork}") { request in
        try await workspace.deleteArtwork(request.name)
        return .nothing
      },
      .init(.post, "/art/artworks/{artwork}/restore") { request in
        .json(Piece(try await workspace.restoreArtwork(request.name)))
      },
      .init(.get, "/art/artworks/{artwork}/picture", work: .waiting) { request in
        .file(
          try await workspace.picture(ofArtwork: request.name), type: "image/png", isFinal: true)
      },
      .init(.get, "/art/artworks/{artwork}/thumbnail", work: .picture) { request in
        let picture = try RGBPicture(file: await workspace.picture(ofArtwork: request.name))
        return .file(
          try picture.reduced(toSide: Self.thumbnailSide).png(), type: "image/png", isFinal: true)
      },
      .init(.get, "/art/artworks/{artwork}/before", work: .picture) { request in
        let sketch = try Sketch.parse(await workspace.sketch(ofArtwork: request.name))
        return .file(
          try SketchPicture.picture(of: sketch).png(), type: "image/png", isFinal: true)
      },
      .init(.get, "/art/artworks/{artwork}/sketch") { request in
        .file(try await workspace.sketch(ofArtwork: request.name), type: "application/json")
      },
    ]
  }

  private static let unknownStyle = CompanionEndpoint.Failure(
    422, "unknownStyle", "There is no such style.")

  /// Whether an adult is asked for a passphrase. Without a model none is; a file that cannot be
  /// read is told when an adult agrees.
  private var hasPassphrase: Bool {
    painting.model != nil && ((try? adult.hasPassphrase()) ?? true)
  }

  /// The image model.
  private func model() throws(CompanionEndpoint.Failure) -> (name: String, server: String) {
    guard let model = painting.model else {
      throw CompanionEndpoint.Failure(
        403, "remoteOff", "The studio sends no requests to the web.", detail: painting.reason)
    }
    return model
  }

  /// What a request asks for.
  private static func order(
    of request: CompanionEndpoint.Request
  ) throws -> (Order, Sketch, ArtStyle) {
    let order = try request.json(Order.self)
    guard let style = ArtStyle.all.first(where: { $0.id == order.style }) else {
      throw unknownStyle
    }
    do throws(SketchError) {
      return (order, try Sketch.parse(Array(order.sketch.utf8)), style)
    } catch {
      throw CompanionEndpoint.Failure(
        422, "invalidSketch", "Couldn’t read the sketch.", detail: error.description.sentence)
    }
  }

  /// What a model sees on a sketch.
  private func reading(
    of sketch: Sketch, by model: String, for request: CompanionEndpoint.Request
  ) async throws -> SketchReading {
    var recognizer = try await request.recognizer(of: model)
    // A model that was taught nothing recognizes nothing.
    if recognizer.labels.isEmpty { recognizer = try BaseModel.everyday.recognizer() }
    return try SketchReading(sketch, by: recognizer, segmenter: segmenter)
  }

  /// Counts a request to the image model, if there may be one now (TF-024).
  private func count() async throws {
    switch try await workspace.countImageRequest() {
    case .granted: return
    case .minuteLimit(let wait):
      throw CompanionEndpoint.Failure(
        429, "minuteLimit", "That was quick! Five pictures a minute are the most.",
        detail: "Try again in \(wait) s, or let this computer make it.")
    case .dayLimit:
      throw CompanionEndpoint.Failure(
        429, "dailyLimit", "That is all for today. Tomorrow there are more.",
        detail: "This computer can make as many as you like.")
    }
  }

  /// Keeps a picture, and answers with it.
  private func kept(
    _ picture: RGBPicture, of sketch: Sketch, _ style: ArtStyle, maker: String?,
    showing reading: SketchReading
  ) async throws -> CompanionEndpoint.Answer {
    .json(
      Piece(
        try await workspace.addArtwork(
          try picture.png(), of: sketch.json(), style: style.id, maker: maker,
          labels: reading.labels)))
  }
}

/// That an adult agreed to send sketches to the image model, for the page that asked. They end with
/// the studio, which may then be started with another server, and when a passphrase is set.
private actor Agreements {
  private static let mostKept = 100
  private var kept: [(key: String, hasPassphrase: Bool)] = []

  func new(hasPassphrase: Bool) -> String {
    let key = UUID().uuidString
    kept = kept.suffix(Self.mostKept - 1) + [(key, hasPassphrase)]
    return key
  }

  func contains(_ key: String?, hasPassphrase: Bool) -> Bool {
    kept.contains { $0.key == key && (!hasPassphrase || $0.hasPassphrase) }
  }
}

/// The requests to the image model that are under way.
private actor PaintingJobs {
  private var tasks: [String: Task<CompanionEndpoint.Answer, any Error>] = [:]

  /// Does `work`; `cancel` of the same job ends it.
  ///
  /// - Throws: What `work` throws; a `CompanionEndpoint.Failure` if it was canceled, or could not be
  ///   done.
  func run(
    _ job: String, _ work: @escaping @Sendable () async throws -> CompanionEndpoint.Answer
  ) async throws -> CompanionEndpoint.Answer {
    guard tasks[job] == nil else {
      throw CompanionEndpoint.Failure(409, "busy", "This picture is being made already.")
    }
    let task = Task { try await work() }
    tasks[job] = task
    defer { tasks[job] = nil }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch let failure as PictureFailure {
      throw CompanionEndpoint.Failure(
        failure.mayRetry ? 503 : 502, failure.mayRetry ? "tryAgain" : "noPicture",
        failure.message, detail: failure.detail)
    } catch is CancellationError {
      throw CompanionEndpoint.Failure(409, "canceled", "The picture was canceled.")
    }
  }

  func cancel(_ job: String) { tasks[job]?.cancel() }
}
