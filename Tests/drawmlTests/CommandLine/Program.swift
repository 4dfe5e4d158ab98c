import Foundation
import Glibc
import Testing

/// The built `drawml`, run as people run it: as a process of its own.
enum Program {
  /// What a run left behind.
  struct Run {
    /// The exit status, or 128 and the signal's number for a process that a signal ended.
    var status: Int32
    var output: String
    var errors: String
    /// The most memory that the process held at once, up to 5 ms before its end; nil where it ended
    /// sooner. `wait4` would tell what the tests held when they started it, where that is more.
    var peakMemoryBytes: Int?

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The output as one JSON object.
    func object() throws -> [String: Any] { try Self.object(output) }

    /// A JSON object.
    static func object(_ text: String) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
  }

  /// Longer than anything here takes on a busy machine.
  static let limit: Duration = .seconds(240)

  /// The program beside the tests, in the same build folder.
  static func path() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arguments = [tests] + CommandLine.arguments.prefix(1) + [Bundle.main.bundlePath]
    var folders = arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    folders += [Bundle.main.bundlePath]
    let found = folders.map { $0 + "/drawml" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    return try #require(found, "no drawml in \(folders); build it with 'swift build'")
  }

  /// Runs `drawml` to its end.
  ///
  /// - Parameters:
  ///   - line: Its arguments, as in `TestFolder.run`.
  ///   - input: What it finds on its standard input.
  ///   - folder: Where it runs.
  /// - Returns: What it left behind.
  /// - Throws: When it cannot be started or takes too long.
  static func run(_ line: String, input: String = "", in folder: TestFolder) async throws -> Run {
    try await Process.start(try command(line), input: Data(input.utf8), in: folder).end()
  }

  /// The program with the arguments of a line.
  static func command(_ line: String) throws -> [String] {
    [try path()] + line.matches(of: /'([^']*)'|\S+/).map { String($0.1 ?? $0.0) }
  }

  /// Runs a line of shell, in which `$drawml` is the program, to its end.
  static func shell(_ line: String, in folder: TestFolder) async throws -> Run {
    let script = "drawml='\(try path())'; set -o pipefail; \(line)"
    return try await Process.start(["/bin/bash", "-c", script], input: Data(), in: folder).end()
  }

  /// A process that was started, and ends at the latest with its limit or its last owner.
  final class Process {
    let identifier: pid_t
    private let folder: TestFolder
    private let outputs: (String, String)
    private let started = ContinuousClock.now
    private var status: Int32?
    private var peakMemoryBytes = 0

    private init(_ identifier: pid_t, _ folder: TestFolder, _ outputs: (String, String)) {
      self.identifier = identifier
      self.folder = folder
      self.outputs = outputs
    }

    deinit {
      guard status == nil else { return }
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }

    /// Starts a process whose outputs go to files, so that it never blocks on a full pipe.
    static func start(
      _ arguments: [String], input: Data, in folder: TestFolder
    ) throws -> Process {
      let log = folder.logs + "/" + UUID().uuidString
      try input.write(to: URL(fileURLWithPath: log + ".in"))
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, log + ".in", O_RDONLY, 0)
      let flags = O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, 1, log + ".out", flags, 0o644)
      posix_spawn_file_actions_addopen(&actions, 2, log + ".err", flags, 0o644)
      // The server that other tests start in this process ignores broken pipes; a program that a
      // shell starts does not.
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var usual = sigset_t()
      sigemptyset(&usual)
      sigaddset(&usual, SIGPIPE)
      posix_spawnattr_setsigdefault(&attributes, &usual)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
      // The shell goes to the folder and then becomes the program: the process stays the same.
      let command = ["/bin/bash", "-c", #"cd "$0" && exec "$@""#, folder.path] + arguments
      let words = command.map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      var identifier: pid_t = 0
      let code = posix_spawn(&identifier, command[0], &actions, &attributes, words, environ)
      try #require(code == 0, "cannot start \(arguments[0]): \(String(cString: strerror(code)))")
      return Process(identifier, folder, (log + ".out", log + ".err"))
    }

    /// What it has written to standard output so far.
    var outputSoFar: String { Self.text(outputs.0) }

    /// What it has written to standard error so far.
    var errorsSoFar: String { Self.text(outputs.1) }

    /// Whether it still runs.
    func isRunning() -> Bool {
      guard status == nil else { return false }
      var code: Int32 = 0
      guard waitpid(identifier, &code, WNOHANG) == identifier else {
        peakMemoryBytes = max(peakMemoryBytes, memory())
        return true
      }
      status = code & 0x7f == 0 ? (code >> 8) & 0xff : 128 + code & 0x7f
      return false
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
      if status == nil { kill(identifier, number) }
    }

    /// Waits until `isSo` or the process ended; whether it is so.
    func wait(until isSo: () -> Bool) async throws -> Bool {
      while !isSo() {
        guard isRunning() else { return isSo() }
        try await pause()
      }
      return true
    }

    /// Waits for its end.
    func end() async throws -> Run {
      while isRunning() { try await pause() }
      return Run(
        status: try #require(status), output: Self.text(outputs.0), errors: Self.text(outputs.1),
        peakMemoryBytes: peakMemoryBytes > 0 ? peakMemoryBytes : nil)
    }

    /// The most bytes of memory that it held until now; 0 when it has ended.
    private func memory() -> Int {
      Self.text("/proc/\(identifier)/status").split(separator: "\n")
        .first { $0.hasPrefix("VmHWM:") }
        .flatMap { $0.split { !$0.isNumber }.first.flatMap { Int($0) } }
        .map { $0 * 1024 } ?? 0
    }

    private func pause() async throws {
      if ContinuousClock.now - started > Program.limit {
        signal(SIGKILL)
        Issue.record("drawml ran longer than \(Program.limit): \(errorsSoFar)")
        throw CancellationError()
      }
      try await Task.sleep(for: .milliseconds(5))
    }

    private static func text(_ path: String) -> String {
      String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data(), as: UTF8.self)
    }
  }
}

extension TestFolder {
  /// Runs `drawml` in it to its end, which is to be the one that is expected.
  ///
  /// - Parameters:
  ///   - line: Its arguments, which white space separates; what stands in single quotes is one.
  ///   - status: The exit status that is expected; where it is another, the test ends.
  ///   - input: What it finds on its standard input.
  ///   - sourceLocation: The line of the test.
  /// - Returns: What it left behind.
  /// - Throws: When it cannot be started, takes too long or ends otherwise.
  @discardableResult
  func run(
    _ line: String, status: Int = 0, input: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Program.Run {
    let run = try await Program.run(line, input: input, in: self)
    try #require(run.status == status, "\(line): \(run.errors)", sourceLocation: sourceLocation)
    return run
  }

  /// Runs a line of shell in it, as `Program.shell` does, and expects its end as `run` does.
  @discardableResult
  func shell(
    _ line: String, status: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Program.Run {
    let run = try await Program.shell(line, in: self)
    let words: Comment = "\(line): \(run.output) \(run.errors)"
    try #require(run.status == status, words, sourceLocation: sourceLocation)
    return run
  }

  /// Starts `drawml` in it, with arguments as in `run`.
  func start(_ line: String) throws -> Program.Process {
    try .start(try Program.command(line), input: Data(), in: self)
  }
}
