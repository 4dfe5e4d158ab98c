internal import Dispatch
internal import Glibc

/// A thread for work that takes long, so that it does not stand in the way of answers: tasks that prefer it run there, one
/// piece after the other.
final class WorkQueue: TaskExecutor {
  private let queue: DispatchQueue

  init(_ name: String) {
    queue = DispatchQueue(label: "drawml.studio.\(name)", qos: .utility)
  }

  /// Gives memory back to the system that work has left unused: a training needs much more of it than what it leaves.
  static func giveMemoryBack() {
    // Swift does not see the header that has it.
    guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
