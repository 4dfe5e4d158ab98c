internal import Files

/// Texts of any length, in the collections that their references name (III.E).
struct HDF5GlobalHeap {
  /// A reference's bytes: the text's length (4), its collection's address (8) and its number (4).
  static let referenceLength = 16

  private let structure: HDF5Structure
  /// The place of each object by its number, of each collection that was met.
  private var collections: [Int: [UInt64: Range<Int>]] = [:]
  /// The length of these collections together: those of a sound file do not overlap.
  private var length = 0

  init(_ structure: HDF5Structure) { self.structure = structure }

  /// The bytes that `reference` names.
  mutating func bytes(
    _ file: borrowing PinnedBytes, _ reference: ArraySlice<UInt8>, longest: Int, of name: String
  ) throws(HDF5Failure) -> [UInt8] {
    func number(_ range: Range<Int>) -> UInt64 {
      reference.dropFirst(range.lowerBound).prefix(range.count).reversed()
        .reduce(0) { $0 << 8 | UInt64($1) }
    }
    let (length, address, index) = (Int(number(0..<4)), number(4..<12), number(12..<16))
    guard length > 0 else { return [] }
    guard length <= longest else {
      throw HDF5Failure("\(name) has strings of \(length) bytes; at most \(longest) are read")
    }
    guard let place = Int(exactly: address) else { throw Self.missing(name) }
    if collections[place] == nil { collections[place] = try objects(file, at: place, of: name) }
    guard let object = collections[place]?[index], object.count >= length else {
      throw Self.missing(name)
    }
    // Some programs count a zero at the end.
    let bytes = file.array(in: object.lowerBound..<object.lowerBound + length)
    return Array(bytes.prefix { $0 != 0 })
  }

  /// The objects of the collection at `address`.
  private mutating func objects(
    _ file: borrowing PinnedBytes, at address: Int, of name: String
  ) throws(HDF5Failure) -> [UInt64: Range<Int>] {
    let start = try structure.part(file, at: address, length: 16, of: name)
    guard file.matches(Array("GCOL".utf8) + [1], at: start) else { throw Self.missing(name) }
    let size = try structure.size(file, start + 8, of: name)
    _ = try structure.part(file, at: address, length: size, of: name)
    length += size
    guard length <= file.count else { throw Self.missing(name) }
    var objects: [UInt64: Range<Int>] = [:]
    // Each object: number (2), references (2), 4 unused bytes, length (8), then its bytes, padded
    // to 8. Number 0 is the rest of the collection.
    var position = start + 16
    while position + 16 <= start + size, let index = file.number(at: position, width: 2), index > 0
    {
      let length = try structure.size(file, position + 8, of: name)
      let end = position + 16 + length
      guard end <= start + size else { throw Self.missing(name) }
      objects[index] = position + 16..<end
      position = position + 16 + (length + 7) / 8 * 8
    }
    return objects
  }

  private static func missing(_ name: String) -> HDF5Failure {
    HDF5Failure("\(name) refers to texts that are not there")
  }
}
