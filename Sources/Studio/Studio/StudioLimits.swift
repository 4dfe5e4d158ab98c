internal import Segmentation
internal import Trace
internal import Workspace

/// The studio's limits; larger requests are rejected with 413.
struct StudioLimits: Sendable {
  /// Bytes of a JSON body.
  var bodyBytes = 2 << 20
  /// Bytes of a JSON body without strokes.
  var smallBodyBytes = 64 << 10
  /// Bytes of a template's file.
  var templateBytes = TemplateContents.mostFileBytes
  /// Bytes of an imported file: any studio's export is accepted. The body is written to disk, not
  /// held in memory.
  var importBytes = WorkspaceLimits.exportBytes
  /// The minimum speed at which that has to arrive.
  var minimumImportRate = MinimumBodyRate()
  /// After this long a shutdown no longer waits for work that does not stop.
  var shutdownTimeout: Duration = .seconds(12)
  /// Points of a drawing.
  var points = 20_000
  /// Strokes of a drawing.
  var strokes = TemplateContents.mostStrokes
  /// Samples that a request names by their ids.
  var samplesByID = 20
  /// Actions of one request.
  var actions = 500
  /// Strokes whose ink a playground stores.
  var playgroundStrokes = 5_000
  /// Points of the ink that a playground stores.
  var playgroundPoints = 400_000
  /// Shapes on a playground.
  var playgroundShapes = WorkspaceLimits.items
  /// Points of the deleted labels that can be restored; the last label is kept regardless.
  var deletedPoints = 1_000_000
  /// Playgrounds in memory without users or listeners; others are only in the workspace.
  var playgrounds = 32
  /// Playgrounds of guests in the workspace: empty ones make room for new ones, and a start of the
  /// studio keeps the newest half.
  var guestPlaygrounds = 256
  /// Points of the ink that a guest's playground stores.
  var guestPlaygroundPoints = 50_000
  /// Points of a guest's sample.
  var guestSamplePoints = 5_000
  /// The number of a model's samples up to which guests can add more.
  var guestSamples = 10_000
  /// The number of a model's labels up to which guests can add more.
  var guestLabels = 500
  /// Concurrent event streams.
  var listeners = 256
  /// Those of guests.
  var guestListeners = 192
  /// Bytes of events that may be queued for a slow listener when another event comes; with more the
  /// connection is closed, and the client reconnects and gets a snapshot.
  var waitingBytes = 4 << 20
  /// Recognizers in memory.
  var recognizers = 4
  /// Concurrent connections; another one replaces the oldest that is not the owner's.
  var connections = 512
  /// Connections that wait to be accepted.
  var backlog = 4_096
  /// After this long a connection without a request in progress is closed.
  var idleTime: Duration = .seconds(30)
  /// After its last response a connection reads on for at most this long, so that a client that is
  /// still sending gets it.
  var lingerTime: Duration = .seconds(30)
  /// Concurrent connections from one other machine.
  var connectionsPerMachine = 64
  /// New connections from one other machine in a second.
  var newConnectionsPerMachine = 128
  /// The same with TLS, where agreeing on keys takes most of the time.
  var newConnectionsPerMachineWithTLS = 64
  /// Whether an address is this machine's, which may use all connections.
  var isThisMachine: @Sendable (_ address: String) -> Bool = { address in
    address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
  }

  /// The limits of a playground, by its owner.
  func ofPlayground(_ id: String) -> StudioLimits {
    var limits = self
    if Visitor.isGuests(playground: id) { limits.playgroundPoints = guestPlaygroundPoints }
    return limits
  }

  /// The maximum magnitude of times in milliseconds, so that every sheet has a log that is read.
  static let latest = CanvasLog.latest
}
