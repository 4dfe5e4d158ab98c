internal import Foundation
internal import Report
internal import Training

/// This program as a new process, started as users start it.
enum ChildProcess {
  /// Runs `drawml` with `arguments` to its end. Its output is discarded, and it does not inherit
  /// the choice of kernels.
  ///
  /// - Parameter arguments: The arguments after the program's name.
  /// - Returns: How long it took, from before its start to after its end.
  /// - Throws: `SpeedError.childFailed` when it cannot be started or fails.
  static func run(_ arguments: [String]) throws -> Duration {
    let environment = ProcessInfo.processInfo.environment.filter {
      $0.key != Resources.kernelsVariable
    }
    let settings = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var words = unsafe (["drawml"] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe settings.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
      for index in unsafe variables.indices { unsafe free(variables[index]) }
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var identifier: pid_t = 0
    var status: Int32 = 0
    let start = ContinuousClock.now
    let code = unsafe posix_spawn(
      &identifier, "/proc/self/exe", &actions, nil, &words, &variables)
    guard code == 0 else { throw SpeedError.childFailed(arguments: arguments, status: code) }
    while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    let duration = ContinuousClock.now - start
    guard status == 0 else {
      throw SpeedError.childFailed(arguments: arguments, status: status >> 8)
    }
    return duration
  }
}
