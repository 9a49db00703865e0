extension VerdictFinder {
  /// The facts about an opted-out user that no container shows.
  var keptOut: FindingText { "The container does not show whether the app itself keeps such users opted out." }

  func aheadReason(_ main: LostValue) -> FindingText {
    if situation == .migrated {
      return "Runs of Carryover wrote the new SDK's file, and nothing has changed it since.\(migratorsPart)"
    }
    if situation == .begun {
      return "The new SDK's file exists, but the new SDK has not started with it.\(migratorsPart)"
    }
    let other: FindingText =
      switch recipe.migrator {
      case nil: "This assumes that the app does nothing about it."
      case let migrator? where migrator.runs == .whenCalled:
        "This assumes that the app migrates with \(words: migrator.name); without a migration it loses everything."
      case _?: assumption
      }
    return "The new SDK has not started in this container, so it is from before the update. \(other)"
  }

  /// What the vendor's migrator does with a file that exists.
  var migratorsPart: FindingText {
    guard let migrator = recipe.migrator else { return "" }
    return fills
      ? " \(words: migrator.name) fills what the file lacks when the new SDK starts."
      : " \(words: migrator.name) does nothing if the file exists."
  }

  /// Whether the vendor's migrator would still fill what the new SDK's file lacks.
  var fills: Bool { recipe.migrator?.isAhead(in: situation) == true }

  func pastReason(_ main: LostValue) -> FindingText {
    if isWrongType(main) { return "The new SDK does not read the value in its file." }
    if isSettled(main) { return "The record of that migration says so." }
    if main.loss.kind == .trackedAgain { return keptOut }
    guard main.loss.kind == .loggedOut else {
      let isKnown = losses.user.map(losses.isKnown) ?? false
      return isKnown
        ? "The app may have changed it since the update." : "A logout in the new app may leave the same state."
    }
    return "A logout in the new app may leave the same state, but the legacy stores still have the user id."
  }

  func isWrongType(_ lost: LostValue) -> Bool {
    fields(lost).contains { field in field.hasLegacy && field.held.map { field.reads($0) == nil } ?? false }
  }
  func isSettled(_ lost: LostValue) -> Bool {
    fields(lost).contains { $0.current == nil && $0.status == .unchanged }
  }
  func fields(_ lost: LostValue) -> [Field] { lost.fields.compactMap { losses.plan.field($0) } }

  /// The start of a sentence about a loss other than the user's id.
  func staysLoggedIn(_ main: LostValue) -> String {
    guard main.loss.kind > .otherUser, main.loss.kind != .trackedAgain, let user = losses.user, losses.isKnown(user)
    else { return "" }
    switch situation {
    case .past: return "This user is logged in, but "
    case .migrated: return "After Carryover's migration, this user stays logged in, but "
    default: return "This user stays logged in, but "
    }
  }

  func sentence(_ main: LostValue, after start: String = "") -> FindingText {
    let words = start + (situation == .past ? main.loss.past : main.loss.ahead)
    let first = words.prefix(1).uppercased() + words.dropFirst()
    let others = lost.count - 1
    switch others {
    case 0: return "\(words: first): \(main.cause)"
    case 1: return "\(words: first): \(main.cause); 1 other value \(words: areLost(1))"
    default: return "\(words: first): \(main.cause); \(words: others) other values \(words: areLost(others))"
    }
  }

  func areLost(_ values: Int) -> String {
    switch situation {
    case .ahead, .begun, .migrated: "would be lost"
    case .past: values == 1 ? "was lost" : "were lost"
    case .inPlace, .unknown: values == 1 ? "is lost" : "are lost"
    }
  }
}

extension Situation.Obstacle {
  /// - Parameter key: the name of the parameter in the file's name: "write key".
  func words(_ key: String) -> FindingText {
    switch self {
    case .noBundleID: "the bundle id is unknown, so the new SDK's file cannot be found"
    case .severalWriteKeys: "the new SDK has files of several \(words: key)s here"
    case .otherWriteKey: "the new SDK has a file of another \(words: key) here, and none of this one"
    case .unreadableTarget: "the new SDK's file cannot be read"
    case .interruptedRun: "an interrupted migration must be recovered first"
    }
  }

  var reason: FindingText {
    switch self {
    case .noBundleID: "The app reads that file."
    case .otherWriteKey: "The app may read the other file."
    case .severalWriteKeys: "The app reads one of them, and each may know another user."
    case .unreadableTarget: "The app reads that file."
    case .interruptedRun: "Some files may be old, others new."
    }
  }
}

extension VendorMigrator {
  /// Whether it would still fill what the new SDK's file lacks.
  func isAhead(in situation: Situation) -> Bool {
    switch (runs, situation) {
    case (_, .ahead), (.atFirstStart, .begun), (.atFirstStart, .migrated), (.atEachStart, _): true
    default: false
    }
  }

  /// Whether it would still fill a field without a value that the new SDK can use.
  func fills(_ field: Field, in situation: Situation) -> Bool {
    isAhead(in: situation) && (field.current == nil || runs == .atFirstStart)
  }
}
