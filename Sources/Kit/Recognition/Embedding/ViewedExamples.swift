internal import Files
internal import Ink
internal import NeuralNetwork
internal import Numbers

/// Training examples as network inputs, with the teacher's vector of each as target.
struct ViewedExamples: TrainingData {
  let fingerprint: String
  let targetSize: Int
  private let examples: TrainingExamples
  private let view: DrawingView
  private let teacher: Embedding?
  /// Whether the teacher can reuse the student's picture.
  private let sharesPicture: Bool
  private let bufferPool = Pool<ThreadBuffers>()

  init(_ examples: TrainingExamples, _ view: DrawingView, teacher: Embedding?) {
    self.examples = examples
    self.view = view
    self.teacher = teacher
    targetSize = teacher?.dimension ?? 0
    sharesPicture = teacher.map { $0.members.map(\.view) == [view.inkOnly] } ?? false
    // All that determines the inputs and targets: a checkpoint with others cannot be resumed.
    var fingerprint = Fingerprint()
    for view in [view] + (teacher?.members.map(\.view) ?? []) {
      fingerprint.update(view.description)
    }
    if let teacher { fingerprint.update(teacher.fingerprint) }
    fingerprint.update(examples.fingerprint)
    self.fingerprint = fingerprint.hexadecimal()
  }

  var count: Int { examples.count }

  func prepare(_ batch: ArraySlice<Int>, epoch: Int, position: Int) throws {
    try examples.prepare(batch, epoch, position)
  }

  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int? {
    let (example, label) = try examples.draw(index, &generator)
    var buffers =
      bufferPool.take() ?? ThreadBuffers(worker: teacher.map { Embedding.Worker(embedding: $0) })
    defer { bufferPool.putBack(buffers) }
    do throws(InkError) {
      try view.draw(
        example.drawing, strokeWidthFactor: example.strokeWidthFactor, into: &input,
        using: &buffers.scratch)
    } catch {
      throw ModelError.drawing(id: example.drawing.id, reason: "\(error)")
    }
    if teacher != nil, var worker = buffers.worker {
      buffers.worker = nil
      if sharesPicture {
        worker.read(input, channels: view.shape[2])
      } else {
        try worker.draw(example.drawing, strokeWidthFactor: example.strokeWidthFactor)
      }
      try worker.run(into: &target, id: example.drawing.id)
      buffers.worker = worker
    }
    return label
  }

  /// The buffers of one thread.
  private struct ThreadBuffers {
    var scratch = DrawingView.Scratch()
    var worker: Embedding.Worker?
  }
}

extension DrawingView {
  /// The same picture with the ink channel alone; nil for a sequence.
  fileprivate var inkOnly: DrawingView? {
    guard case .picture(let rasterizer) = self else { return nil }
    return .picture(
      Rasterizer(
        width: rasterizer.width, height: rasterizer.height, strokeWidth: rasterizer.strokeWidth,
        margin: rasterizer.margin))
  }
}
