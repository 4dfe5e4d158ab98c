internal import CExpat
internal import CLibrary
public import Files

/// A part of an XML document, in document order.
public enum XMLPart: Equatable, Sendable {
  /// An element begins; its name is without a namespace prefix, those of its attributes with.
  case start(name: String, attributes: [String: String])
  /// The element begun last that has not ended ends.
  case end(name: String)
  /// Character data between two tags, white space included.
  case text(String)
}

/// Reads an XML document part by part, by expat.
///
/// Nothing outside the document is read: external entities and document types are not loaded.
/// Entities may be declared if they are plain text, as programs do for the names of namespaces, and
/// attributes may have defaults; both together add at most `mostAdded(to:)` bytes. Elements nest at
/// most `mostDepth` deep and have at most `mostAttributes` attributes.
@safe public struct XMLReader: ~Copyable {
  /// The maximum depth of elements.
  public static let mostDepth = 128
  /// The maximum number of attributes of an element.
  public static let mostAttributes = 256
  /// The number of bytes that expat gets at once. It scans an element or comment from its begin for
  /// each portion (CVE-2023-52425), so that documents are given whole.
  private static let portion = 1 << 30

  /// How many bytes declared entities and defaults may add to a document of `count` bytes.
  static func mostAdded(to count: Int) -> Int { 1 << 20 + count }

  private let path: String
  private let bytes: [UInt8]
  private var position = 0
  private var isSuspended = false
  private let parser: XML_Parser
  /// Allocated because expat keeps its address.
  private let state: UnsafeMutablePointer<State>

  /// The line, from 1, on which the last returned part ends.
  public private(set) var line = 1
  /// The namespace of the element whose start was returned last; nil if it has none. A prefix that
  /// is not declared is a namespace of its own.
  public private(set) var namespace: String?

  /// What expat's callbacks leave.
  @safe private struct State {
    var parts: [XMLPart] = []
    /// The index in `parts` of the one to be returned next.
    var next = 0
    var text: [UInt8] = []
    var depth = 0
    var namespaces = XMLNamespaces()
    /// The namespace of the element that `parts` begin; they begin one at most.
    var namespaceOfStart: String?
    /// The bytes of the longest declared entity, and how many references there can be to it.
    var longestEntity = 0
    let referenceCount: Int
    /// How many more bytes defaults may add, and all may add together.
    var room: Int
    let mostAdded: Int
    var problem: String?
    let parser: XML_Parser

    /// Adds a part, after the text before it; expat returns to `next()`.
    mutating func add(_ part: XMLPart) {
      if !text.isEmpty {
        parts.append(.text(String(decoding: text, as: UTF8.self)))
        text.removeAll(keepingCapacity: true)
      }
      parts.append(part)
      // Refused while expat is stopped already, as at the end of an empty element.
      _ = unsafe XML_StopParser(parser, XML_Bool(XML_TRUE))
    }

    mutating func refuse(_ problem: String) {
      self.problem = problem
      _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
  }

