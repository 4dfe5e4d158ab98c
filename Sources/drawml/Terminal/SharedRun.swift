internal import CLibrary
internal import Distributed
internal import Foundation
internal import NeuralNetwork
internal import Synchronization
internal import Training

/// The processes that `mpirun` started to run one command together. Rank 0 is the one that writes and
/// prints; the others are silent, unless something fails that rank 0 does not meet.
enum SharedRun {
  /// The commands that processes share. Each process would run any other as if it were alone, and
  /// overwrite what the others write.
  private static let shared: Set<String> = [
    "train", "train-base", "benchmark few-shot", "benchmark open-set", "benchmark search",
  ]

  private struct State {
    var command = ""
    var launch: Launch?
    var group: (any RankGroup)?
    /// Standard error as it was before it was silenced.
    var errors: Int32?
  }

  private static let state = Mutex(State())

  /// Looks how the process was started, and silences it if another one speaks.
  ///
  /// - Parameter arguments: The command line.
  static func begin(_ arguments: [String]) {
    let words = arguments.dropFirst().prefix(2)
    let command = words.first.map { $0 == "benchmark" ? words.joined(separator: " ") : $0 } ?? ""
    guard let launch = Launch(environment: ProcessInfo.processInfo.environment) else { return }
    state.withLock { state in
      (state.command, state.launch) = (command, launch)
      guard launch.rank > 0 else { return }
      state.errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
      let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
      guard nowhere >= 0 else { return }
      dup2(nowhere, STDOUT_FILENO)
      dup2(nowhere, STDERR_FILENO)
      close(nowhere)
    }
  }

  /// Refuses a command that several processes would run, each as if it were alone.
  ///
  /// - Throws: `RankError.notShared`.
  static func check() throws {
    try state.withLock { state in
      guard let launch = state.launch, !shared.contains(state.command) else { return }
      throw RankError.notShared(command: state.command, rankCount: launch.rankCount)
    }
  }

  /// Joins the other processes, before a command does anything that they share.
  ///
  /// - Returns: All of them, or this process alone.
  /// - Throws: `RankError`.
  static func join() throws -> any GradientReducer {
    try state.withLock { state in
      guard let launch = state.launch else { return OneProcess() }
      let group = try launch.join(for: state.command)
      state.group = group
      return group
    }
  }

  /// The processors that are for this process: of those of a machine, others have their share.
  static var processorCount: Int {
    let all = Resources.processorCount
    guard let launch = state.withLock(\.launch) else { return all }
    return max(1, min(Resources.allowedProcessorCount, all / launch.localCount))
  }

  /// Parts from the others when all is done.
  static func end() {
    state.withLock { state in
      state.group?.leave()
      state.group = nil
    }
  }

  /// Ends all processes after an error. Where the process is not alone, it does not return.
  ///
  /// - Parameters:
  ///   - error: The error, of which rank 0 has told.
  ///   - lines: What it says.
  ///   - status: The exit status.
  static func end(after error: any Error, _ lines: [String], status: Int32) {
    let (launch, group, errors) = state.withLock { ($0.launch, $0.group, $0.errors) }
    guard let launch else { return }
    let isFirst = launch.rank == 0
    if (error as? RankError)?.occursOnAllRanks == true {
      group?.leave()
      // The launcher ends rank 0, which may not yet have spoken, if another rank fails.
      exit(isFirst ? status : 0)
    }
    // A signal has ended it: the launcher ends the others, too.
    guard !lines.isEmpty else { exit(status) }
    if !isFirst, let errors {
      // What all ranks meet, rank 0 tells, and ends this one.
      sleep(2)
      dup2(errors, STDERR_FILENO)
      let host = group.map { " on \($0.hosts[launch.rank])" } ?? ""
      printToStandardError(["Rank \(launch.rank)\(host):"] + lines)
    }
    group?.abort(status: status)
    exit(status)
  }
}
