internal import Synchronization
internal import Text

/// The objects that callers have handles of. Handles are numbers that are never given twice, so a
/// wrong one is an error and not a wrong memory access.
enum Handles {
  /// What a handle can be of.
  enum Object: Sendable {
    case model(SharedModel)
    case drawings(LabeledDrawings)
  }

  private struct Table {
    var last: UInt64 = 0
    var objects: [UInt64: Object] = [:]
  }

  private static let table = Mutex(Table())

  /// Keeps an object until its handle is released.
  static func keep(_ object: Object) -> UInt64 {
    table.withLock { table in
      table.last += 1
      table.objects[table.last] = object
      return table.last
    }
  }

  /// Releases the object of a handle.
  static func release(_ handle: UInt64) throws(InterfaceError) {
    // It is destroyed outside the lock.
    let object = table.withLock { $0.objects.removeValue(forKey: handle) }
    guard object != nil else { throw .unknownHandle(handle) }
  }

  /// The model of a handle.
  static func model(_ handle: UInt64) throws(InterfaceError) -> SharedModel {
    guard case .model(let model) = try object(handle) else {
      throw .otherHandle(handle, expected: "a model")
    }
    return model
  }

  /// The drawings of a handle.
  static func drawings(_ handle: UInt64) throws(InterfaceError) -> LabeledDrawings {
    guard case .drawings(let drawings) = try object(handle) else {
      throw .otherHandle(handle, expected: "drawings")
    }
    return drawings
  }

  private static func object(_ handle: UInt64) throws(InterfaceError) -> Object {
    guard let object = table.withLock({ $0.objects[handle] }) else {
      throw .unknownHandle(handle)
    }
    return object
  }
}

/// An argument that the interface cannot use.
enum InterfaceError: DescribedError, Equatable {
  /// There is nothing with this handle.
  case unknownHandle(UInt64)
  /// The handle is of something else.
  case otherHandle(UInt64, expected: String)
  /// A pointer is NULL.
  case null(String)
  /// A text is not UTF-8.
  case notUTF8(String)
  /// A pointer does not fit the numbers that it points to.
  case misaligned(String)
  /// A number is out of its range.
  case outOfRange(String, String, range: String)
  /// An array for results has another length than the results.
  case wrongLength(Int64, shape: [Int])
  /// The numbers of a rasterizer do not fit.
  case rasterizer(String)
  /// A head that there is not, or a setting that it does not have.
  case head(String)
  /// The caller's function stopped the work.
  case stopped
  /// Memory is short for the copy of a text.
  case memory

  /// One sentence: what is wrong.
  var description: String {
    switch self {
    case .unknownHandle(let handle):
      "there is no object with the handle \(handle); was it released?"
    case .otherHandle(let handle, let expected): "the handle \(handle) is not of \(expected)"
    case .null(let name): "\(name) is NULL"
    case .notUTF8(let name): "\(name) is not UTF-8"
    case .misaligned(let name): "\(name) is not aligned for its numbers"
    case .outOfRange(let name, let value, let range):
      "\(name) is \(value); it must be from \(range)"
    case .wrongLength(let count, let shape):
      "the array for the results has \(count) elements; they have the shape \(shape)"
    case .rasterizer(let problem), .head(let problem): problem
    case .stopped:
      "the call was stopped, and nothing was kept; call again to start from the beginning"
    case .memory: "there is not enough memory for the result"
    }
  }
}
