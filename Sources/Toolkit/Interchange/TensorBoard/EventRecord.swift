internal import Foundation

/// A record of a TensorBoard event file, which is a sequence of them; the first is `version`.
public enum EventRecord: Sendable, Equatable {
  /// The version of the format. Each file begins with it.
  case version
  /// A program starts at a step, 0 or more: what earlier files have from this step on no longer
  /// counts.
  case start(step: Int)
  /// Numbers of a step, 0 or more. A slash in a tag, as in "validation/loss", groups its chart with
  /// others.
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
  public func bytes(at seconds: Double) -> [UInt8] {
    // Numbers and types of event.proto and summary.proto (TensorBoard contributors, Apache-2.0).
    var event = Self.field(1, .long, Self.littleEndian(seconds.bitPattern))
    switch self {
    case .version: event += Self.field(3, .bytes, [UInt8]("brain.Event:2".utf8))
    case .start(let step):
      event += Self.field(step: step) + Self.field(7, .bytes, Self.field(1, .varint, [1]))
    case .scalars(let step, let scalars):
      let values = scalars.flatMap { scalar in
        let number = Self.littleEndian(Float(scalar.value).bitPattern)
        return Self.field(
          1, .bytes,
          Self.field(1, .bytes, [UInt8](scalar.tag.utf8)) + Self.field(2, .word, number))
      }
      event += Self.field(step: step) + Self.field(5, .bytes, values)
    }
    return Self.framed(event)
  }

  /// The types of fields on the wire (protobuf.dev/programming-guides/encoding).
  private enum WireType: UInt8 {
    case varint = 0
    case long = 1
    case bytes = 2
    case word = 5
  }

  private static func field(_ number: UInt8, _ type: WireType, _ content: [UInt8]) -> [UInt8] {
    let length = type == .bytes ? [UInt8](Data(varints: [content.count])) : []
    return [number << 3 | type.rawValue] + length + content
  }

  /// Readers take 0 where there is no step.
  private static func field(step: Int) -> [UInt8] {
    step == 0 ? [] : field(2, .varint, [UInt8](Data(varints: [step])))
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The frame of TFRecord: length, checksum of the length, data, checksum of the data; numbers are
  /// little-endian (tensorflow.org/tutorials/load_data/tfrecord).
  private static func framed(_ data: [UInt8]) -> [UInt8] {
    func checksum(_ bytes: [UInt8]) -> [UInt8] {
      // Masked, because a checksum over data that hold their own checksum would say little.
      let sum = crc32c(bytes)
      return littleEndian((sum >> 15 | sum << 17) &+ 0xa282_ead8)
    }
    let length = littleEndian(UInt64(data.count))
    return length + checksum(length) + data + checksum(data)
  }
}
