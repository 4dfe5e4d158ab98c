internal import Support

extension Drawing {
  /// The first 16 hexadecimal digits of the SHA-256 of all points' places and times, stroke by stroke:
  /// the same ink has the same digest, whatever its id and label. The negative zero is the same place as
  /// the positive one.
  public var digest: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pointCount * 24 + strokes.count * 8)
    func append(_ word: UInt64) {
      unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    for stroke in strokes {
      append(UInt64(stroke.points.count))
      for point in stroke.points {
        append((point.x + 0).bitPattern)
        append((point.y + 0).bitPattern)
        append(((point.t ?? .nan) + 0).bitPattern)
      }
    }
    return String(Fingerprint.sha256(bytes).prefix(16))
  }
}
