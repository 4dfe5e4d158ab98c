internal import InterchangeMessages
internal import Support
internal import SwiftProtobuf

/// A record of a TensorBoard event file, which is a sequence of them; the first is `version`.
public enum EventRecord: Sendable, Equatable {
  /// The version of the format. Each file begins with it.
  case version
  /// A program starts at a step: what earlier files have from this step on no longer counts.
  case start(step: Int)
  /// Numbers of a step. A slash in a tag, as in "validation/loss", groups its chart with others.
  case scalars(step: Int, [Scalar])

  /// A number with the name of its chart.
  public struct Scalar: Sendable, Equatable {
    /// The name of the chart.
    public var tag: String
    /// The number, stored in single precision.
    public var value: Double

    /// A number with the name of its chart.
    public init(_ tag: String, _ value: Double) {
      (self.tag, self.value) = (tag, value)
    }
  }

  /// The record's bytes.
  ///
  /// - Parameter seconds: When it is written, in seconds since 1970.
  /// - Returns: The bytes, with their frame.
  /// - Throws: `BinaryEncodingError` of SwiftProtobuf, for a record of more than 2 GiB.
  public func bytes(at seconds: Double) throws -> [UInt8] {
    var event = Tensorboard_Event()
    event.wallTime = seconds
    switch self {
    case .version: event.fileVersion = "brain.Event:2"
    case .start(let step):
      event.step = Int64(step)
      event.sessionLog.status = .start
    case .scalars(let step, let scalars):
      event.step = Int64(step)
      event.summary.value = scalars.map { scalar in
        var value = Tensorboard_Summary.Value()
        (value.tag, value.simpleValue) = (scalar.tag, Float(scalar.value))
        return value
      }
    }
    return Self.framed(try event.serializedBytes())
  }

  /// The frame of TFRecord: length, checksum of the length, data, checksum of the data; numbers are
  /// little-endian (tensorflow.org/tutorials/load_data/tfrecord).
  private static func framed(_ data: [UInt8]) -> [UInt8] {
    func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
      (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    func checksum(_ bytes: [UInt8]) -> [UInt8] {
      // Masked, because a checksum over data that hold their own checksum would say little.
      let sum = crc32c(bytes)
      return littleEndian((sum >> 15 | sum << 17) &+ 0xa282_ead8)
    }
    let length = littleEndian(UInt64(data.count))
    return length + checksum(length) + data + checksum(data)
  }
}
