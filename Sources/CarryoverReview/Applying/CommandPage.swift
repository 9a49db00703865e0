import Carryover
import CarryoverTerminal

extension Screen {
  /// The command line that does what was decided.
  static let command = Screen("command", "Command")
}

extension ScreenContent<ReviewState> {
  /// The command line that does what was decided.
  static var command: ScreenContent {
    text(.command, back: .out, keys: commandKeys) { $0.command($1) }.with {
      $0.opened = { $0.commandLine = (try? $0.makeCommandLine())?.text }
      $0.closed = { $0.commandLine = nil }
      // What is saved can be run.
      $0.whole = { Page(lines: [[Span("#!/bin/sh")], [Span($0.commandLine ?? "")]]) }
    }
  }

  private static var commandKeys: [KeyBinding<ReviewState>] {
    [
      KeyBinding(
        [.character("C")], "copy as command", "Copy a command line that makes the same decisions.",
        in: [.review, .details, .preview], .applying, opens: [.command],
        unless: { state in
          do throws(CommandLineText.Obstacle) {
            _ = try state.makeCommandLine()
            return nil
          } catch {
            return error.sentence
          }
        }
      ) {
        $0.open(.command)
        return $0.options.lineColumns == nil ? $0.copyCommand() : []
      },
      KeyBinding(
        [.character("c")], "copy", "Copy the command line to the clipboard.", in: [.command], .applying, hint: 1
      ) { $0.copyCommand() },
    ]
  }
}

extension ReviewState {
  /// The command line that does what was decided so far.
  fileprivate func makeCommandLine() throws(CommandLineText.Obstacle) -> CommandLineText {
    if options.redaction != nil {
      throw CommandLineText.Obstacle(
        sentence: "A command line has the values themselves, so there is none with --redact.")
    }
    if let readOnly { throw CommandLineText.Obstacle(sentence: readOnly) }
    guard let words = applyWords?(choices) else {
      throw CommandLineText.Obstacle(sentence: "How this container was opened is unknown.")
    }
    return try CommandLineText(words, plan, decisions)
  }

  fileprivate mutating func copyCommand() -> [ReviewEffect] {
    guard let text = commandLine else { return [.bell] }
    guard text.utf8.count <= Clipboard.limit else {
      message = "The command is too long for the clipboard; \(key("save", .command)) saves it."
      return [.bell]
    }
    message = "The command was copied to the clipboard."
    return [.copy(text)]
  }
}

extension PageWriter {
  /// The command line, and what it does.
  mutating func command(_ state: ReviewState) {
    guard let text = state.commandLine else { return }
    words("This command applies your decisions to the container as it is now:")
    blank()
    add([Span(ink.plain(text), .value)], exact: true)
    let waiting = state.tally.waiting
    guard waiting > 0 else { return }
    blank()
    words(
      "\(counted(waiting, "field")) \(waiting == 1 ? "is" : "are") undecided: the command writes nothing until "
        + "\(waiting == 1 ? "it is" : "they are") decided.", .flagged)
  }
}
