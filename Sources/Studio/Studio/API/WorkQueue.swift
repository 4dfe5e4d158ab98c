internal import Dispatch
internal import Foundation

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

/// An executor for work that waits, such as for the web: several jobs at once.
package final class WorkPool: TaskExecutor {
  private let queue = OperationQueue()

  /// An executor of at most `width` jobs at once, for work such as "web".
  package init(_ name: String, width: Int) {
    queue.name = "drawml.studio.\(name)"
    queue.maxConcurrentOperationCount = width
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.addOperation { unsafe job.runSynchronously(on: executor) }
  }
}

/// The executor of an actor: a queue of its own.
///
/// For an actor with long computations, so that many such actors do not occupy all threads that
/// answer requests. Also for an actor shared by guests and the owner, which would otherwise run on
/// the thread of the first caller, behind other guests' requests.
final class ActorQueue: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "drawml.studio.\(name)") }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
