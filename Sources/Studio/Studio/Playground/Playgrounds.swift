internal import Foundation
internal import Ink
internal import Segmentation
internal import Workspace

/// The playgrounds in memory: those in use, and a bounded number of others; the rest are only in
/// the workspace.
actor Playgrounds {
  private struct Opened {
    var playground: LivePlayground
    var isNew: Bool
  }

  private struct Entry {
    let opening: Task<Opened, any Error>
    /// The number of requests and streams that use it; it stays in memory while there are any.
    var users = 0
    /// The moment of its last use.
    var used = 0
  }

  /// One use of a playground.
  private struct Use {
    var id: String
    var opening: Task<Opened, any Error>
    var playground: LivePlayground
    var isNew: Bool
  }

  private let actorQueue = ActorQueue("playgrounds")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe actorQueue.asUnownedSerialExecutor()
  }

  private let workspace: Workspace
  private let recognizers: Recognizers
  private let tools: LivePlayground.Tools
  private var entries: [String: Entry] = [:]
  /// Playgrounds that are being saved; they can be opened again afterwards.
  private var leaving: [String: Task<Void, Never>] = [:]
  private var moments = 0

  init(_ workspace: Workspace, _ recognizers: Recognizers, tools: LivePlayground.Tools) {
    (self.workspace, self.recognizers, self.tools) = (workspace, recognizers, tools)
  }

  /// The number of playgrounds in memory.
  var count: Int { entries.count }

  // MARK: Using

  /// Opens the playground with the given id from memory or the workspace, or creates it.
  ///
  /// - Returns: The playground as JSON, and whether it is new.
  /// - Throws: `WorkspaceError` for an unknown model and an invalid id.
  func open(
    _ id: String, model: String, size: Drawing.Canvas
  ) async throws -> (answer: Data, isNew: Bool) {
    let moment = nextMoment()
    let snapshot = try await recognizers.snapshot(of: model)
    let use = try await enter(id, or: Playground(id: id, model: model, canvas: size))
    defer { leave(use.id, use.opening) }
    await use.playground.adopt(snapshot, size: size, asOf: moment)
    return (try await use.playground.answer(), use.isNew)
  }

  /// Runs `body` with the playground of the given id and its model's newest recognizer. It stays in
  /// memory meanwhile, and its id resolves to the same instance.
  ///
  /// - Throws: `WorkspaceError` of `unknownPlayground`, and what `body` throws.
  nonisolated func use<Value>(
    _ id: String, _ body: (LivePlayground) async throws -> Value
  ) async throws -> Value {
    let use = try await enter(id)
    let result: Result<Value, any Error>
    do { result = .success(try await body(use.playground)) } catch { result = .failure(error) }
    await leave(use.id, use.opening)
    return try result.get()
  }

  /// Switches the playgrounds of a model to its newest recognizer; ends those of a deleted model.
  func follow(_ model: String) async {
    let moment = nextMoment()
    let snapshot: RecognizerSnapshot?
    do { snapshot = try await recognizers.snapshot(of: model) } catch {
      guard (error as? WorkspaceError)?.isUnknownModel == true else { return }
      snapshot = nil
    }
    for (id, entry) in entries {
      guard let playground = try? await entry.opening.value.playground,
        await playground.modelID == model
      else { continue }
      if let snapshot {
        await playground.follow(snapshot, asOf: moment)
      } else {
        drop(id, entry.opening)
      }
    }
  }

  /// Saves and closes all playgrounds.
  func close() async {
    let all = entries.values.map(\.opening)
    entries = [:]
    for opening in all { await (try? opening.value)?.playground.close() }
    for closing in leaving.values { await closing.value }
  }

  // MARK: Opening and closing

  /// The next moment, for snapshots read from now on.
  private func nextMoment() -> Int {
    moments += 1
    return moments
  }

  /// Begins a use of a playground, which is `new` if none is saved under the id. Balance it with
  /// `leave`.
  private func enter(_ id: String, or new: Playground? = nil) async throws -> Use {
    let moment = nextMoment()
    let isFirst = entries[id] == nil
    var entry = entries[id] ?? Entry(opening: opening(id, or: new))
    entry.users += 1
    entry.used = moment
    entries[id] = entry
    let opening = entry.opening
    do {
      let opened: Opened
      do { opened = try await opening.value } catch {
        drop(id, opening)
        throw error
      }
      let playground = opened.playground
      await playground.follow(
        try await recognizers.snapshot(of: playground.modelID), asOf: moment)
      return Use(
        id: id, opening: opening, playground: playground, isNew: isFirst && opened.isNew)
    } catch {
      leave(id, opening)
      guard let gone = error as? WorkspaceError, gone.isUnknownModel || gone.isUnknownPlayground
      else { throw error }
      // The playground was deleted with its model.
      drop(id, opening)
      // The opening by the first user may not have created the playground, so retry.
      if let new, !isFirst { return try await enter(id, or: new) }
      throw error
    }
  }

  private func opening(_ id: String, or new: Playground?) -> Task<Opened, any Error> {
    Task { [workspace, recognizers, tools, leaving = leaving[id]] in
      await leaving?.value
      do {
        let kept = try await workspace.playground(id)
        let model = try await recognizers.snapshot(of: kept.model)
        let playground = LivePlayground(kept, model: model, tools: tools)
        await playground.resume()
        return Opened(playground: playground, isNew: false)
      } catch let error as WorkspaceError where error.isUnknownPlayground || error.isUnknownModel {
        guard let new else { throw error }
        let model = try await recognizers.snapshot(of: new.model)
        try await workspace.save(new)
        return Opened(playground: LivePlayground(new, model: model, tools: tools), isNew: true)
      }
    }
  }

  /// Ends a use of a playground.
  private func leave(_ id: String, _ opening: Task<Opened, any Error>) {
    guard entries[id]?.opening == opening else { return }
    entries[id]?.users -= 1
    if unused.count > tools.limits.playgrounds { Task { await leaveIdle() } }
  }

  /// Ends a playground without saving it, if it is still the one under that id.
  private func drop(_ id: String, _ opening: Task<Opened, any Error>) {
    guard entries[id]?.opening == opening else { return }
    entries[id] = nil
    Task { await (try? opening.value)?.playground.end() }
  }

  private var unused: [String: Entry] { entries.filter { $0.value.users == 0 } }

  /// Unloads unused playgrounds, the least recently used first.
  private func leaveIdle() async {
    for (id, entry) in unused.sorted(by: { $0.value.used < $1.value.used })
    where unused.count > tools.limits.playgrounds {
      guard let playground = try? await entry.opening.value.playground,
        await playground.becomeIdle(), let now = entries[id], now.users == 0,
        now.used == entry.used
      else { continue }
      entries[id] = nil
      let closing = Task { await playground.close() }
      leaving[id] = closing
      await closing.value
      if leaving[id] == closing { leaving[id] = nil }
    }
  }
}

extension WorkspaceError {
  var isUnknownPlayground: Bool { reason.code == .unknownPlayground }
  var isUnknownModel: Bool { reason.code == .unknownModel }
}
