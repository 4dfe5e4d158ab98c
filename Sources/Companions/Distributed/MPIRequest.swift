#if MPI
  internal import CLibrary
  internal import CMPI

  /// A message that is under way.
  @safe struct MPIRequest {
    private var request: MPI_Request?
    private var isOver = false

    /// Starts a call that gives a request; what it reads and writes must stay where it is until the
    /// request is done.
    ///
    /// - Throws: `RankError.lost` if it fails.
    init(_ start: (inout MPI_Request?) -> Int32) throws {
      var request: MPI_Request?
      try Self.check(unsafe start(&request))
      unsafe self.request = request
    }

    /// Sends bytes to a rank.
    init(sending bytes: UnsafeMutableRawBufferPointer, to rank: Int, tag: Int) throws {
      try unsafe self.init {
        unsafe drawml_mpi_send(
          bytes.baseAddress, Int32(bytes.count), Int32(rank), Int32(tag), &$0)
      }
    }

    /// Receives as many bytes as there is room for from a rank.
    init(receiving bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: Int) throws {
      try unsafe self.init {
        unsafe drawml_mpi_receive(
          bytes.baseAddress, Int32(bytes.count), Int32(rank), Int32(tag), &$0)
      }
    }

    /// Whether it is done; asking moves all messages on.
    mutating func isDone() throws -> Bool {
      guard !isOver else { return true }
      var flag: Int32 = 0
      try Self.check(unsafe drawml_mpi_test(&request, &flag))
      isOver = flag != 0
      return isOver
    }

    /// Waits until it is done.
    ///
    /// - Throws: `RankError.lost` and `CancellationError`.
    mutating func wait() throws {
      var pause = Pause()
      while try !isDone() { try pause.wait() }
    }

    private static func check(_ code: Int32) throws {
      guard code == MPI_SUCCESS else { throw RankError.lost(text(of: code)) }
    }

    /// What a code of MPI means, in its own words.
    static func text(of code: Int32) -> String {
      var text = [CChar](repeating: 0, count: Int(MPI_MAX_ERROR_STRING) + 1)
      unsafe text.withUnsafeMutableBufferPointer { unsafe drawml_mpi_error(code, $0.baseAddress) }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Pauses between looks for messages. MPI's own functions look without a pause, which would keep a
  /// processor busy while another rank works.
  struct Pause {
    private var count = 0

    /// Gives the processor to others, for longer the longer nothing comes.
    ///
    /// - Throws: `CancellationError` when the task is canceled.
    mutating func wait() throws {
      try Task.checkCancellation()
      count += 1
      switch count {
      case ..<500: break
      case ..<2000: sched_yield()
      case ..<5000: usleep(50)
      default: usleep(1000)
      }
    }
  }
#endif
