import ArgumentParser
import Foundation
import Testing

@testable import drawml

extension WrongInputCommandLineTests {
  @Suite("Options with numbers")
  struct NumberOptionTests {
    /// A command as `--experimental-dump-help` tells it.
    private struct Command: Decodable {
      struct Argument: Decodable {
        struct Name: Decodable {
          var kind: String
          var name: String
        }
        var names: [Name]?
        var abstract: String?
      }
      var commandName: String
      var arguments: [Argument]?
      var subcommands: [Command]?

      /// The options whose help ends with a range.
      var ranges: [(option: String, low: String, high: String)] {
        (arguments ?? []).compactMap { argument in
          guard
            let match = argument.abstract?.firstMatch(
              of: /\((\S+) to (\S+?)(?:; default: \S+)?\)\.?$/),
            let name = argument.names?.first(where: { $0.kind == "long" })
          else { return nil }
          return (name.name, String(match.1), String(match.2))
        }
      }
    }

    private struct Tool: Decodable { var command: Command }

    /// All commands with their words, and their types beside them.
    private func commands() async throws -> [([String], Command, any ParsableCommand.Type)] {
      let run = try await TestFolder().run("--experimental-dump-help")
      let root = try JSONDecoder().decode(Tool.self, from: Data(run.output.utf8)).command
      func walk(
        _ command: Command, _ type: any ParsableCommand.Type, _ words: [String]
      ) throws -> [([String], Command, any ParsableCommand.Type)] {
        var found = [(words, command, type)]
        for next in type.configuration.subcommands {
          let name = try #require(next.configuration.commandName)
          let told = try #require(command.subcommands?.first { $0.commandName == name })
          found += try walk(told, next, words + [name])
        }
        return found
      }
      return try walk(root, DrawMLCommand.self, [])
    }

    @Test("Each names its range in the help")
    func help() async throws {
      var count = 0
      for (words, command, type) in try await commands() {
        let declared = numbers(of: type)
        let told = command.ranges
        #expect(
          declared.count == told.count,
          "\(words): \(declared) are declared, \(told.map(\.option)) say a range: use 'in:'")
        count += told.count
      }
      #expect(count > 80)
    }

    @Test("A number outside of the range is refused before anything else, in a sentence")
    func refusals() async throws {
      for (words, command, type) in try await commands() {
        // What is no number is refused by one parser for all options.
        let noNumbers = ["nan", "9223372036854775808999", "two"]
        for (index, (option, low, high)) in command.ranges.enumerated() {
          for value in [beyond(low, -1), beyond(high, 1)] + (index == 0 ? noNumbers : []) {
            do {
              // Not from the root: built for debugging, that checks all commands each time.
              _ = try type.parse(["--\(option)=\(value)"])
              Issue.record("\(words) took --\(option)=\(value)")
            } catch {
              #expect(type.exitCode(for: error) == .validationFailure)
              let message = type.message(for: error)
              #expect(
                message.hasPrefix("The value '\(value)' is invalid for '--\(option) <")
                  && message.contains("number from \(low) to \(high)"), "\(words): \(message)")
            }
          }
        }
      }
    }

    @Test(
      "The program ends at once with exit code 64",
      arguments: [
        "train x -o m --threads 9223372036854775807",
        "dataset synthesize -o x --count 9223372036854775807",
        "benchmark few-shot --samples x -m m --tasks 9223372036854775807",
        "benchmark few-shot --samples x -m m --tasks=100000 --ways=1000",
        "benchmark stream x --count=1000000000000 --interval=1",
        "train x -o m --head plda --neighbors 3", "train x -o m --head knn --penalty 1",
        "train-segmenter --base b --places p --answers a -o o --worlds 1000 --canvases 10000",
      ])
    func exitCode(arguments: String) async throws {
      let folder = try TestFolder()
      let run = try await folder.run(arguments, status: 64)
      #expect(run.errors.hasPrefix("Error: "))
      #expect(try folder.names.isEmpty)
    }

    /// The next number behind an end of a range.
    private func beyond(_ end: String, _ step: Int) -> String {
      if end == "\(UInt64.max)" { return "18446744073709551616" }
      return Int(end).map { "\($0 + step)" } ?? "\((Double(end) ?? 0) + Double(step) / 10_000)"
    }

    /// The options and arguments of a command that hold numbers.
    private func numbers(of type: any ParsableArguments.Type) -> [String] {
      Mirror(reflecting: type.init()).children.flatMap { child -> [String] in
        switch child.value {
        case let group as any Group: numbers(of: Swift.type(of: group).arguments)
        case let holder as any Holder where isNumber(Swift.type(of: holder).held):
          [child.label ?? ""]
        default: []
        }
      }
    }

    private func isNumber(_ type: Any.Type) -> Bool {
      if let wrapper = type as? any Wrapper.Type { return isNumber(wrapper.wrapped) }
      return type is any Numeric.Type
    }
  }
}

private protocol Group {
  static var arguments: any ParsableArguments.Type { get }
}
extension OptionGroup: Group {
  fileprivate static var arguments: any ParsableArguments.Type { Value.self }
}

private protocol Holder {
  static var held: Any.Type { get }
}
extension Option: Holder { fileprivate static var held: Any.Type { Value.self } }
extension Argument: Holder { fileprivate static var held: Any.Type { Value.self } }

private protocol Wrapper {
  static var wrapped: Any.Type { get }
}
extension Optional: Wrapper { fileprivate static var wrapped: Any.Type { Wrapped.self } }
extension Array: Wrapper { fileprivate static var wrapped: Any.Type { Element.self } }
