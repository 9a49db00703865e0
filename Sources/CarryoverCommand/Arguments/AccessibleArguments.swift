import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

/// Whether to work by prompts instead of on a screen.
struct AccessibleArguments: ParsableArguments {
  @Flag(
    help: """
      Print the screens line by line and take keys and words as lines, for screen readers, plain terminals \
      and logs (as CARRYOVER_ACCESSIBLE=1 does).
      """)
  var accessible = false

  /// Whether prompts were asked for: by the option, which also takes lines from a pipe, or by the variable, which is for
  /// people.
  var isOn: Bool {
    accessible || (Console.isAccessibleByEnvironment && Console.inputIsTerminal && Console.outputIsTerminal)
  }

  /// What may be printed where nobody has chosen.
  static var usualGlyphs: Glyphs { Console.glyphs }

  /// Refuses a terminal that only shows lines, and says what works there.
  static func requireScreen(for command: String) throws {
    guard Console.environment("TERM") == "dumb" else { return }
    throw CommandFailure.usage(
      "The terminal “dumb” shows lines and no screen; carryover \(command) --accessible works line by line.")
  }
}

extension ContainerArguments {
  /// Opens the container, without a line that is written over and over; where there are several, those that are chosen by
  /// prompts, one after the other.
  /// - Parameters:
  ///   - workers: the arguments of the workers that plan the containers to choose from; nil where none is planned.
  ///   - show: shows a container, and is told what to choose it by when it is opened again, and the decisions by finding.
  func openByPrompts(
    _ glyphs: Glyphs, reading files: [StoreFile] = [], workers: [String]? = nil, _ masking: Masking,
    show: (OpenedContainer, ContainerSelection?, DecisionPolicy?) throws -> Void
  ) throws {
    let selection = try choosing.selection()
    let opened: OpenedContainer
    do {
      opened = try open(selection, reading: files, masking, quietly: true)
    } catch let error as ContainerError {
      guard case .holdsContainers(let candidates, _) = error.kind, selection == nil else { throw error }
      let options = ReviewOptions(glyphs: glyphs, redaction: masking.redaction)
      var choice = LineChoice(candidates, place: path, workers: workers, options: options)
      defer { choice.end() }
      while let chosen = try choice.choose() {
        let policy = choice.policy
        try choice.visit {
          try show(
            open(.path(chosen.path), reading: files, masking, quietly: true), .path(chosen.path), policy)
        }
      }
      return
    }
    try show(opened, selection, nil)
  }
}
