internal import Foundation
internal import Ink
internal import Segmentation
internal import Workspace

/// The playgrounds that somebody draws on or listens to, and a bounded number of others; the rest
/// is in the workspace.
actor Playgrounds {
  private struct Opened {
    var playground: LivePlayground
    var isNew: Bool
  }

  private struct Entry {
    let opening: Task<Opened, any Error>
    /// How many requests and streams have to do with it: it stays for as long as there are any.
    var users = 0
    /// The moment when it was used last.
    var used = 0
  }

  /// That somebody has to do with a playground.
  private struct Use {
    var id: String
    var opening: Task<Opened, any Error>
    var playground: LivePlayground
    var isNew: Bool
  }

  private let workspace: Workspace
  private let recognizers: Recognizers
  private let tools: LivePlayground.Tools
  private var entries: [String: Entry] = [:]
  /// Those that are being kept, before they can be opened again.
  private var leaving: [String: Task<Void, Never>] = [:]
  private var moments = 0

  init(_ workspace: Workspace, _ recognizers: Recognizers, tools: LivePlayground.Tools) {
    (self.workspace, self.recognizers, self.tools) = (workspace, recognizers, tools)
  }

  /// How many are in memory.
  var count: Int { entries.count }

  // MARK: Using

  /// Opens a playground: the one with that id, wherever it is kept, or a new one.
  ///
  /// - Returns: All of it as JSON, and whether it is new.
  /// - Throws: `WorkspaceError` for an unknown model, and an id that is none.
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

  /// Lets `body` have to do with the playground with that id, which has its model's newest
  /// recognizer. It stays in memory meanwhile, and nobody gets another one under the same id.
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

  /// The playgrounds of a model take its newest recognizer; those of one that was deleted end.
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

  /// Keeps all of them, and ends.
  func close() async {
    let all = entries.values.map(\.opening)
    entries = [:]
    for opening in all { await (try? opening.value)?.playground.close() }
    for closing in leaving.values { await closing.value }
  }

  // MARK: Coming and going

  /// The moment of what is read from now on.
  private func nextMoment() -> Int {
    moments += 1
    return moments
  }

  /// Counts somebody who has to do with a playground, which is `new` where nothing is kept under
  /// the id; `leave` is to follow.
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
      // It went with its model.
      drop(id, opening)
      // Whoever asked first would not have made it.
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

  /// Somebody has to do with a playground no more.
  private func leave(_ id: String, _ opening: Task<Opened, any Error>) {
    guard entries[id]?.opening == opening else { return }
    entries[id]?.users -= 1
    if unused.count > tools.limits.playgrounds { Task { await leaveIdle() } }
  }

  /// Ends a playground that nothing is to be kept of, if it is still the one under that id.
  private func drop(_ id: String, _ opening: Task<Opened, any Error>) {
    guard entries[id]?.opening == opening else { return }
    entries[id] = nil
    Task { await (try? opening.value)?.playground.end() }
  }

  private var unused: [String: Entry] { entries.filter { $0.value.users == 0 } }

  /// Lets go of playgrounds that nobody has to do with, those that were used longest ago first.
  private func leaveIdle() async {
    for (id, entry) in unused.sorted(by: { $0.value.used < $1.value.used })
    where unused.count > tools.limits.playgrounds {
      guard let playground = try? await entry.opening.value.playground,
        await playground.comeToRest(), let now = entries[id], now.users == 0,
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
  var isUnknownPlayground: Bool { if case .unknownPlayground = reason { true } else { false } }
  var isUnknownModel: Bool { if case .unknownModel = reason { true } else { false } }
}