  /// A reader of a document.
  ///
  /// - Parameters:
  ///   - bytes: The document, in UTF-8, UTF-16 or an encoding of one byte a character (see
  ///     `SingleByteEncoding`).
  ///   - path: Its name in errors.
  /// - Throws: `FileError` if memory is short.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    guard let parser = unsafe XML_ParserCreate(nil) else {
      throw FileError("read", path: path, reason: .system(code: ENOMEM))
    }
    self.path = path
    self.bytes = bytes
    unsafe self.parser = unsafe parser
    unsafe state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    let mostAdded = Self.mostAdded(to: bytes.count)
    unsafe state.initialize(
      to: State(
        referenceCount: bytes.count { $0 == UInt8(ascii: "&") }, room: mostAdded,
        mostAdded: mostAdded, parser: parser))
    unsafe XML_SetUserData(parser, state)
    unsafe XML_SetElementHandler(parser, Self.didStart, Self.didEnd)
    unsafe XML_SetCharacterDataHandler(parser, Self.didFindText)
    unsafe XML_SetEntityDeclHandler(parser, Self.didDeclareEntity)
    unsafe XML_SetUnknownEncodingHandler(parser, Self.didMeetEncoding, nil)
  }

  deinit {
    unsafe XML_ParserFree(parser)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// The next part, or nil after the end of the document.
  ///
  /// - Throws: `FileError` that names the line.
  public mutating func next() throws(FileError) -> XMLPart? {
    while unsafe state.pointee.next == state.pointee.parts.count {
      unsafe state.pointee.parts.removeAll(keepingCapacity: true)
      unsafe state.pointee.next = 0
      guard try parseOn() else { return nil }
    }
    defer { unsafe state.pointee.next += 1 }
    let part = unsafe state.pointee.parts[state.pointee.next]
    // An element's end may follow its start at once; no second start does.
    if case .start = part { namespace = unsafe state.pointee.namespaceOfStart }
    return part
  }

  /// An error about the part returned last.
  public func fault(_ what: String) -> FileError { fault(what, line) }

  private func fault(_ what: String, _ line: Int) -> FileError {
    FileError(reading: path, "line \(line): \(what)")
  }

  /// Lets expat go on to the next part; false at the end.
  private mutating func parseOn() throws(FileError) -> Bool {
    let status: XML_Status
    if isSuspended {
      status = unsafe XML_ResumeParser(parser)
    } else {
      guard position < bytes.count || position == 0 else { return false }
      let count = min(Self.portion, bytes.count - position)
      let isLast: Int32 = position + count == bytes.count ? 1 : 0
      status = unsafe bytes.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress.map { unsafe $0 + position }
        // expat copies what it has not used when it is suspended within the last portion, so the
        // bytes need not stay where they are.
        return unsafe XML_Parse(
          parser, start?.assumingMemoryBound(to: CChar.self), Int32(count), isLast)
      }
      position += max(count, 1)
    }
    line = unsafe Int(XML_GetCurrentLineNumber(parser))
    isSuspended = status == XML_STATUS_SUSPENDED
    if let problem = unsafe state.pointee.problem { throw fault(problem, line) }
    guard status != XML_STATUS_ERROR else {
      let code = unsafe XML_GetErrorCode(parser)
      guard code != XML_ERROR_NO_MEMORY else {
        throw FileError("read", path: path, reason: .system(code: ENOMEM))
      }
      guard !bytes.isEmpty else {
        throw FileError(reading: path, "it is empty")
      }
      if code == XML_ERROR_UNKNOWN_ENCODING {
        throw fault("its encoding is not read; save it as UTF-8", line)
      }
      let message = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
      let endsEarly = code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_NO_ELEMENTS
      throw fault(
        "it \(endsEarly ? "ends too early" : "is not sound XML"): \(message ?? "unknown fault")",
        line)
    }
    return true
  }

  // MARK: expat's callbacks

  private static let didStart: XML_StartElementHandler = { user, name, attributes in
    guard let state = unsafe user?.assumingMemoryBound(to: State.self), let name = unsafe name
    else { return }
    guard unsafe state.pointee.depth < mostDepth else {
      return unsafe state.pointee.refuse("its elements nest more than \(mostDepth) deep")
    }
    unsafe state.pointee.depth += 1
    let writtenCount = unsafe Int(XML_GetSpecifiedAttributeCount(state.pointee.parser))
    var found: [String: String] = [:]
    var index = 0
    while let key = unsafe attributes?[index], let value = unsafe attributes?[index + 1] {
      guard index < 2 * mostAttributes else {
        return unsafe state.pointee.refuse("an element has more than \(mostAttributes) attributes")
      }
      let (key, value) = unsafe (String(cString: key), String(cString: value))
      if index >= writtenCount {
        unsafe state.pointee.room -= key.utf8.count + value.utf8.count
        guard unsafe state.pointee.room >= 0 else {
          return unsafe state.pointee.refuse(
            "its attributes' defaults add more than \(state.pointee.mostAdded) bytes")
        }
      }
      found[key] = value
      index += 2
    }
    let full = unsafe String(cString: name)
    unsafe state.pointee.namespaces.begin(found)
    unsafe state.pointee.namespaceOfStart = state.pointee.namespaces.namespace(of: full)
    unsafe state.pointee.add(.start(name: localName(full), attributes: found))
  }

  private static let didEnd: XML_EndElementHandler = { user, name in
    guard let state = unsafe user?.assumingMemoryBound(to: State.self), let name = unsafe name
    else { return }
    unsafe state.pointee.depth -= 1
    unsafe state.pointee.namespaces.end()
    unsafe state.pointee.add(.end(name: localName(String(cString: name))))
  }

  private static let didFindText: XML_CharacterDataHandler = { user, text, count in
    guard let state = unsafe user?.assumingMemoryBound(to: State.self), let text = unsafe text
    else { return }
    unsafe state.pointee.text.append(
      contentsOf: UnsafeRawBufferPointer(start: text, count: Int(count)))
  }

  /// Accepts entities of plain text only. Entities that refer to others could multiply, entities
  /// with elements could hide drawings, and external ones are never read.
  private static let didDeclareEntity: XML_EntityDeclHandler = {
    user, _, isParameter, value, count, _, _, _, _ in
    guard let state = unsafe user?.assumingMemoryBound(to: State.self) else { return }
    let text = unsafe UnsafeRawBufferPointer(start: value, count: Int(count))
    guard isParameter == 0, unsafe value != nil,
      unsafe !text.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") })
    else {
      return unsafe state.pointee.refuse(
        "it declares an entity that is not plain text, which is not read; save it without, as "
          + "'plain SVG' for example")
    }
    unsafe state.pointee.longestEntity = max(state.pointee.longestEntity, Int(count))
    let most = unsafe state.pointee.longestEntity * state.pointee.referenceCount
    guard unsafe most <= state.pointee.mostAdded else {
      return unsafe state.pointee.refuse(
        "its entities would add more than \(state.pointee.mostAdded) bytes")
    }
  }

  /// Tells expat the characters of an encoding of one byte each.
  private static let didMeetEncoding: XML_UnknownEncodingHandler = { _, name, info in
    guard let name = unsafe name, let info = unsafe info,
      let encoding = unsafe SingleByteEncoding(named: String(cString: name))
    else { return 0 }
    unsafe withUnsafeMutableBytes(of: &info.pointee.map) { map in
      for byte in 0..<256 {
        unsafe map.storeBytes(
          of: encoding.scalar(of: UInt8(byte)).map { Int32($0.value) } ?? -1,
          toByteOffset: 4 * byte, as: Int32.self)
      }
    }
    unsafe info.pointee.data = nil
    unsafe info.pointee.convert = nil
    unsafe info.pointee.release = nil
    return 1
  }

  /// A name without its namespace prefix.
  private static func localName(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
