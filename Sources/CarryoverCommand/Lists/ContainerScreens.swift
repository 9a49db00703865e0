import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// Opens a container and shows it on the screen. If there are several, the user chooses one, and another after leaving
/// it. The terminal stays open meanwhile, so that the shell does not show in between.
struct ContainerScreens {
  var screen: Configuration
  var container: ContainerArguments
  var files: [StoreFile] = []
  var masking: Masking
  /// Nil if containers are only browsed.
  var list: ListedReview?

  /// - Parameters:
  ///   - prepare: makes what is shown. With choices, the container was chosen on the screen: nothing can be asked or
  ///     printed below it.
  ///   - finish: prints below the prompt afterwards, before a signal ends the process.
  func run<Prepared>(
    prepare: (OpenedContainer, ContainerSelection?, _ chosen: ListChoices?) throws -> Prepared,
    show: (Prepared, any Terminal, Glyphs) throws -> ScreenLoop.Ending,
    finish: () throws -> Void = {}
  ) throws {
    let ending: ScreenLoop.Ending
    let selection = try container.choosing.selection()
    do {
      let prepared = try prepare(try open(selection), selection, nil)
      ending = try screen.onTerminal { try show(prepared, $0, $1) }
    } catch let error as ContainerError {
      guard case .holdsContainers(let candidates, _) = error.kind, selection == nil, Console.inputIsTerminal,
        Console.outputIsTerminal
      else { throw error }
      ending = try screen.onTerminal { terminal, glyphs in
        let options = screen.options(glyphs, at: Console.now, masking)
        return try choose(candidates, at: container.path, ListChoices(), options: options, on: terminal) {
          try show(try prepare($0, $1, $2), terminal, glyphs)
        }
      }
    }
    try finish()
    if case .signal(let number) = ending { Console.endBySignal(number) }
  }

  /// A review reads the tables of databases when its stores are opened.
  private func open(_ selection: ContainerSelection?, quietly: Bool = false) throws -> OpenedContainer {
    try container.open(selection, reading: files, tables: list == nil, masking, quietly: quietly)
  }

  /// - Parameter place: the path of the list, which may be that of an archive in a list.
  private func choose(
    _ candidates: [ContainerCandidate], at place: String, _ choices: ListChoices, options: ReviewOptions,
    on terminal: any Terminal, show: (OpenedContainer, ContainerSelection, ListChoices) throws -> ScreenLoop.Ending
  ) throws -> ScreenLoop.Ending {
    let runner = ListRunner(candidates, in: container, for: list, choices, masking, wake: terminal.waker())
    var picker = Picker(runner, at: place, choices, options: options, on: terminal)
    defer { runner.states?.end() }
    while true {
      switch try picker.choose() {
      case .signal(let number): return .signal(number)
      case .chosen(nil): return .quit
      case .chosen(let candidate?):
        let (selection, choices) = (ContainerSelection.path(candidate.path), picker.choices)
        let ending = picker.visit {
          do {
            return try show(open(selection, quietly: true), selection, choices)
          } catch let error as ContainerError {
            guard let inner = error.candidates(below: candidate) else { throw error }
            return try choose(
              inner, at: FilePath.join(place, candidate.path), choices, options: options, on: terminal, show: show)
          }
        }
        if case .signal = ending { return ending }
      }
    }
  }
}

extension ContainerError {
  /// The containers to choose from in one that was chosen already; nil for any other error.
  fileprivate func candidates(below chosen: ContainerCandidate) -> [ContainerCandidate]? {
    guard case .holdsContainers(let candidates, _) = kind else { return nil }
    return candidates.map { candidate in
      var candidate = candidate
      candidate.path = FilePath.join(chosen.path, candidate.path)
      return candidate
    }
  }
}

extension ContainerArguments {
  /// Opens the container; of several, each that the user chooses by prompts.
  /// - Parameter show: gets what chooses the container when it is opened again, and the choices of the list.
  func openByPrompts(
    _ glyphs: Glyphs, reading files: [StoreFile] = [], list: ListedReview? = nil, _ masking: Masking,
    show: (OpenedContainer, ContainerSelection?, ListChoices?) throws -> Void
  ) throws {
    let selection = try choosing.selection()
    let opened: OpenedContainer
    do {
      opened = try open(selection, reading: files, tables: list == nil, masking, quietly: true)
    } catch let error as ContainerError {
      guard case .holdsContainers(let candidates, _) = error.kind, selection == nil else { throw error }
      let options = ReviewOptions(glyphs: glyphs, redaction: masking.redaction)
      return try choose(candidates, at: path, list, ListChoices(), masking, options: options) { selection, choices in
        try show(open(selection, reading: files, tables: list == nil, masking, quietly: true), selection, choices)
      }
    }
    try show(opened, selection, nil)
  }

  private func choose(
    _ candidates: [ContainerCandidate], at place: String, _ list: ListedReview?, _ choices: ListChoices,
    _ masking: Masking, options: ReviewOptions, show: (ContainerSelection, ListChoices) throws -> Void
  ) throws {
    let runner = ListRunner(candidates, in: self, for: list, choices, masking, wake: {})
    var choice = LineChoice(runner, at: place, choices, options)
    defer { runner.states?.end() }
    while let chosen = try choice.choose() {
      let choices = choice.choices
      try choice.visit {
        do {
          try show(.path(chosen.path), choices)
        } catch let error as ContainerError {
          guard let inner = error.candidates(below: chosen) else { throw error }
          try choose(
            inner, at: FilePath.join(place, chosen.path), list, choices, masking, options: options, show: show)
        }
      }
    }
  }
}
