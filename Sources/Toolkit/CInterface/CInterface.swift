internal import Foundation
internal import Ink
internal import JSON
internal import Recognition
internal import Text
internal import Training

// The functions of `include/drawml.h`, which documents them, and all pointers of this module. Each
// checks its arguments, calls code without pointers, and copies the result.

/// A text for the caller to release.
public typealias OwnedText = UnsafeMutablePointer<CChar>

/// A place for a text.
public typealias TextResult = UnsafeMutablePointer<OwnedText?>

/// A place for a handle.
public typealias HandleResult = UnsafeMutablePointer<UInt64>

/// The caller's callback for long calls, with an event in JSON, or NULL, and the caller's context
/// pointer. A result other than 0 stops the call.
public typealias Progress =
  @convention(c) (_ event: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) -> Int32

// MARK: Memory

/// See `drawml.h`.
@_cdecl("drawml_version")
public func version() -> OwnedText? { unsafe owned(Version.text) }

/// See `drawml.h`.
@_cdecl("drawml_free")
public func freeText(_ text: OwnedText?) {
  if unsafe text != shortMemory { unsafe free(text) }
}

/// See `drawml.h`.
@_cdecl("drawml_release")
public func release(_ handle: UInt64) -> OwnedText? {
  unsafe errorText { try Handles.release(handle) }
}

// MARK: Drawings

