/// What the rules for changing keys have to know of a command. A new one that writes files, leaves a screen or opens one
/// belongs here.
extension Command {
  var duty: KeyCatalogue.Duty? {
    switch self {
    case .apply, .rollBack, .quitForCertain, .quitForgetting, .takeUp: .confirmation
    case .back, .cancel, .quit: .wayOut
    case .open(.help): .help
    default: nil
    }
  }

  /// The screens that it can lead to.
  var opens: [Screen] {
    switch self {
    case .open(let screen): [screen]
    case .browse: [.stores]
    case .showHistory: [.history]
    case .openRun: [.run]
    case .askForLastRun: [.rollback, .run]
    case .edit: [.editor]
    case .decideMany: [.decideMany]
    case .filterMenu: [.filterMenu]
    case .explain: [.finding]
    case .quit: [.quit]
    default: []
    }
  }
}

extension BrowserCommand {
  /// Ending a search leads out of its line; out of the outline only where the stores are a screen of the review.
  func duty(on screen: BrowserScreen) -> KeyCatalogue.Duty? {
    switch self {
    case .endSearch: screen == .search ? .wayOut : nil
    case .back, .leave, .wholeHelp: .wayOut
    case .help: .help
    default: nil
    }
  }
}

extension PickerCommand {
  var duty: KeyCatalogue.Duty? {
    switch self {
    case .back, .leave, .dropFilter, .wholeHelp: .wayOut
    case .help: .help
    default: nil
    }
  }
}
