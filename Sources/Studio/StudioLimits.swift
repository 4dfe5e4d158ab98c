internal import Workspace

/// The most that the studio takes; more is refused with 413.
struct StudioLimits: Sendable {
  /// Bytes of a JSON body.
  var bodyBytes = 2 << 20
  /// Bytes of a JSON body without strokes.
  var smallBodyBytes = 64 << 10
  /// Bytes of an imported file: whatever a studio exports another one takes. It goes through the
  /// disk, not the memory.
  var importBytes = WorkspaceLimits.exportBytes
  /// How fast that has to come.
  var importPace = BodyPace()
  /// After this long the studio ends with work that does not stop, once it was told to.
  var endingTime: Duration = .seconds(12)
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
  /// Points of deleted labels that can be brought back, the last one's aside.
  var deletedPoints = 1_000_000
  /// Playgrounds in memory that nobody draws on or listens to; others are kept in the workspace.
  var playgrounds = 32
  /// Event streams at a time.
  var listeners = 256
  /// Bytes of events that may wait for a listener who is slow when another event comes; with more
  /// the connection is closed, and the listener begins anew.
  var waitingBytes = 4 << 20
  /// Recognizers in memory.
  var recognizers = 4
  /// Connections at a time.
  var connections = 512
  /// After this long a connection ends on which no part of a request comes, and none is answered.
  var idleTime: Duration = .seconds(30)
  /// Connections at a time from one other machine.
  var connectionsPerMachine = 64
  /// Whether an address is one of this machine's, whose connections are not counted.
  var isThisMachine: @Sendable (_ address: String) -> Bool = { address in
    address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
  }

  /// How far times in milliseconds may be from 0: sums of some of them are still exact enough, and
  /// can be waited for.
  static let latest = 1e15
  /// The number that an action of a client may have.
  static let mostActions = 1 << 53
}
