internal import Files
internal import Foundation
public import Text

/// Why a program of the system did not do its work.
public enum OtherProgramError: DescribedError, Equatable {
  /// It is not installed.
  case missing(program: String, package: String)
  /// It took longer than it may, in seconds, and was killed.
  case tooSlow(program: String, seconds: Int)
  /// A signal ended it, as one does when there is a fault in the program.
  case crashed(program: String)
  /// It failed; the text is the last of what it said.
  case failed(program: String, status: Int32, text: String)

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .missing(let program, let package):
      "the program \(program) is not installed; install it with: apt-get install \(package)"
    case .tooSlow(let program, let seconds):
      "\(program) did not finish in \(seconds) seconds, or needed too much memory, and was "
        + "stopped; try a smaller picture"
    case .crashed(let program): "\(program) crashed; try another picture"
    case .failed(let program, let status, let text):
      "\(program) failed with status \(status)"
        + (text.isEmpty ? "" : ": \(text.prefix(200))")
    }
  }
}

/// A program of the system that does a part of the work, within limits: what it reads may be
/// hostile, and ends at most that program.
struct OtherProgram {
  /// Its name.
  var name: String
  /// The Debian package that has it.
  var package: String
  /// After this time it is killed.
  var seconds: Int
  /// The most memory that it gets.
  var bytes: Int
  /// Added to its environment.
  var environment: [String: String] = [:]

  /// A process of the program.
  struct Running {
    fileprivate let program: OtherProgram
    fileprivate let process: Process
    fileprivate let output = Pipe()
    /// Holds the file of its standard error; a full pipe would block it.
    fileprivate let folder: PrivateTemporaryFolder
    fileprivate var errors: String { folder.path + "/errors" }

    /// Waits for its end.
    ///
    /// - Returns: What it wrote to standard output.
    /// - Throws: `OtherProgramError`.
    func finish() throws(OtherProgramError) -> [UInt8] {
      let result = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationReason == .exit else { throw .crashed(program: program.name) }
      switch process.terminationStatus {
      case 0: return Array(result)
      case 124, 137: throw .tooSlow(program: program.name, seconds: program.seconds)
      case 127: throw .missing(program: program.name, package: program.package)
      case let status:
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        throw .failed(
          program: program.name, status: status,
          text: said.split(separator: "\n").last.map(String.init) ?? "")
      }
    }

    /// Ends it early.
    func stop() {
      if process.isRunning { process.terminate() }
      process.waitUntilExit()
    }
  }

  /// Starts the program.
  ///
  /// `timeout` (of coreutils) and `prlimit` (of util-linux), which every Debian system has, keep the
  /// limits, also if this process is killed meanwhile.
  ///
  /// - Throws: `OtherProgramError` if no process can be started.
  func start(_ arguments: [String]) throws(OtherProgramError) -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["timeout", "--kill-after=1", "\(seconds)", "prlimit", "--as=\(bytes)", name] + arguments
    // None of our secrets.
    let kept = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TESSDATA_PREFIX", "XDG_CACHE_HOME"]
    process.environment = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
      .merging(environment) { $1 }
    let running: Running
    do {
      running = Running(program: self, process: process, folder: try PrivateTemporaryFolder())
      try Data().write(to: URL(fileURLWithPath: running.errors))
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = running.output
      process.standardError = try FileHandle(
        forWritingTo: URL(fileURLWithPath: running.errors))
      try process.run()
    } catch {
      throw .failed(program: name, status: -1, text: "\(error)")
    }
    return running
  }

  /// Runs the program to its end: see `Running.finish`.
  func run(_ arguments: [String]) throws(OtherProgramError) -> [UInt8] {
    try start(arguments).finish()
  }
}
