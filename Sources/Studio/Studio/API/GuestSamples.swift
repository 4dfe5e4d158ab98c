internal import Foundation
internal import Hummingbird
internal import HTTPTypes
internal import Ink
internal import Workspace

/// The samples that guests added in this run of the studio, so that each guest can delete only
/// their own.
actor GuestSamples {
  private struct Entry: Equatable {
    init(_ sample: WorkspaceSample, of model: String, by browser: String) {
      (self.sample, label, created) = (sample.id, sample.label, sample.created)
      (self.model, self.browser) = (model, browser)
    }

    let sample: String
    /// Its label as the guest left it: once the owner corrects it, the guest no longer owns it.
    let label: String
    let model: String
    let browser: String
    /// When it was added: its id may become another sample's.
    let created: Date
  }

  private var entries: [Entry] = []

  /// The maximum number of samples, those of a class in one lesson. Older ones stay as they are.
  private static let most = 4_096

  /// Records a sample that a guest added or relabeled; a program without a browser id owns none.
  func note(_ sample: WorkspaceSample, of model: String, by visitor: Visitor) {
    guard case .guest(let browser) = visitor, !browser.isEmpty else { return }
    entries.removeAll { $0.sample == sample.id && $0.model == model }
    entries.append(Entry(sample, of: model, by: browser))
    if entries.count > Self.most { entries.removeFirst() }
  }

  /// Whether a guest added a sample.
  func has(_ sample: WorkspaceSample, of model: String, by browser: String) -> Bool {
    entries.contains(Entry(sample, of: model, by: browser))
  }
}

extension Studio {
  /// Throws `StudioError.ownerOnly` for a guest, unless the model is the active one and the owner
  /// lets guests teach it.
  func checkTeaching(_ model: String, by visitor: Visitor) async throws {
    guard case .guest = visitor else { return }
    guard try await workspace.settings().guestsMayTeach,
      try await workspace.activeModel().id == model
    else {
      throw StudioError.ownerOnly("Only the owner of this studio can teach this model.")
    }
  }

  /// Throws if a guest's drawing is too large, or the model has too many samples for guests to add
  /// more.
  func checkRoom(
    for drawing: Drawing, label: String, by visitor: Visitor
  ) async throws {
    guard case .guest = visitor else { return }
    guard drawing.pointCount <= limits.guestSamplePoints else {
      throw StudioError.tooLarge("It has more than \(limits.guestSamplePoints) points.")
    }
    let active = try await workspace.activeModel()
    guard active.sampleCount < limits.guestSamples else {
      throw StudioError(
        .conflict, "tooManySamples", "The model has enough drawings. Only its owner can add more.",
        detail: "Guests can add samples up to \(limits.guestSamples) in all.")
    }
    try await checkRoom(forLabel: label, in: active)
  }

  /// Throws for a guest's new label if the model has too many.
  func checkRoom(forLabel label: String, by visitor: Visitor) async throws {
    guard case .guest = visitor else { return }
    try await checkRoom(forLabel: label, in: workspace.activeModel())
  }

  private func checkRoom(forLabel label: String, in active: WorkspaceModel) async throws {
    // An invalid label is refused with its own reason, where it would be stored.
    guard active.labelCount >= limits.guestLabels, (try? LabelRule.label(label)) != nil,
      try await !workspace.hasLabel(label, of: active.id)
    else { return }
    throw StudioError(
      .conflict, "tooManyLabels", "The model has enough labels. Only its owner can add more.",
      detail: "Guests can add labels up to \(limits.guestLabels) in all.")
  }

  /// Throws `StudioError.ownerOnly` for a guest, unless they may teach the model and added the
  /// sample themselves.
  func checkChange(of sample: String, of model: String, by visitor: Visitor) async throws {
    try await checkTeaching(model, by: visitor)
    guard case .guest = visitor else { return }
    guard let kept = try await workspace.samples(of: model, ids: [sample]).first else {
      throw StudioError.ownerOnly()
    }
    try await checkOwner(of: kept, of: model, by: visitor)
  }

  /// Throws `StudioError.ownerOnly` for a guest who did not add the sample themselves.
  func checkOwner(
    of sample: WorkspaceSample, of model: String, by visitor: Visitor
  ) async throws {
    guard case .guest(let browser) = visitor else { return }
    guard await guestSamples.has(sample, of: model, by: browser) else {
      throw StudioError.ownerOnly()
    }
  }
}
