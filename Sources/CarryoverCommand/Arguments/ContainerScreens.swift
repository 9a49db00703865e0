import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

/// The way of every command that takes the whole screen: the container is opened and shown; where the path holds several,
/// they are shown first, and again after each one that is left.
///
/// One terminal is open all the while, so that the shell does not show in between.
struct ContainerScreens {
  var screen: ScreenSettings
  var container: ContainerArguments
  /// The files that recipe files of the command line read, whatever their names are.
  var files: [StoreFile] = []
  var masking: Masking
  /// The arguments of the workers that plan the containers to choose from; nil where none is planned.
  var workers: [String]?

  /// Shows what is chosen until the user leaves. A signal that asks the process to end ends it, with the terminal as it
  /// was, after `finish`.
  /// - Parameters:
  ///   - prepare: makes of an open container what is shown. If it was chosen on the screen, so that nothing can be asked
  ///     or said below it, that comes with the decisions by finding that were taken there.
  ///   - show: shows it on the terminal.
  ///   - finish: says what is to be said below the prompt afterwards.
  func run<Prepared>(
    prepare: (OpenedContainer, ContainerSelection?, _ chosen: DecisionPolicy?) throws -> Prepared,
    show: (Prepared, any Terminal, Glyphs) throws -> ScreenLoop.Ending,
    finish: () throws -> Void = {}
  ) throws {
    let ending: ScreenLoop.Ending
    let selection = try container.choosing.selection()
    do {
      let prepared = try prepare(try container.open(selection, reading: files, masking), selection, nil)
      ending = try screen.onTerminal { try show(prepared, $0, $1) }
    } catch let error as ContainerError {
      guard case .holdsContainers(let candidates, _) = error.kind, selection == nil, Console.inputIsTerminal,
        Console.outputIsTerminal
      else { throw error }
      ending = try choose(candidates, prepare, show)
    }
    try finish()
    if case .signal(let number) = ending { Console.endBySignal(number) }
  }

  private func choose<Prepared>(
    _ candidates: [ContainerCandidate],
    _ prepare: (OpenedContainer, ContainerSelection?, _ chosen: DecisionPolicy?) throws -> Prepared,
    _ show: (Prepared, any Terminal, Glyphs) throws -> ScreenLoop.Ending
  ) throws -> ScreenLoop.Ending {
    try screen.onTerminal { terminal, glyphs in
      let options = screen.options(glyphs, at: Console.now, masking)
      var picker = Picker(
        candidates, place: container.path, workers: workers, options: options, on: terminal)
      defer { picker.end() }
      while true {
        switch try picker.choose() {
        case .signal(let number): return .signal(number)
        case .chosen(nil): return .quit
        case .chosen(let candidate?):
          let (selection, policy) = (ContainerSelection.path(candidate.path), picker.policy)
          let ending = picker.visit {
            try show(
              try prepare(
                try container.open(selection, reading: files, masking, quietly: true), selection, policy),
              terminal, glyphs)
          }
          if case .signal = ending { return ending }
        }
      }
    }
  }
}
