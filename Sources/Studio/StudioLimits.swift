internal import Workspace

/// The most that the studio takes; more is refused with 413.
struct StudioLimits: Sendable {
  /// Bytes of a JSON body.
  var bodyBytes = 2 << 20
  /// Bytes of a JSON body without strokes.
  var smallBodyBytes = 64 << 10
  /// Bytes of an imported file.
  var importBytes = 512 << 20
  /// Points of a drawing.
  var points = 20_000
  /// Strokes of a drawing.
  var strokes = 500
  /// Actions of one request.
  var actions = 500
  /// Strokes that a playground keeps the ink of.
  var playgroundStrokes = 5_000
  /// Points of that ink.
  var playgroundPoints = 400_000
  /// Shapes on a playground.
  var playgroundShapes = 2_000
  /// Playgrounds in memory that nobody listens to; others are kept in the workspace.
  var playgrounds = 32
  /// Event streams at a time.
  var listeners = 256
  /// Events that wait for a listener who is slow; then the stream ends, and the listener begins anew.
  var waitingEvents = 1_024
  /// Recognisers in memory.
  var recognizers = 4
  /// Connections at a time.
  var connections = 512

  /// How far places and sizes may be from 0.
  static let farthest = 1e9
}
