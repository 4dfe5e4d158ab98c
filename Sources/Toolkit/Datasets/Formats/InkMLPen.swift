internal import Ink

/// Turns the text of InkML's traces into points, all in the units of the first one's X, with times
/// in milliseconds.
struct InkMLPen {
  /// The file's only format. It is used where traces that name no context do not fit X and Y, as
  /// some programs write it.
  private let onlyFormat: InkMLTraceFormat?
  /// The values of the first trace's X in a millimeter, if known. An inch is then an inch on both
  /// axes and in all contexts.
  private var density: Double?
  private var known: [Kind: InkMLTraceText] = [:]

  init(onlyFormat: InkMLTraceFormat?) { self.onlyFormat = onlyFormat }

  /// What traces have in common that are read in the same way.
  private struct Kind: Hashable {
    var format: InkMLTraceFormat
    var resolutions: [String: InkMLResolution]
  }

  /// The points of a trace; empty for an empty one.
  mutating func points(
    _ text: String, _ attributes: [String: String], _ context: InkMLContexts.Resolved,
    _ contexts: InkMLContexts
  ) throws(FormatFault) -> [Point] {
    var format = context.format ?? InkMLTraceFormat()
    var points: [Point]
    do throws(FormatFault) {
      points = try reading(format, context.resolutions).points(text)
    } catch {
      guard context.format == nil, let onlyFormat else { throw error }
      format = onlyFormat
      points = try reading(format, context.resolutions).points(text)
    }
    try setTimes(&points, attributes, format, context, contexts)
    return points
  }

  private mutating func reading(
    _ format: InkMLTraceFormat, _ resolutions: [String: InkMLResolution]
  ) throws(FormatFault) -> InkMLTraceText {
    let kind = Kind(format: format, resolutions: resolutions)
    if let text = known[kind] { return text }
    let densities = try format.densities(resolutions)
    if density == nil { density = densities.x }
    func scale(_ own: Double?) -> Double {
      guard let own, let density else { return 1 }
      return density / own
    }
    let text = InkMLTraceText(
      format, scale: (scale(densities.x), scale(densities.y)),
      millisecondsPerTime: try format.millisecondsPerTime(resolutions))
    known[kind] = text
    return text
  }

  /// Sets when the points were drawn (InkML, 3.2.1 and 3.3.1). Times of a channel count from its
  /// timestamp, or else from the trace's `timeOffset`. Without such a channel, the offset, the
  /// duration and the sample rate determine some of them.
  private func setTimes(
    _ points: inout [Point], _ attributes: [String: String], _ format: InkMLTraceFormat,
    _ context: InkMLContexts.Resolved, _ contexts: InkMLContexts
  ) throws(FormatFault) {
    guard !points.isEmpty else { return }
    func number(_ key: String) -> Double? { attributes[key].flatMap { Point.number($0.trimmed) } }
    let start = number("timeOffset").map { (context.timestamp ?? 0) + $0 }
    if let channel = format.channels.first(where: { $0.name == "T" }) {
      let timestamp = channel.timestamp.map { contexts.milliseconds(ofTimestamp: $0) ?? 0 }
      guard let start = timestamp ?? start, start != 0 else { return }
      for index in points.indices {
        guard let time = points[index].t else { continue }
        guard Point.readable.contains(time + start) else {
          throw FormatFault("point \(index): its time is beyond 1e100")
        }
        points[index].t = time + start
      }
    } else if let start {
      let last = points.count - 1
      if let interval = context.interval {
        for index in points.indices { points[index].t = start + Double(index) * interval }
      } else {
        points[0].t = start
        if last > 0 { points[last].t = number("duration").map { start + $0 } }
      }
      guard Point.readable.contains(start), points[last].t.map(Point.readable.contains) ?? true
      else { throw FormatFault("its time is beyond 1e100") }
    }
  }
}
