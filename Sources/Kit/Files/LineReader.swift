internal import CLibrary

/// Reads a text file, or one packed by gzip, line by line in bounded memory.
public struct LineReader: ~Copyable {
  /// The default limit on the length of a line, in bytes.
  public static let defaultLimit = 64 << 20
  /// The longest text that can be read whole, in bytes.
  public static let longestText = OpenFile.mostAtOnce

  private let path: String
  /// The file being read; nil for a text in memory.
  private var file: UnpackedFile?
  private let limit: Int
  /// The most bytes of the text that are kept in memory: fewer where it may never end.
  public let mostKept: Int
  private var block: [UInt8]
  private var start = 0
  private var end = 0
  private var atEnd = false
  private var tooLong = false
  /// An error that `take` hit, which the following `next()` throws.
  private var problem: FileError?

  /// The number of the line returned last, from 1; 0 before the first.
  public private(set) var lineNumber = 0

  /// Opens the file at `path`; "-" is standard input.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The longest line accepted, in bytes.
  ///   - isWhole: Whether the caller keeps all lines in memory.
  /// - Throws: `FileError` when the file cannot be opened, or is too long to keep in memory.
  public init(
    path: String, limit: Int = Self.defaultLimit, readWhole isWhole: Bool = false
  ) throws(FileError) {
    let file = try UnpackedFile(path, asStream: true)
    if isWhole { try file.requireFitsInMemory() }
    (mostKept, self.limit) = (file.mostKept, isWhole ? min(limit, file.mostKept) : limit)
    self.file = consume file
    self.path = path
    block = [UInt8](repeating: 0, count: 1 << 18)
  }

  /// Reads the lines of a text in memory, without a copy of it.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: Its name in error messages.
  ///   - limit: The longest line accepted, in bytes.
  public init(_ bytes: [UInt8], named name: String, limit: Int = Self.defaultLimit) {
    path = name
    file = nil
    (mostKept, self.limit) = (Self.longestText, limit)
    block = bytes
    end = bytes.count
    atEnd = true
  }

  /// Throws if the file is larger than the maximum read into memory at once.
  public func requireFitsInMemory() throws(FileError) {
    try file?.requireFitsInMemory()
  }

  /// The next line's bytes without its line feed, or nil at the end of the file.
  ///
  /// A line over the limit throws once; the next call continues with the line after it.
  public mutating func next() throws(FileError) -> [UInt8]? {
    if tooLong { try skipRestOfLine() }
    var line: [UInt8] = []
    while true {
      if start == end {
        let filled = try fill()
        guard filled || !line.isEmpty else { return nil }
        guard filled else {
          lineNumber += 1
          return line
        }
      }
      let newline = nextNewline()
      guard line.count + (newline ?? end) - start <= limit else {
        lineNumber += 1
        tooLong = true
        throw FileError(
          "read", path: path, reason: .lineTooLong(line: lineNumber, limit: limit))
      }
      line.append(contentsOf: block[start..<(newline ?? end)])
      start = newline.map { $0 + 1 } ?? end
      if newline != nil {
        lineNumber += 1
        return line
      }
    }
  }

  /// The next line as text, or nil at the end of the file.
  ///
  /// - Throws: `FileError`, also for invalid UTF-8.
  public mutating func nextText() throws(FileError) -> String? {
    guard let line = try next() else { return nil }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw FileError("read", path: path, reason: .foreign(expected: "text file"))
    }
    return text
  }

  /// Consumes the next line in place, without copying it, if `body` accepts it.
  ///
  /// - Parameter body: Receives the block and the range of its bytes not yet consumed: the next
  ///   line, possibly incomplete, and what follows. Returns the line's length in bytes, line feed
  ///   included, or 0 to reject it. It may be called twice.
  /// - Returns: Whether the line was consumed; false if `body` rejected it or it is over the limit.
  ///   Then `next()` returns it or throws.
  public mutating func take(_ body: (_ bytes: RawSpan, _ unread: Range<Int>) -> Int) -> Bool {
    guard !tooLong else { return false }
    if start < end, takeOnce(body) { return true }
    // If the block holds the whole line, `body` rejected it and more bytes would not help.
    guard nextNewline() == nil, readMore() else { return false }
    return takeOnce(body)
  }

  private mutating func takeOnce(_ body: (_ bytes: RawSpan, _ unread: Range<Int>) -> Int) -> Bool {
    let count = unsafe body(block.span.bytes, start..<end)
    guard count > 0, count - 1 <= limit else { return false }
    precondition(count <= end - start, "a line of \(count) bytes where \(end - start) are left")
    start += count
    lineNumber += 1
    return true
  }

  /// Moves the unread bytes to the front of the block and fills the rest; false at the end and on
  /// an error, which `next()` throws.
  private mutating func readMore() -> Bool {
    let left = end - start
    guard problem == nil, !atEnd, left < block.count else { return false }
    block.replaceSubrange(0..<left, with: Array(block[start..<end]))
    (start, end) = (0, left)
    do throws(FileError) { return try read(behind: left) } catch {
      problem = error
      return false
    }
  }

  private mutating func skipRestOfLine() throws(FileError) {
    tooLong = false
    while true {
      if start == end {
        let filled = try fill()
        guard filled else { return }
      }
      if let newline = nextNewline() {
        start = newline + 1
        return
      }
      start = end
    }
  }

  /// The index of the block's next line feed.
  private func nextNewline() -> Int? {
    unsafe block.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      return unsafe memchr(base + start, 0x0a, end - start).map { found in
        unsafe UnsafeRawPointer(found) - base
      }
    }
  }

  /// Reads the next block; false at the end of the file.
  private mutating func fill() throws(FileError) -> Bool {
    if let problem { throw problem }
    start = 0
    end = 0
    return try read(behind: 0)
  }

  /// Fills the block after its first `filled` bytes; false at the end of the file.
  private mutating func read(behind filled: Int) throws(FileError) -> Bool {
    guard !atEnd else { return false }
    let count = try file?.read(&block, from: filled) ?? 0
    end = filled + count
    atEnd = count == 0
    return count > 0
  }
}
