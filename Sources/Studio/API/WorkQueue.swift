internal import Dispatch

/// A serial executor for long work, so that it does not delay responses: tasks that prefer it run
/// there, one job at a time.
final class WorkQueue: TaskExecutor {
  private let queue: DispatchQueue

  init(_ name: String) {
    queue = DispatchQueue(label: "drawml.studio.\(name)", qos: .utility)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
