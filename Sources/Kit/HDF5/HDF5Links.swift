internal import Files

/// The members of a group that its header lists itself (messages 0x02 and 0x06), as newer HDF5
/// writes them.
struct HDF5Link {
  let name: String
  /// The member's address; nil for a link to another place or file, which is not followed.
  let address: Int?

  /// Reads a link message (IV.A.2.g): version, flags, then by them kind, order, characters, the
  /// name's length, name, and what the kind adds.
  init(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of group: String, in structure: HDF5Structure
  ) throws(HDF5Failure) {
    let flags = file.number(at: body.lowerBound + 1, width: 1) ?? 0
    var position = body.lowerBound + 2
    guard body.count >= 4, file.matches([1], at: body.lowerBound) else { throw Self.broken(group) }
    var kind: UInt64? = 0
    if flags & 8 != 0 {
      kind = file.number(at: position, width: 1)
      position += 1
    }
    if flags & 4 != 0 { position += 8 }
    if flags & 16 != 0 { position += 1 }
    let width = 1 << Int(flags & 3)
    guard let length = file.number(at: position, width: width), length > 0,
      length <= UInt64(body.count), position + width + Int(length) <= body.upperBound,
      let name = file.text(at: position + width, limit: Int(length))
    else { throw Self.broken(group) }
    self.name = name
    position += width + Int(length)
    guard kind == 0 else {
      address = nil
      return
    }
    guard position + 8 <= body.upperBound else { throw Self.broken(group) }
    address = try structure.size(file, position, of: group)
  }

  /// Refuses a group whose members are in a heap, as those of more than eight.
  static func checkInfo(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of group: String
  ) throws(HDF5Failure) {
    let flags = file.number(at: body.lowerBound + 1, width: 1) ?? 0
    let place = body.lowerBound + 2 + (flags & 1 != 0 ? 8 : 0)
    guard place + 8 <= body.upperBound else { throw broken(group) }
    guard file.number(at: place, width: 8) == HDF5Structure.undefined else {
      throw HDF5Failure(
        "\(group) has more members than are read of newer HDF5; write the file without "
          + "libver='latest', track_order and links to other files")
    }
  }

  private static func broken(_ group: String) -> HDF5Failure {
    HDF5Failure("\(group) does not list its members")
  }
}
