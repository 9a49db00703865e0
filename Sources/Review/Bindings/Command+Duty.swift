/// What the rules for changing keys have to know of a command. A new one that writes files, leaves a screen or opens one
/// belongs here.
extension Command {
  var duty: KeyCatalogue.Duty? {
    switch self {
    case .apply, .rollBack, .quitForCertain: .confirmation
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
    case .quit: [.quit]
    default: []
    }
  }
}

extension BrowserCommand {
  var duty: KeyCatalogue.Duty? {
    switch self {
    case .back, .leave, .endSearch: .wayOut
    case .help: .help
    default: nil
    }
  }
}

extension PickerCommand {
  var duty: KeyCatalogue.Duty? {
    switch self {
    case .back, .leave, .dropFilter: .wayOut
    case .help: .help
    default: nil
    }
  }
}
