internal import Dispatch
internal import Synchronization

/// Blocks the calling thread until asynchronous work is done, and delivers its events there.
enum Waiting {
  /// How often the caller can cancel while there are no events.
  private static let interval = DispatchTimeInterval.milliseconds(100)

  /// What the work has said and the calling thread has not heard.
  private final class Mailbox<Event: Sendable, Value: Sendable>: Sendable {
    struct Contents: Sendable {
      var events: [Event] = []
      var result: Result<Value, any Error>?
    }

    private let contents = Mutex(Contents())
    private let arrivals = DispatchSemaphore(value: 0)

    func put(_ event: Event) {
      contents.withLock { $0.events.append(event) }
      arrivals.signal()
    }

    func put(_ result: Result<Value, any Error>) {
      contents.withLock { $0.result = result }
      arrivals.signal()
    }

    /// What has arrived; nil where nothing has for the interval.
    func take(within interval: DispatchTimeInterval) -> Contents? {
      guard arrivals.wait(timeout: .now() + interval) == .success else { return nil }
      return contents.withLock { contents in
        defer { contents.events = [] }
        return contents
      }
    }
  }

  /// Runs work on separate threads: all threads of the shared pool may be waiting for such work.
  private final class OwnThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "drawml.waiting", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let threads = OwnThreads()

  /// Runs work to its end.
  ///
  /// - Parameters:
  ///   - handle: Called with each event, and with nil at intervals without events, on the calling
  ///     thread; false cancels the work.
  ///   - work: The work, which is given a function to report its events with.
  /// - Returns: The work's result.
  /// - Throws: The work's error; `InterfaceError.stopped` after a cancellation.
  static func result<Event: Sendable, Value: Sendable>(
    onEvent handle: (Event?) -> Bool,
    of work:
      @escaping @Sendable (_ report: @escaping @Sendable (Event) -> Void) async throws ->
      Value
  ) throws -> Value {
    let mailbox = Mailbox<Event, Value>()
    let task = Task(executorPreference: threads) {
      do {
        mailbox.put(.success(try await work { mailbox.put($0) }))
      } catch {
        mailbox.put(.failure(error))
      }
    }
    var goesOn = true
    while true {
      let contents = mailbox.take(within: interval)
      let events = contents.map { $0.events.map(Optional.some) } ?? [nil]
      for event in events where goesOn {
        goesOn = handle(event)
        if !goesOn { task.cancel() }
      }
      guard let result = contents?.result else { continue }
      guard goesOn else { throw InterfaceError.stopped }
      return try result.get()
    }
  }
}
