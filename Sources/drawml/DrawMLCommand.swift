internal import ArgumentParser

@main
struct DrawMLCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawml", abstract: "Teach a computer the shapes you draw.")
}
