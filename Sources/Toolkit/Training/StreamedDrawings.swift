internal import Datasets
internal import Ink
internal import Recognition
internal import Synchronization

/// Training drawings that are read from a sharded set when they are needed, with only a few in
/// memory.
///
/// A pass takes each drawing once, in the set's order of that pass, and the next one in another
/// order. Which drawing an example is follows from its position alone, so the result depends on
/// neither threads nor interruptions, and a process reads only the examples that it draws.
final class StreamedDrawings: Sendable {
  /// The classes, in ascending order.
  let classes: [String]
  /// The number of drawings to train on.
  var count: Int { source.count - excluded.count }
  private let source: ShardedDrawings
  private let seed: UInt64
  private let numbers: [String: Int]
  /// The numbers of the drawings for evaluation: neither they nor their copies are trained on.
  private let excluded: Set<Int>
  private let leftOut: CopyIndex
  private let state = Mutex(State())

  private struct State {
    /// The orders of the last two passes.
    var orders: [(pass: Int, order: ShardOrder)] = []
    /// The position since the start of the training of each example of the step.
    var step: [Int: Int] = [:]
  }

  /// The drawings of a set.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - classes: All its labels, in ascending order.
  ///   - leftOut: Drawings that are not trained on, nor are their copies.
  ///   - excluded: The numbers of those in the set.
  ///   - seed: The seed of the order.
  init(
    _ set: ShardedDrawings, classes: [String], leavingOut leftOut: [Drawing],
    numbers excluded: Set<Int>, seed: UInt64
  ) {
    (source, self.classes, self.seed, self.excluded) = (set, classes, seed, excluded)
    numbers = Dictionary(uniqueKeysWithValues: zip(classes, classes.indices))
    self.leftOut = CopyIndex(leftOut)
  }

  /// Examples for a training.
  ///
  /// - Parameters:
  ///   - perEpoch: Examples per epoch.
  ///   - fingerprint: Identifies the drawings and their augmentation.
  ///   - augment: The augmentation of a drawing.
  /// - Returns: Examples whose drawings are read when they are drawn.
  func examples(
    perEpoch: Int, fingerprint: String, _ augment: @escaping EmbeddingTrainer.Augment
  ) -> TrainingExamples {
    TrainingExamples(
      classes: classes, count: perEpoch, fingerprint: fingerprint,
      prepare: { batch, epoch, position in
        let first = epoch * perEpoch + position
        self.state.withLock { state in
          state.step = Dictionary(uniqueKeysWithValues: zip(batch, first...))
        }
      },
      draw: { index, generator in
        guard let position = self.state.withLock({ $0.step[index] }) else {
          preconditionFailure("example \(index) is not of this step")
        }
        let (drawing, label) = try self.labeled(position)
        return (augment(drawing, &generator), label)
      })
  }

  /// The drawing at a position since the start of the training: where there is a copy of one that
  /// is left out, the next one.
  private func labeled(_ position: Int) throws -> (Drawing, Int) {
    let order = order(pass: position / count)
    for step in 0..<count {
      let drawing = try order.drawing((position % count + step) % count)
      guard !leftOut.hasCopy(of: drawing), let label = numbers[drawing.label ?? ""] else {
        continue
      }
      return (drawing, label)
    }
    throw JobProblem("all drawings of \(source.path) are copies of those that judge")
  }

  private func order(pass: Int) -> ShardOrder {
    state.withLock { state in
      if let known = state.orders.first(where: { $0.pass == pass }) { return known.order }
      let order = ShardOrder(of: source, seed: seed, epoch: pass, excluding: excluded)
      // A step may lie in two passes.
      if state.orders.count == 2 { state.orders.removeFirst() }
      state.orders.append((pass, order))
      return order
    }
  }
}
