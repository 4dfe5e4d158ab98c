internal import Ink

/// The channels of InkML's traces, as a `traceFormat` lists them.
struct InkMLTraceFormat: Hashable {
  /// A column of the traces.
  struct Channel: Hashable {
    var name: String
    /// Whether its values are whole numbers that the device counts.
    var isInteger = false
    /// Whether it grows to the left or upwards.
    var isReversed = false
    /// Whether points may leave it out; it then keeps its value.
    var isIntermittent = false
    /// In lower case, empty if none is given.
    var units = ""
    /// What it is before the first value.
    var initial: Double?
    /// The timestamp that times count from.
    var timestamp: String?
  }

  /// Those of a file that states none are X and Y (InkML, 4.3.1). Intermittent ones come last.
  var channels = [Channel(name: "X"), Channel(name: "Y")]

  private static let mostChannels = 64

  /// Adds a `channel` element, which may be in `intermittentChannels`.
  mutating func add(
    _ attributes: [String: String], isIntermittent: Bool
  ) throws(FormatFault) {
    guard channels.count < Self.mostChannels else { throw FormatFault("it has over 64 channels") }
    var channel = Channel(name: attributes["name"] ?? "")
    channel.isInteger = attributes["type"] == "integer"
    channel.isReversed = attributes["orientation"] == "-ve"
    channel.isIntermittent = isIntermittent
    channel.units = attributes["units"].map { $0.trimmed.lowercased() } ?? ""
    channel.initial = attributes["default"].flatMap { Point.number($0.trimmed) }
    channel.timestamp = attributes["respectTo"].map(InkMLContexts.name)
    channels.append(channel)
  }

  /// The format as points have it.
  mutating func end() {
    channels = channels.filter { !$0.isIntermittent } + channels.filter(\.isIntermittent)
  }

  /// The only channel of a name.
  private func channel(_ name: String) throws(FormatFault) -> Channel {
    let named = channels.filter { $0.name == name }
    guard named.count == 1 else {
      throw FormatFault("its traceFormat should have one channel \(name)")
    }
    return named[0]
  }

  // MARK: Units

  /// The number of values of X and of Y in a millimeter; both nil if neither is known.
  ///
  /// A resolution says what the integers of a device mean; for other numbers the channel's own unit
  /// goes before it. An axis of which nothing is known is like the other one.
  func densities(
    _ resolutions: [String: InkMLResolution]
  ) throws(FormatFault) -> (x: Double?, y: Double?) {
    let (x, y) = (try channel("X"), try channel("Y"))
    func stated(_ channel: Channel) -> Double? {
      channel.isInteger ? nil : InkMLUnits.millimeters(channel.units).map { 1 / $0 }
    }
    func resolution(_ channel: Channel) -> Double? {
      resolutions[channel.name]?.density(InkMLUnits.millimeters)
    }
    var found = (x: stated(x) ?? resolution(x), y: stated(y) ?? resolution(y))
    if found == (nil, nil) {
      found = (
        InkMLUnits.millimeters(x.units).map { 1 / $0 },
        InkMLUnits.millimeters(y.units).map { 1 / $0 }
      )
    }
    return (found.x ?? found.y, found.y ?? found.x)
  }

  /// What times are multiplied by to be milliseconds, which they are where no unit is given.
  func millisecondsPerTime(
    _ resolutions: [String: InkMLResolution]
  ) throws(FormatFault) -> Double {
    guard let channel = channels.first(where: { $0.name == "T" }) else { return 1 }
    let stated = InkMLUnits.milliseconds(channel.units)
    let resolution = resolutions["T"]?.density(InkMLUnits.milliseconds).map { 1 / $0 }
    if let factor = channel.isInteger ? resolution ?? stated : stated ?? resolution {
      return factor
    }
    guard InkMLUnits.isDevice(channel.units) else {
      throw FormatFault("times in \(channel.units.prefix(20)) are not read; use s, ms, us or ns")
    }
    return 1
  }
}
