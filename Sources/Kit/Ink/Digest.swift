internal import Files

extension Drawing {
  /// The first 16 hexadecimal digits of the SHA-256 of all points' coordinates and times, stroke by
  /// stroke: independent of id and label. Negative zero counts as zero.
  public var digest: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pointCount * 24 + strokes.count * 8)
    for stroke in strokes {
      bytes.append(littleEndian: UInt64(stroke.points.count))
      for point in stroke.points {
        bytes.append(littleEndian: (point.x + 0).bitPattern)
        bytes.append(littleEndian: (point.y + 0).bitPattern)
        bytes.append(littleEndian: ((point.t ?? .nan) + 0).bitPattern)
      }
    }
    return String(Fingerprint.sha256(bytes).prefix(16))
  }
}
