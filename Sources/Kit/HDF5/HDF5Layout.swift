internal import Files

/// Reads a data layout message: where a dataset's values are (IV.A.2.i), version 3, and of other
/// programs' files versions 4 and 5, which store some lengths in other widths.
enum HDF5Layout {
  case whole(Range<Int>)
  case chunked(HDF5ChunkIndex)

  init(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String, in structure: HDF5Structure
  ) throws(HDF5Failure) {
    let start = body.lowerBound
    let version = file.number(at: start, width: 1)
    let isNewer = (version == 4 || version == 5) && structure.origin == .others
    guard body.count >= 4, version == 3 || isNewer else {
      throw HDF5Failure(
        "\(name) is virtual or stored in another way than DrawML reads" + HDF5Failure.remedy(name))
    }
    switch file.number(at: start + 1, width: 1) {
    case 0:
      let length = file.number(at: start + 2, width: 2).map(Int.init) ?? 0
      guard length <= body.count - 4 else {
        throw HDF5Failure("\(name) is longer than its header")
      }
      let first = start + 4 - structure.start
      self = .whole(first..<(first + length))
    case 1 where body.count >= 18:
      let length = try structure.size(file, start + 10, of: name)
      if file.number(at: start + 2, width: 8) == HDF5Structure.undefined, length == 0 {
        self = .whole(0..<0)
        return
      }
      guard file.number(at: start + 2, width: 8) != HDF5Structure.undefined else {
        throw HDF5Failure("\(name) was made without values" + HDF5Failure.remedy(name))
      }
      let address = try structure.size(file, start + 2, of: name)
      _ = try structure.part(file, at: address, length: length, of: name)
      self = .whole(address..<(address + length))
    case 2 where structure.origin == .others:
      self = .chunked(
        isNewer
          ? try HDF5ChunkIndex(version4: file, body, of: name, in: structure)
          : try HDF5ChunkIndex(version3: file, body, of: name, in: structure))
    case 2: throw HDF5Failure("\(name) is stored in chunks; save it in one piece")
    default:
      throw HDF5Failure(
        "\(name) is virtual or stored in another way than DrawML reads" + HDF5Failure.remedy(name))
    }
  }
}