/// See `drawml.h`.
@_cdecl("drawml_drawings_make")
public func makeDrawings(
  _ points: UnsafePointer<Double>?, _ pointCount: Int64, _ columns: Int64,
  _ strokeStarts: UnsafePointer<Int64>?, _ strokeCount: Int64,
  _ drawingStarts: UnsafePointer<Int64>?, _ drawingCount: Int64,
  _ ids: UnsafePointer<UnsafePointer<CChar>?>?, _ labels: UnsafePointer<UnsafePointer<CChar>?>?,
  _ result: HandleResult?
) -> OwnedText? {
  unsafe errorText {
    let counts = [
      ("the number of points", pointCount), ("the number of strokes", strokeCount),
      ("the number of drawings", drawingCount),
    ]
    for (name, count) in counts {
      try require(count, in: 0...Int64(StrokeArrays.maxCount), name)
    }
    // Before the numbers of points are multiplied.
    try require(columns, in: 2...3, "the number of columns")
    let points = try unsafe numbers(
      points, Int(pointCount * columns), "the array of points")
    let strokeStarts = try unsafe numbers(
      strokeStarts, Int(strokeCount) + 1, "the array of starts of strokes")
    let drawingStarts = try unsafe numbers(
      drawingStarts, Int(drawingCount) + 1, "the array of starts of drawings")
    var drawings = try unsafe StrokeArrays.drawings(
      points: points.span, columns: Int(columns), strokeStarts: strokeStarts.span,
      drawingStarts: drawingStarts.span)
    for index in drawings.indices {
      if let ids = unsafe ids, let id = unsafe ids[index] {
        drawings[index].id = try unsafe text(id, "the id of drawing \(index)")
      }
      if let labels = unsafe labels, let label = unsafe labels[index] {
        drawings[index].label = try unsafe text(label, "the label of drawing \(index)").inLabelForm
      }
    }
    try unsafe set(result, to: .drawings(LabeledDrawings(drawings)))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_drawings_parse")
public func parseDrawings(
  _ text: UnsafePointer<UInt8>?, _ length: Int64, _ result: HandleResult?
) -> OwnedText? {
  unsafe errorText {
    try require(length, in: 0...(2 << 30), "the length of the text")
    let bytes = try unsafe Array(numbers(text, Int(length), "the text"))
    try unsafe set(result, to: .drawings(LabeledDrawings(json: bytes)))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_drawings_read")
public func readDrawings(_ path: UnsafePointer<CChar>?, _ result: HandleResult?) -> OwnedText? {
  unsafe errorText {
    try unsafe set(result, to: .drawings(LabeledDrawings(path: text(path, "the path"))))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_drawings_describe")
public func describeDrawings(_ drawings: UInt64, _ result: TextResult?) -> OwnedText? {
  unsafe errorText { try unsafe set(result, to: Handles.drawings(drawings).description) }
}

/// See `drawml.h`.
@_cdecl("drawml_drawings_rasterize")
public func rasterize(
  _ drawings: UInt64, _ size: Int64, _ strokeWidth: Double, _ margin: Double,
  _ coverage: UnsafeMutablePointer<Float>?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int64
) -> OwnedText? {
  unsafe errorText {
    let drawings = try Handles.drawings(drawings).drawings
    let side = Int(size)
    if let problem = Rasterizer.problem(side: side, strokeWidth: strokeWidth, margin: margin) {
      throw InterfaceError.rasterizer(problem)
    }
    guard unsafe coverage != nil || bytes != nil else {
      throw InterfaceError.null("the array of coverage or of bytes")
    }
    let shape = [drawings.count, side, side]
    let coverage = try unsafe coverage.map { unsafe try array($0, count, shape: shape) }
    let bytes = try unsafe bytes.map { unsafe try array($0, count, shape: shape) }
    let rasterizer = Rasterizer(
      width: side, height: side, strokeWidth: strokeWidth, margin: margin)
    for (index, drawing) in drawings.enumerated() {
      do throws(InkError) {
        let raster = try rasterizer(drawing)
        if let coverage = unsafe coverage {
          unsafe copy(raster.values, to: coverage, from: index * side * side)
        }
        if let bytes = unsafe bytes {
          unsafe copy(raster.bytes, to: bytes, from: index * side * side)
        }
      } catch {
        throw StrokeArraysError.drawing(index, error)
      }
    }
  }
}

// MARK: Models

/// See `drawml.h`.
@_cdecl("drawml_model_load")
public func loadModel(_ path: UnsafePointer<CChar>?, _ result: HandleResult?) -> OwnedText? {
  unsafe errorText {
    let path = try unsafe text(path, "the path")
    try unsafe set(result, to: .model(SharedModel(path: path)))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_save")
public func saveModel(_ model: UInt64, _ path: UnsafePointer<CChar>?) -> OwnedText? {
  unsafe errorText { try unsafe Handles.model(model).save(to: text(path, "the path")) }
}

/// See `drawml.h`.
@_cdecl("drawml_model_copy")
public func copyModel(_ model: UInt64, _ result: HandleResult?) -> OwnedText? {
  unsafe errorText {
    try unsafe set(result, to: .model(SharedModel(Handles.model(model).recognizer)))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_untaught")
public func untaughtModel(_ model: UInt64, _ result: HandleResult?) -> OwnedText? {
  unsafe errorText { try unsafe set(result, to: .model(Handles.model(model).untaught())) }
}

/// See `drawml.h`.
@_cdecl("drawml_train")
public func train(
  _ drawings: UInt64, _ base: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?,
  _ threads: Int64, _ progress: Progress?, _ context: UnsafeMutableRawPointer?,
  _ result: HandleResult?
) -> OwnedText? {
  unsafe errorText {
    try require(threads, in: threadCounts, "the number of threads")
    let base = try unsafe base.map { try unsafe text($0, "the path of the base") }
    let settings = try unsafe settings.map { try unsafe text($0, "the text of settings") } ?? "{}"
    let training = try MemoryTraining(
      settings: Array(settings.utf8), base: base, threads: Int(threads))
    let samples = try Handles.drawings(drawings).samples()
    try unsafe set(
      result,
      to: .model(
        SharedModel(
          try waiting(progress, context) { try await training.fit(to: samples, progress: $0) })))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_describe")
public func describeModel(_ model: UInt64, _ result: TextResult?) -> OwnedText? {
  unsafe errorText { try unsafe set(result, to: Handles.model(model).description) }
}

/// See `drawml.h`.
@_cdecl("drawml_model_set_refusal_rate")
public func setRefusalRate(_ model: UInt64, _ rate: Double) -> OwnedText? {
  unsafe errorText {
    try require(rate, in: DecisionPolicy.rates, "the refusal rate")
    try Handles.model(model).update { $0.policy = DecisionPolicy(refusalRate: rate) }
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_set_head")
public func setHead(_ model: UInt64, _ json: UnsafePointer<CChar>?) -> OwnedText? {
  unsafe errorText {
    let json = try unsafe text(json, "the text of the head")
    let head = try HeadChoice(json: Array(json.utf8)).configuration()
    try Handles.model(model).update { $0.replaceHead(with: head) }
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_update")
public func updateModel(_ model: UInt64, _ drawings: UInt64, _ result: TextResult?) -> OwnedText? {
  unsafe errorText {
    let drawings = try Handles.drawings(drawings)
    try unsafe change(model, result) { try $0.update(with: drawings.samples(for: $0)) }
  }
}

/// What was forgotten.
private struct Forgotten: Encodable {
  var forgotten: [String]

  init(_ samples: [TaughtSample]) { forgotten = samples.map(\.id) }
}

/// See `drawml.h`.
@_cdecl("drawml_model_forget_label")
public func forgetLabel(
  _ model: UInt64, _ label: UnsafePointer<CChar>?, _ result: TextResult?
) -> OwnedText? {
  unsafe errorText {
    let label = try unsafe text(label, "the label")
    try unsafe change(model, result) { Forgotten(try $0.forget(label: label)) }
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_forget_sample")
public func forgetSample(
  _ model: UInt64, _ id: UnsafePointer<CChar>?, _ result: TextResult?
) -> OwnedText? {
  unsafe errorText {
    let id = try unsafe text(id, "the id")
    try unsafe change(model, result) { Forgotten(try $0.forget(sample: id)) }
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_adapt")
public func adaptModel(_ model: UInt64, _ result: TextResult?) -> OwnedText? {
  unsafe errorText { try unsafe change(model, result) { ["outcome": try $0.adapt().outcome] } }
}

/// See `drawml.h`.
@_cdecl("drawml_model_classify")
public func classify(
  _ model: UInt64, _ drawings: UInt64, _ top: Int64, _ result: TextResult?
) -> OwnedText? {
  unsafe errorText {
    try require(top, in: 1...100_000, "the number of candidates")
    let recognizer = try Handles.model(model).recognizer
    let drawings = try Handles.drawings(drawings).drawings
    try unsafe set(result, to: recognizer.classify(drawings, candidates: Int(top)))
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_confidences")
public func confidences(
  _ model: UInt64, _ drawings: UInt64, _ result: UnsafeMutablePointer<Float>?, _ count: Int64
) -> OwnedText? {
  unsafe errorText {
    let recognizer = try Handles.model(model).recognizer
    let drawings = try Handles.drawings(drawings).drawings
    let shape = [drawings.count, recognizer.labels.count]
    let result = try unsafe array(result, count, shape: shape)
    try unsafe copy(recognizer.confidences(of: drawings), to: result)
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_embed")
public func embed(
  _ model: UInt64, _ drawings: UInt64, _ result: UnsafeMutablePointer<Float>?, _ count: Int64
) -> OwnedText? {
  unsafe errorText {
    let embedding = try Handles.model(model).recognizer.embedding
    let drawings = try Handles.drawings(drawings).drawings
    let shape = [drawings.count, embedding.dimension]
    let result = try unsafe array(result, count, shape: shape)
    try unsafe copy(embedding.vectors(of: drawings), to: result)
  }
}

/// See `drawml.h`.
@_cdecl("drawml_model_evaluate")
public func evaluate(
  _ model: UInt64, _ drawings: UInt64, _ includesTaught: Int32, _ threads: Int64,
  _ progress: Progress?, _ context: UnsafeMutableRawPointer?, _ result: TextResult?
) -> OwnedText? {
  unsafe errorText {
    try require(threads, in: threadCounts, "the number of threads")
    let recognizer = try Handles.model(model).recognizer
    let drawings = try Handles.drawings(drawings)
    let samples = try drawings.samples()
    let job = EvaluationJob(
      models: ["the model"], paths: drawings.paths, includesTaught: includesTaught != 0,
      threads: Int(threads), skipped: 0, date: Date.now.formatted(.iso8601))
    try unsafe set(
      result,
      to: try waiting(progress, context) {
        let known = (recognizer, fingerprint: try ModelFile.fingerprint(of: recognizer))
        return try await job.run([known], on: samples, progress: $0)
      })
  }
}

// MARK: Long work

/// More threads than processors are slower, and each uses more memory.
private let threadCounts: ClosedRange<Int64> = 1...256

/// Waits for work, and passes its events to the caller's function.
private func waiting<Value: Sendable>(
  _ progress: Progress?, _ context: UnsafeMutableRawPointer?,
  for work: @escaping @Sendable (@escaping JobProgress) async throws -> Value
) throws -> Value {
  try Waiting.result(
    onEvent: { (event: JobEvent?) in
      guard let progress = unsafe progress else { return true }
      guard let event else { return unsafe progress(nil, context) == 0 }
      guard let message = JobMessage(event), let text = try? jsonText(message) else { return true }
      return unsafe text.withCString { unsafe progress($0, context) == 0 }
    }, of: work)
}

// MARK: Arguments

/// Runs a function's work: nil, or the text of its error.
func errorText(
  copy: (String) -> OwnedText? = unsafe owned, _ work: () throws -> Void
) -> OwnedText? {
  do {
    try work()
    return nil
  } catch {
    return unsafe copy("\(error)") ?? shortMemory
  }
}

/// The text of an error where memory is too short for a copy of any; it is not allocated.
private var shortMemory: OwnedText {
  let text: StaticString = "memory is short"
  return unsafe OwnedText(
    mutating: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
}

/// The text at a pointer.
private func text(
  _ pointer: UnsafePointer<CChar>?, _ name: String
) throws(InterfaceError) -> String {
  guard let pointer = unsafe pointer else { throw .null(name) }
  guard let text = unsafe String(validatingCString: pointer) else { throw .notUTF8(name) }
  return text
}

/// The numbers at a pointer, which may be NULL for zero numbers.
private func numbers<Number: BitwiseCopyable>(
  _ pointer: UnsafePointer<Number>?, _ count: Int, _ name: String
) throws(InterfaceError) -> UnsafeBufferPointer<Number> {
  guard let pointer = unsafe pointer else {
    guard count == 0 else { throw .null(name) }
    return unsafe UnsafeBufferPointer(start: nil, count: 0)
  }
  guard UInt(bitPattern: pointer) % UInt(MemoryLayout<Number>.alignment) == 0 else {
    throw .misaligned(name)
  }
  return unsafe UnsafeBufferPointer(start: pointer, count: count)
}

/// Refuses a number that is out of its range, NaN included.
func require<Number>(
  _ value: Number, in range: ClosedRange<Number>, _ name: String
) throws(InterfaceError) {
  guard range.contains(value) else {
    throw .outOfRange(name, "\(value)", range: "\(range.lowerBound) to \(range.upperBound)")
  }
}

// MARK: Results

/// A copy of a text that the caller releases.
private func owned(_ text: String) -> OwnedText? {
  unsafe text.withCString { unsafe strdup($0) }
}

private func set(_ result: HandleResult?, to object: @autoclosure () throws -> Handles.Object)
  throws
{
  guard let result = unsafe result else { throw InterfaceError.null("the place for the handle") }
  unsafe result.pointee = Handles.keep(try object())
}

func set(
  _ result: TextResult?, copy: (String) -> OwnedText? = unsafe owned,
  to value: @autoclosure () throws -> some Encodable
) throws {
  guard let result = unsafe result else { throw InterfaceError.null("the place for the text") }
  guard let text = try unsafe copy(jsonText(value())) else { throw InterfaceError.memory }
  unsafe result.pointee = text
}

/// Changes a model and returns the report; if the report cannot be returned, the model is
/// unchanged.
func change(
  _ model: UInt64, _ result: TextResult?, copy: (String) -> OwnedText? = unsafe owned,
  _ change: (inout Recognizer) throws -> some Encodable
) throws {
  try Handles.model(model).update { recognizer in
    try unsafe set(result, copy: copy, to: try change(&recognizer))
  }
}

/// An array of the caller for results of the given shape; `pointer` may be NULL if there are none.
private func array<Number: BitwiseCopyable>(
  _ pointer: UnsafeMutablePointer<Number>?, _ count: Int64, shape: [Int]
) throws(InterfaceError) -> UnsafeMutableBufferPointer<Number> {
  guard count == Int64(shape.reduce(1, *)) else { throw .wrongLength(count, shape: shape) }
  let numbers = try unsafe numbers(pointer, Int(count), "the array for the results")
  return unsafe UnsafeMutableBufferPointer(mutating: numbers)
}

private func copy<Number: BitwiseCopyable>(
  _ values: [Number], to array: UnsafeMutableBufferPointer<Number>, from start: Int = 0
) {
  precondition(start + values.count <= array.count, "an array that is too short")
  for index in values.indices { unsafe array[start + index] = values[index] }
}
