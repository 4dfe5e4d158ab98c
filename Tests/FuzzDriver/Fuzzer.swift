internal import CFuzz
internal import Foundation
internal import Fuzzing

#if STUDIO
  internal import StudioFuzzing
#endif

/// The program that `scripts/fuzz` runs:
///
///     fuzz --list                    names the readers
///     fuzz --seeds NAME FOLDER       writes a reader's sound inputs
///     fuzz NAME [libFuzzer options]  fuzzes a reader
@main
enum Fuzzer {
  private static let arguments = Array(CommandLine.arguments.dropFirst())
  #if STUDIO
    private static let targets = Target.ofFiles + Target.ofStudio
  #else
    private static let targets = Target.ofFiles
  #endif
  /// What is fuzzed: here, because a C function that is given a closure gives it nothing of its
  /// own.
  private static let target = targets.first { $0.name == arguments.first }

  static func main() throws {
    switch (arguments.first, arguments.count) {
    case ("--list", 1): for target in targets { print(target.name) }
    case ("--seeds", 3):
      let seeds = try targets.first { $0.name == arguments[1] }?.seeds() ?? []
      for (number, seed) in seeds.enumerated() {
        try Data(seed).write(to: URL(filePath: "\(arguments[2])/seed-\(number)"))
      }
    default:
      guard target != nil else {
        print("there is no such reader; --list names them")
        exit(2)
      }
      exit(
        unsafe drawml_fuzz(CommandLine.argc - 1, CommandLine.unsafeArgv + 1) { input, count in
          let bytes = unsafe [UInt8](UnsafeBufferPointer(start: input, count: count))
          _ = try? Fuzzer.target?.read(bytes)
          return 0
        })
    }
  }
}
