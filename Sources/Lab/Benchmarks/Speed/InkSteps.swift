internal import Files
internal import Ink
internal import Recognition

extension SpeedInputs {
  /// Steps from text to strokes, and from strokes to pixels.
  var inkSteps: [SpeedStep] {
    [
      SpeedStep(
        name: "parse", title: "stroke JSON in memory to drawings", unit: "drawings",
        prepare: prepareParsing),
      SpeedStep(
        name: "read", title: "an NDJSON file to drawings", unit: "drawings", prepare: prepareReading
      ),
      SpeedStep(
        name: "rasterize", title: "strokes to 28 × 28 pixels of ink", unit: "drawings",
        prepare: { try self.prepareRasterizing(.ink) }),
      SpeedStep(
        name: "rasterize-flow", title: "strokes to 28 × 28 pixels of ink and flow",
        unit: "drawings",
        prepare: { try self.prepareRasterizing(.inkAndFlow) }),
    ]
  }

  private func prepareParsing() throws -> PreparedStep {
    let lines = try drawings().map { StrokeJSON.encode($0) }
    return PreparedStep(count: lines.count, bytes: lines.reduce(0) { $0 + $1.count + 1 }) {
      try time {
        for line in lines { _ = try StrokeJSON.parse(line) }
      }
    }
  }

  private func prepareReading() throws -> PreparedStep {
    let path = try drawingsPath ?? scratchPath("drawings.ndjson")
    if drawingsPath == nil {
      let lines = try drawings().map { StrokeJSON.encode($0) + [UInt8(ascii: "\n")] }
      try AtomicFile.write(Array(lines.joined()), to: path)
    }
    func read() throws -> (bytes: Int, drawings: [Drawing]) {
      var reader = try DrawingReader(path: path)
      var drawings: [Drawing] = []
      while let drawing = try reader.next() { drawings.append(drawing) }
      return (reader.byteCount, drawings)
    }
    let (bytes, drawings) = try read()
    return PreparedStep(count: drawings.count, bytes: bytes) {
      try time { _ = try read() }
    } record: {
      var record = SpeedRecord()
      let strokes = drawings.map(\.strokes)
      record.add("strokes", strokes.map(\.count), shape: [strokes.count])
      record.add(
        "points", strokes.map { $0.reduce(0) { $0 + $1.points.count } }, shape: [strokes.count])
      for (name, axis) in [("x", \Point.x), ("y", \Point.y)] {
        record.add(
          name,
          strokes.map { $0.reduce(0) { $0 + $1.points.reduce(0) { $0 + Int($1[keyPath: axis]) } } },
          shape: [strokes.count])
      }
      return record
    }
  }

  private func prepareRasterizing(_ channels: Rasterizer.Channels) throws -> PreparedStep {
    let drawings = try taughtDrawings()
    let rasterizer = Rasterizer(channels: channels)
    let size = rasterizer.shape.reduce(1, *)
    var batch = [Float](repeating: 0, count: drawings.count * size)
    var scratch = Rasterizer.Scratch()
    return PreparedStep(count: drawings.count) {
      try time {
        var pixels = batch.mutableSpan
        for (number, drawing) in drawings.enumerated() {
          try rasterizer.draw(drawing, into: &pixels, at: number * size, using: &scratch)
        }
      }
    } record: {
      var record = SpeedRecord()
      record.add(
        "pixels", try Self.values(of: drawings, seenAs: .picture(rasterizer)),
        shape: [drawings.count] + rasterizer.shape)
      return record
    }
  }
}
