internal import Foundation
internal import Recognition
internal import Segmentation
internal import Workspace

/// The services behind the API.
struct StudioServices: Sendable {
  let workspace: Workspace
  let limits: StudioLimits
  let time: StudioTime
  let hub: EventHub
  let recognizers: Recognizers
  let playgrounds: Playgrounds
  let trainer: Trainer
  let previews: Previews
  /// One import at a time, because each file may be large.
  let imports = Turnstile(most: 1, mostWaiting: 0, refusal: .importing)
  let deletedLabels: Deletions
  let deletedSamples: Deletions
  let guests: GuestLane
  let guestSamples = GuestSamples()
  /// Where the web is asked.
  let web = WorkQueue("web")
  /// Where templates are made of pictures.
  let pictures = WorkQueue("pictures")
  let version: String
  /// Where the studio listens.
  let address: Studio.Address
  /// Whether the page for tracing may ask for the camera.
  let hasCamera: Bool
  /// Fetches templates' files from the web; nil where that is not allowed.
  let fetch: Studio.Fetch?

  init(
    _ workspace: Workspace, segmenter: SegmenterModel, settings: LiveCanvas.Settings,
    limits: StudioLimits, time: StudioTime, version: String, address: Studio.Address,
    hasCamera: Bool = false, fetch: Studio.Fetch? = nil
  ) {
    (self.workspace, self.limits, self.time) = (workspace, limits, time)
    (self.version, self.address) = (version, address)
    (self.hasCamera, self.fetch) = (hasCamera, fetch)
    hub = EventHub(most: limits.listeners, mostGuests: limits.guestListeners)
    guests = GuestLane(bodyBytes: limits.bodyBytes)
    deletedLabels = Deletions(most: 4, mostPoints: limits.deletedPoints)
    deletedSamples = Deletions(most: 64, mostPoints: limits.deletedPoints)
    recognizers = Recognizers(workspace, most: limits.recognizers)
    playgrounds = Playgrounds(
      workspace, recognizers,
      tools: .init(
        segmenter: segmenter, settings: settings, time: time, limits: limits,
        run: UUID().uuidString.lowercased(),
        save: { [hub] playground in
          do { try await workspace.save(playground) } catch {
            // The next change retries. A playground deleted with its model needs no saving.
            guard let error = error as? WorkspaceError, !error.isUnknownModel else { return }
            // Log it too: at shutdown there are no listeners.
            Studio.log("playground \(playground.id): \(error)")
            hub.send("problem", StudioError(error))
            throw error
          }
        },
        remember: { [hub] news, model in
          // The history is best-effort: a prediction that cannot be stored is skipped.
          var isKept = false
          for (drawing, shape) in news.map({ ($0.drawing, $0.shape) }) {
            let prediction = try? await workspace.record(
              drawing, decision: shape.item == nil ? .unrecognized : .recognized,
              label: shape.best?.label, confidence: shape.best?.confidence, of: model)
            isKept = isKept || prediction != nil
          }
          if isKept { hub.send("changed", ChangedEvent(what: .history, model: model)) }
        }))
    trainer = Trainer(workspace, hub, playgrounds)
    previews = Previews(workspace, recognizers)
  }

  var input: DrawingInput { DrawingInput(limits: limits) }

  /// All endpoints of the API.
  var endpoints: [Endpoint] {
    stateEndpoints + modelEndpoints + labelEndpoints + sampleEndpoints + askingEndpoints
      + playgroundEndpoints + transferEndpoints + invitationEndpoints + traceEndpoints
  }

  /// Notifies all tabs of a change.
  func tell(_ what: ChangedEvent.What, of model: String? = nil) {
    hub.send("changed", ChangedEvent(what: what, model: model))
  }

  /// Ends all streams and trainings, and saves the playgrounds.
  func close() async {
    hub.close()
    await trainer.close()
    await playgrounds.close()
  }
}
