internal import Ink
internal import Segmentation
internal import Workspace

/// The playgrounds that somebody draws on. A bounded number stays in memory; the others are in the workspace.
actor Playgrounds {
  private struct Entry {
    var opening: Task<LivePlayground, any Error>
    var used: Int
  }

  private let workspace: Workspace
  private let recognizers: Recognizers
  private let tools: LivePlayground.Tools
  private var entries: [String: Entry] = [:]
  /// Those that are being kept, before they can be opened again.
  private var leaving: [String: Task<Void, Never>] = [:]
  private var uses = 0

  init(_ workspace: Workspace, _ recognizers: Recognizers, tools: LivePlayground.Tools) {
    (self.workspace, self.recognizers, self.tools) = (workspace, recognizers, tools)
  }

  /// How many are in memory.
  var count: Int { entries.count }

  /// Opens a playground: the one with that id, wherever it is kept, or a new one.
  ///
  /// - Returns: It, and whether it is new.
  func open(
    _ id: String, model: String, size: Drawing.Canvas
  ) async throws -> (playground: LivePlayground, isNew: Bool) {
    let snapshot = try await recognizers.snapshot(of: model)
    let isNew: Bool
    let playground: LivePlayground
    do {
      playground = try await find(id)
      isNew = false
    } catch let error as WorkspaceError where error.isUnknownPlayground || error.isUnknownModel {
      // Its model may have gone, and it with it; the one that was asked for is there.
      let new = Playground(id: id, model: model, canvas: size)
      try await workspace.save(new)
      playground = try await enter(id) { [tools] in
        LivePlayground(new, model: snapshot, tools: tools)
      }
      isNew = true
    }
    await playground.adopt(snapshot, size: size)
    return (playground, isNew)
  }

  /// The playground with that id, with its model's newest recogniser.
  ///
  /// - Throws: `WorkspaceError` of `unknownPlayground`.
  func find(_ id: String) async throws -> LivePlayground {
    let playground = try await enter(id) { [workspace, recognizers, tools] in
      let kept = try await workspace.playground(id)
      return LivePlayground(
        kept, model: try await recognizers.snapshot(of: kept.model), tools: tools)
    }
    do {
      await playground.follow(try await recognizers.snapshot(of: playground.modelID))
    } catch let error as WorkspaceError where error.isUnknownModel {
      // It went with its model.
      entries[id] = nil
      throw error
    }
    return playground
  }

  /// The playgrounds of a model take its newest recogniser.
  func follow(_ model: String) async {
    guard let snapshot = try? await recognizers.snapshot(of: model) else { return }
    for entry in entries.values {
      guard let playground = try? await entry.opening.value else { continue }
      await playground.follow(snapshot)
    }
  }

  /// Keeps all of them, and ends.
  func close() async {
    let opened = entries.values.map(\.opening)
    entries = [:]
    for opening in opened { await (try? opening.value)?.close() }
  }

  private func enter(
    _ id: String, _ open: @escaping @Sendable () async throws -> LivePlayground
  ) async throws -> LivePlayground {
    uses += 1
    if entries[id] != nil {
      entries[id]?.used = uses
    } else {
      let leaving = leaving[id]
      let opening = Task {
        await leaving?.value
        return try await open()
      }
      entries[id] = Entry(opening: opening, used: uses)
    }
    guard let opening = entries[id]?.opening else { throw CancellationError() }
    do {
      let playground = try await opening.value
      await leaveIdle()
      return playground
    } catch {
      if entries[id]?.opening == opening { entries[id] = nil }
      throw error
    }
  }

  /// Lets go of playgrounds that nobody listens to, those that were used longest ago first.
  private func leaveIdle() async {
    guard entries.count > tools.limits.playgrounds else { return }
    for (id, entry) in entries.sorted(by: { $0.value.used < $1.value.used })
    where entries.count > tools.limits.playgrounds {
      guard let playground = try? await entry.opening.value, await playground.isIdle,
        entries[id]?.used == entry.used
      else { continue }
      entries[id] = nil
      let closing = Task { await playground.close() }
      leaving[id] = closing
      await closing.value
      leaving[id] = nil
    }
  }
}

extension WorkspaceError {
  var isUnknownPlayground: Bool { if case .unknownPlayground = reason { true } else { false } }
  var isUnknownModel: Bool { if case .unknownModel = reason { true } else { false } }
}
