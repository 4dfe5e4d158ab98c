internal import Dispatch

/// A thread for work that takes long, so that it does not stand in the way of answers: tasks that
/// prefer it run there, one piece after the other.
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
