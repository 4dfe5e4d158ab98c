internal import Dispatch

/// Threads for work that waits for another machine, so that it does not hold up other tasks.
final class WaitingThreads: TaskExecutor {
  private let queue: DispatchQueue

  /// Threads for some work, such as "gemini".
  init(_ name: String) {
    queue = DispatchQueue(label: "drawml.\(name)", attributes: .concurrent)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
