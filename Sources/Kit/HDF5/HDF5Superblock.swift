internal import Files

/// The beginning of a file (II): where its root group is.
struct HDF5Superblock {
  /// The address of the root group's header.
  let root: Int

  /// Reads the superblock at the start of `structure`; of our files version 0 only.
  init(
    _ file: borrowing PinnedBytes, in structure: HDF5Structure
  ) throws(HDF5Failure) {
    let start = try structure.part(file, at: 0, length: 48, of: "its superblock")
    let version = file.number(at: start + 8, width: 1) ?? 0
    guard version == 0 || structure.origin == .others && version <= 3 else {
      throw HDF5Failure("it has a superblock of another version than DrawML writes")
    }
    // Addresses of the file's base and end, of free space and driver or of an extension, and of the
    // root group.
    let (base, end, others, root): (Int, Int, [Int], Int)
    if version < 2 {
      // Versions of free space, root group and shared messages; addresses and lengths of 8 bytes.
      guard file.matches([0, 0, 0, 0, 8, 8, 0], at: start + 9) else {
        throw HDF5Failure("it has a superblock of another version than DrawML writes")
      }
      let first = start + (version == 0 ? 24 : 28)
      (base, end, others, root) = (first, first + 16, [first + 8, first + 24], first + 40)
      _ = try structure.part(file, at: 0, length: 96, of: "its superblock")
    } else {
      guard file.matches([8, 8], at: start + 9), HDF5Checksum.isRight(file, in: start..<start + 44)
      else { throw HDF5Failure("its superblock is damaged") }
      (base, end, others, root) = (start + 12, start + 28, [], start + 36)
    }
    let available = UInt64(file.count - structure.start)
    let length = file.number(at: end, width: 8) ?? 0
    let first = file.number(at: base, width: 8)
    let isWhole =
      structure.origin == .ours
      ? first == 0 && length == available
      // The base is where HDF5 begins behind a user block.
      : (first == 0 || first == UInt64(structure.start)) && length <= UInt64(file.count)
    guard isWhole
    else { throw HDF5Failure("its superblock says that it begins or ends elsewhere") }
    for place in others where file.number(at: place, width: 8) != HDF5Structure.undefined {
      throw HDF5Failure("its superblock asks for a driver or has free space of its own")
    }
    self.root = try structure.size(file, root, of: "the root group")
  }
}
