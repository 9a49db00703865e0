import ArgumentParser

/// Where to save a plan, for `plan`.
struct SavingArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Save the plan as this file, for apply; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace a saved plan that exists already.") var force = false

  /// Whether the document is to be printed.
  var isStandardOutput: Bool { output == "-" }

  /// The file to write, where there is one.
  var file: String? { isStandardOutput ? nil : output }

  /// - Throws: a usage error for a file without a name.
  func check() throws {
    guard output != "" else {
      throw CommandFailure.usage("-o needs the file to save the plan as, or - for standard output; “” is not a file.")
    }
  }
}
