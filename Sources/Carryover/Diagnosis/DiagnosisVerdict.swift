import CarryoverStorage
import PropertyLists

extension Recipe {
  /// The verdict on a plan's container, computed only from the plan.
  /// - Parameter isInterrupted: whether a run in the container was interrupted and has not been recovered.
  package func verdict(on plan: Plan, isInterrupted: Bool = false) -> Verdict {
    judged(plan, isInterrupted: isInterrupted).verdict
  }

  /// The verdict on a plan's container, and the diagnosis that it follows from.
  func judged(_ plan: Plan, isInterrupted: Bool = false) -> (verdict: Verdict, diagnosis: Diagnosis) {
    let situation: Situation = isInterrupted ? .unknown(.interruptedRun) : .of(plan, self)
    let diagnosis = Diagnosis(plan, self, situation)
    guard situation == .unknown(.severalWriteKeys), !plan.others.isEmpty else { return (diagnosis.verdict, diagnosis) }
    // Where all files say the same, it does not matter which of them the app reads.
    var own = plan
    own.target?.hasOthers = false
    let all = ((plan.target == nil ? [] : [own]) + plan.others).map { judged($0) }
    if let first = all.first, all.allSatisfy({ $0.verdict.sentence == first.verdict.sentence }) { return first }
    let verdict =
      all.allSatisfy(\.verdict.keepsUser)
      ? diagnosis.cannotTell("Cannot tell whether anything was lost", .severalWriteKeys) : diagnosis.verdict
    return (verdict, diagnosis)
  }
}

extension Situation {
  static func of(_ plan: Plan, _ recipe: Recipe) -> Situation {
    let codes = Set(plan.containerFindings.map(\.code))
    if codes.contains(.targetUnreadable) { return .unknown(.unreadableTarget) }
    if recipe.isInPlace { return .inPlace }
    if let target = plan.target {
      // Such a file tells by the new SDK's keys whether that one has started.
      let exists = target.exists && (!recipe.sharesTarget || plan.fields.contains { $0.current != nil })
      guard exists else { return target.hasOthers ? .unknown(.otherWriteKey) : .ahead }
      if target.isMadeByRuns { return target.hasOthers ? .unknown(.severalWriteKeys) : .migrated }
      if let isMarked = target.isMarked { return isMarked ? .past : .begun }
      let id = recipe.rules.first { $0.loss?.kind == .newUser }.flatMap { plan.field($0.target) }
      // Only a migrator that fills empty values replaces an empty id; elsewhere the new SDK keeps it.
      let isFilled = recipe.migrator?.runs == .atFirstStart
      return id.map { (isFilled ? $0.held : $0.current) == nil } ?? false ? .begun : .past
    }
    if codes.contains(.targetNoBundleID) { return .unknown(.noBundleID) }
    return codes.contains(.targetManyWriteKeys) ? .unknown(.severalWriteKeys) : .ahead
  }
}

extension Diagnosis {
  private var hasLegacy: Bool { !plan.findings.contains { $0.code == .sourceNotFound } }

  var verdict: Verdict {
    switch situation {
    // Without legacy values it does not matter which file the app reads.
    case .unknown(.noBundleID) where !hasLegacy: nobody
    case .unknown(let obstacle): cannotTell("Cannot tell whether \(words: question)", obstacle)
    case .inPlace: inPlace
    case .ahead, .begun, .migrated, .past: update
    }
  }

  /// An SDK without users logs nobody out.
  private var question: String { user == nil ? "anything was lost" : "this user was logged out" }

  fileprivate func cannotTell(_ what: FindingText, _ obstacle: Situation.Obstacle) -> Verdict {
    let (cause, reason) = obstacle.words(fileKey)
    return cannotTell(what, cause, because: reason)
  }

  /// The name of the parameter in the name of the new SDK's file: "project token".
  private var fileKey: String {
    (recipe.unfilledTarget ?? recipe.target).parameters.first?.replacing("-", with: " ") ?? "write key"
  }

  var inPlace: Verdict {
    guard let main = losses.first else {
      guard plan.fields.contains(where: { $0.hasLegacy || $0.proposed != nil }) else { return noValues }
      let isCurrent = !plan.fields.contains { ![.unchanged, .absent].contains($0.status) }
      let removed = removedMembers
      let without: FindingText = removed.isEmpty ? "" : ", except what the recipe's steps remove: \(list: removed)"
      return make(
        .certain,
        isCurrent
          ? "There is nothing to migrate: every value found is current" : "Every value found can be migrated\(without)",
        because: "The container has the values.")
    }
    let isUnusable = main.loss.ahead == Loss.unusable(main.loss.what).ahead
    return make(
      isUnusable ? .certain : .likely, sentence(main),
      because: isUnusable ? "The container has the value." : "The app decides about it at its next start.")
  }

  /// The members of the legacy models that steps remove on purpose, by their paths.
  private var removedMembers: [String] {
    plan.fields.filter { $0.status != .unchanged && $0.proposed != nil }.flatMap { field -> [String] in
      var added: Set<[String]> = []
      return field.steps.flatMap(\.changes).compactMap { change in
        if change.kind == .added { added.insert(change.path) }
        return change.kind == .removed && !added.contains(change.path) ? change.path.joined(separator: ".") : nil
      }
    }.distinct { $0 }
  }

  var update: Verdict {
    if let movedIDs, situation == .past, let migrator = recipe.migrator?.name, doubts.isEmpty,
      plan.fields.contains(where: { $0.group == .identity && holds($0) })
    {
      return make(
        .likely, "The update lost no id: \(words: migrator) has moved the ids",
        because: "\(file: movedIDs) no longer has them, and the other legacy stores have none.")
    }
    if let user {
      if let verdict = verdict(on: user) { return verdict }
      if !user.hasLegacy || isNobody(user), !holds(user), (losses.first?.loss.kind ?? .app) > .otherUser {
        return nobody
      }
    }
    guard let main = losses.first else { return sound }
    return update(main)
  }

  /// There is no user id. If everything could be read, no one can have been logged out.
  var nobody: Verdict {
    if !hasLegacy { return noValues }
    if let doubt = doubts.first {
      return cannotTell("Cannot tell whether this user was logged in", doubt, because: "The user id may be in it.")
    }
    if let source = missingUserSource {
      return cannotTell(
        "Cannot tell whether this user was logged in", "the legacy stores have no \(words: source)",
        because: "The user id would be in it, and a migration may have deleted it.")
    }
    let reason = nobodyReason
    if let unread = user.flatMap(unread) {
      return cannotTell(
        "Cannot tell whether this user was logged in", unread,
        because: user?.hasLegacy == true ? reason : "The legacy stores have no user id.")
    }
    let isKnown = possibleUser == nil
    guard let main = losses.first else {
      if let filled {
        let nobody: FindingText = isKnown ? "nobody was logged in, and " : ""
        return make(.likely, "Nothing would be lost: \(nobody)\(filled)", because: reason)
      }
      guard situation == .ahead else {
        if let verdict = changedID { return verdict }
        if let next = nextLoss {
          return make(
            .likely, "Nothing is lost yet, but the app would lose \(words: next.loss.what): \(next.cause)",
            because: reason)
        }
        // A migration has settled an older user id, which may still be the user's; and an app can pass the device's id.
        let isOpen = user.map { !$0.alternatives.isEmpty || $0.hasLegacy } ?? false
        return isKnown
          ? make(isOpen ? .likely : .certain, "Nothing is lost: nobody was logged in", because: reason)
          : make(
            .likely, "Nothing is lost: the new SDK's file has every value that can be migrated", because: reason)
      }
      return soundAhead(because: isKnown ? "Nobody was logged in. \(reason)" : reason)
    }
    return make(
      .likely, sentence(main, after: isKnown ? "Nobody was logged in, but " : ""),
      because: "\(reason) \(situation == .past ? pastReason(main) : aheadReason)")
  }

  private var nobodyReason: FindingText {
    if let possibleUser { return "The container does not show whether anyone was logged in. \(possibleUser)" }
    guard let user = user, user.hasLegacy else {
      return "Neither the legacy stores nor the new SDK's file has a user id."
    }
    if let id = user.describes.flatMap(plan.field), id.id != user.id, !id.hasLegacy {
      return "The SDKs drop the user id without \(words: id.id)."
    }
    let what = anonymousUser.map(what) ?? "the anonymous id"
    return "The user id is \(words: what), which does not show a login."
  }

  /// The container has neither legacy values nor the new SDK's.
  var noValues: Verdict {
    // It moves the values to the file of the project that starts first.
    if let migrator = recipe.migrator, migrator.runs == .atEachStart, migrator.removes, situation.hasTarget,
      doubts.isEmpty, plan.target?.hasOthers == false, plan.fields.contains(where: holds),
      !plan.fields.contains(where: isLeftEmpty)
    {
      let who: FindingText = situation == .migrated ? "a migration" : "\(words: migrator.name)"
      return make(
        .likely, "The update lost nothing: \(who) has migrated every value",
        because: "\(words: migrator.name) runs at each start of the new SDK, and deletes what it has read.")
    }
    let place = plan.isOfOneFile ? "property list" : "container"
    return cannotTell(
      "Cannot tell whether \(words: question)",
      recipe.legacySDK.map { "the \(words: place) has no values of \(words: $0)" }
        ?? "the \(words: place) has none of the values",
      because: recipe.migrator?.removes == true && situation.hasTarget
        ? plan.target?.hasOthers == true
          ? "A migration may have moved them to a file of another \(words: fileKey), or the app never had the SDK."
          : "A migration may have deleted them, or the app never had the SDK."
        : """
        The app was uninstalled before the update or never had the SDK, or its values were deleted or are in \
        \(words: plan.isOfOneFile ? "a file that was not given" : "a place that the recipe does not read").
        """)
  }

  var sound: Verdict {
    let id = user ?? anonymousUser
    if !(id.map { $0.hasLegacy || holds($0) } ?? false) {
      if !hasLegacy { return noValues }
      if let doubt = doubts.first {
        return cannotTell("Cannot tell whether anything would be lost", doubt, because: "The values may be in it.")
      }
    }
    guard situation.hasTarget else {
      return soundAhead(because: isOneFile ? Self.withoutTarget : "The new SDK has not started here.")
    }
    guard user.map(holds) ?? false else {
      if let filled {
        return make(.likely, "Nothing would be lost: \(filled)", because: "The new SDK runs it when it starts.")
      }
      if let id, id.legacy == nil, id.current != nil, !holds(id) {
        return cannotTell(
          "Cannot tell whether anything was lost", "the new SDK's file has an empty \(words: id.id)",
          because: "The legacy SDK may have had another.")
      }
      if id?.hasLegacy != true, let doubt = doubts.first {
        return cannotTell(
          "Cannot tell whether the new SDK's user is the legacy SDK's", doubt, because: "The legacy ids may be in it.")
      }
      if user == nil, let verdict = changedID { return verdict }
      let reason: FindingText =
        if user == nil, let id {
          id.hasLegacy
            ? "The new SDK reads \(words: what(of: id)) from there."
            : "The container has no legacy value to compare \(words: what(of: id)) with."
        } else {
          "The recipe does not say which of them is the user id, or nobody was logged in."
        }
      return make(
        .likely, "Nothing is lost: the new SDK's file has every value that can be migrated", because: reason)
    }
    guard let user, user.hasLegacy, !isNobody(user) else {
      if let doubt = doubts.first {
        return cannotTell(
          "Cannot tell whether the new SDK's user is the legacy SDK's", doubt,
          because: "The legacy user id may be in it.")
      }
      return make(
        .likely, "Nothing is lost: the new SDK's file has a user id",
        because: "The container has no legacy user id to compare it with.")
    }
    return make(
      .certain, "Nothing is lost: the new SDK's file has the user id", because: "The new SDK reads it from there.")
  }

  /// The words for what the vendor's migrator would still write; nil if it would write nothing.
  private var filled: FindingText? {
    guard situation.hasTarget, let migrator = recipe.migrator,
      plan.fields.contains(where: { $0.hasLegacy && $0.held == nil && isFilled($0) })
    else { return nil }
    return "\(words: migrator.name) writes what the new SDK's file lacks"
  }

  /// Nothing would be lost if the app does its part, which the container does not show.
  private func soundAhead(because reason: FindingText) -> Verdict {
    switch recipe.migrator {
    case nil:
      make(
        .likely,
        "Nothing would be lost if the app migrates every field; without a migration, everything would be",
        because: reason)
    case let migrator? where migrator.runs == .whenCalled:
      make(
        .likely,
        "Nothing would be lost if the app calls \(words: migrator.name); without a migration, everything would be",
        because: reason)
    case let migrator?:
      make(
        .likely, "Nothing would be lost: \(words: migrator.name) migrates every field",
        because: "\(reason) \(runs(migrator))")
    }
  }

  private func runs(_ migrator: VendorMigrator) -> FindingText {
    "The new SDK itself runs \(words: migrator.name) when it starts."
  }

  private func update(_ main: LostValue) -> Verdict {
    let isCertain = isSettled(main) && !fills || situation == .migrated && isWrongType(main)
    return make(
      isCertain && [.past, .migrated].contains(situation) ? .certain : .likely,
      sentence(main, after: staysLoggedIn(main)), because: reason(main))
  }

  /// What became of the user, if more than the losses shows it.
  private func verdict(on user: Field) -> Verdict? {
    let isUser = user.hasLegacy && !isNobody(user)
    if user.isRemovedSince, isUser {
      if plan.target?.exists == false {
        return cannotTell(
          "Cannot tell whether this user was logged out",
          "the new SDK's file, which a migration \(words: user.isHarmless ? "wrote" : "found"), is gone",
          because: "The new SDK or the app may have deleted it, or the container is not complete.")
      }
      // A migration that kept another user has not kept this one.
      if user.isHarmless {
        return kept(
          "A migration kept this user, and the app has logged the user out since.",
          because: "It wrote \(words: user.id), and the new SDK's file no longer has it.")
      }
    }
    if situation.hasTarget, user.isChangedSince, !user.isKeptByRun, !isNobody(user) {
      if user.isStillAsWritten {
        return kept(
          "A migration kept this user, and the legacy stores have another user id now.",
          because: "The new SDK's file still has the \(words: user.id) that it wrote.")
      }
      return kept(
        "A migration kept this user, and the user id has changed since.",
        because: "It wrote \(words: user.id), and the new SDK's file has another value now.")
    }
    if situation.hasTarget, isUser, holds(user), user.isHeldByAnother {
      if isChangedAfterMigrator(user), let migrator = recipe.migrator?.name {
        return kept(
          "\(words: migrator) kept this user, and another user has logged in since.",
          because: "\(hasRun), and the new SDK's file has a different \(words: user.id).")
      }
      if user.isKeptByRun {
        return make(
          .certain, "The new SDK's user is not the legacy SDK's: a migration kept the \(words: user.id) of its file",
          because: "The record of that migration says so.")
      }
      // No user can have logged in before the new SDK starts.
      if situation == .past {
        return cannotTell(
          "Cannot tell whether the update mixed up two users", "the new SDK's file has a different \(words: user.id)",
          because: "The container does not show whether the other user logged in after the update.")
      }
    }
    // The new SDK's own migrator would have kept the user, who is not there now.
    if situation == .past, let migrator = recipe.migrator, migrator.runs == .atFirstStart, user.status != .unchanged,
      user.hasLegacy, user.held == nil, isMigratedByVendor(user)
    {
      switch hasMigratorRun {
      case true?:
        return kept(
          "\(words: migrator.name) kept this user, and the app has logged the user out since.",
          because: "\(hasRun), and the new SDK's file has no \(words: user.id).")
      case nil:
        return cannotTell(
          "Cannot tell whether the update logged this user out, or the app did later",
          "the new SDK's file has no \(words: user.id)",
          because: "\(words: migrator.name) writes it when the new SDK first starts, unless the app switches that off.")
      case false?: break
      }
    }
    guard let unreadableUser else { return nil }
    let question: FindingText =
      if holds(user) {
        "the new SDK's user is the legacy SDK's"
      } else {
        situation == .past ? "this user was logged out" : "the update would log this user out"
      }
    return cannotTell(
      "Cannot tell whether \(question)", unreadableUser,
      because: unread(user).map { "Only that value could have the user id; \($0)." }
        ?? "Only that value could have the user id.")
  }

  private var hasRun: FindingText { "It has run, because what it moves is gone from the legacy stores" }

  /// The verdict if nobody was logged in, and the app itself has changed the id since a migration wrote it.
  private var changedID: Verdict? {
    guard let id = anonymousUser, !id.isStillAsWritten,
      id.isChangedSince || isChangedAfterMigrator(id)
    else { return nil }
    let who: FindingText = id.isChangedSince ? "A migration" : "\(words: recipe.migrator?.name ?? "")"
    return kept(
      "\(who) kept \(words: what(of: id)), and the app has changed it since.",
      because:
        "\(id.isChangedSince ? "It wrote it" : hasRun), and the new SDK's file has a different \(words: id.id).")
  }

  /// A migration kept the user: the update has caused no difference.
  private func kept(_ sentence: FindingText, because reason: FindingText) -> Verdict {
    let lost = losses.filter { $0.loss.kind == .trackedAgain }
    let start: FindingText = optOut.map { "\(words: words($0).capitalised): \($0.cause). " } ?? ""
    return Verdict(.likely, "\(start)\(sentence)", because: reason, situation, losses: lost)
  }

  func cannotTell(_ what: FindingText, _ cause: FindingText, because reason: FindingText) -> Verdict {
    var verdict = make(.cannotTell, "\(what): \(cause)", because: reason, besides: cause)
    // The sentence is about the user, and the list of losses says nothing of who that is. Once the new SDK has started,
    // a logout changes the anonymous id, too.
    verdict.losses.removeAll { $0.loss.kind <= (situation == .past ? .newUser : .otherUser) }
    return verdict
  }

  /// - Parameter said: the doubt that the sentence names already.
  func make(
    _ certainty: Verdict.Certainty, _ sentence: FindingText, because reason: FindingText,
    besides said: FindingText? = nil
  ) -> Verdict {
    let others = doubts.filter { $0 != said }
    let doubt: FindingText = others.isEmpty ? "" : " Not certain: \(list: others, joined: "; ")."
    return Verdict(
      certainty == .certain && !doubts.isEmpty ? .likely : certainty, "\(sentence).", because: "\(reason)\(doubt)",
      situation, losses: losses)
  }

  var keptOut: FindingText { "The container does not show whether the app itself keeps such users opted out." }

  private func reason(_ main: LostValue) -> FindingText {
    if situation == .past { return pastReason(main) }
    return main.loss.kind == .trackedAgain ? keptOut : aheadReason
  }

  private var aheadReason: FindingText {
    if situation == .migrated {
      return recipe.sharesTarget
        ? "Runs of Carryover wrote the new SDK's values, and nothing has changed the file since.\(migratorsPart)"
        : "Runs of Carryover wrote the new SDK's file, and nothing has changed it since.\(migratorsPart)"
    }
    if situation == .begun {
      return "The new SDK's file exists, but the new SDK has not started with it.\(migratorsPart)"
    }
    let other: FindingText =
      switch recipe.migrator {
      case nil: "This assumes that the app does nothing about it."
      case let migrator?: migrator.assumption ?? runs(migrator)
      }
    return isOneFile
      ? "\(Self.withoutTarget) \(other)"
      : "The new SDK has not started in this container, so it is from before the update. \(other)"
  }

  /// Whether only one property list was given, and it is not the new SDK's file, which may exist elsewhere.
  private var isOneFile: Bool {
    plan.isOfOneFile && plan.target?.path.hasSameBytes(as: plan.container.name) != true
  }

  private static let withoutTarget: FindingText =
    "The new SDK's file is not beside the property list. This assumes that the new SDK has not started."

  var migratorsPart: FindingText {
    guard let migrator = recipe.migrator else { return "" }
    return fills
      ? " \(words: migrator.name) fills what the file lacks when the new SDK starts."
      : " \(words: migrator.name) does nothing if the file exists."
  }

  /// Whether the vendor's migrator would still fill what the new SDK's file lacks.
  var fills: Bool { recipe.migrator?.isAhead(in: situation) == true }

  func pastReason(_ main: LostValue) -> FindingText {
    if isWrongType(main) {
      return "The new SDK never writes such a value: the app's migration did, or something after it."
    }
    if main.finding?.code == .targetRolledBack { return "The record of that rollback says so." }
    if isSettled(main) { return "The record of that migration says so." }
    if main.loss.kind == .trackedAgain { return keptOut }
    if main.loss == main.loss.replaced {
      return "The new SDK started without it, and a migration wrote \(words: user?.id ?? "the user") later."
    }
    return main.loss.kind == .loggedOut
      ? "The legacy stores still have the user id: the update did not migrate it, or the user has logged out since."
      : "The update did not migrate the value, or the app has changed it since."
  }

  func isWrongType(_ lost: LostValue) -> Bool {
    fields(lost).contains { field in field.hasLegacy && field.held.map { field.reads($0) == nil } ?? false }
  }
  func isSettled(_ lost: LostValue) -> Bool {
    fields(lost).contains { $0.current == nil && $0.status == .unchanged || $0.isKeptByRun }
  }
  func fields(_ lost: LostValue) -> [Field] { lost.fields.compactMap { plan.field($0) } }

  func staysLoggedIn(_ main: LostValue) -> String {
    guard main.loss.kind > .otherUser, main.loss.kind != .trackedAgain, let user, isKnown(user) else { return "" }
    switch situation {
    case .past: return "This user is logged in, but "
    case .migrated: return "After Carryover's migration, this user stays logged in, but "
    default: return "This user stays logged in, but "
    }
  }

  func sentence(_ main: LostValue, after start: String = "") -> FindingText {
    let words = start + self.words(main)
    // Nobody may track a user who has opted out, so that is never only counted.
    let optOut = main.loss.kind < .trackedAgain ? self.optOut : nil
    let others = losses.count - (optOut == nil ? 1 : 2)
    let rest: FindingText = others == 0 ? "" : "; \(count: others, "other value") \(words: areLost(others))"
    guard let optOut else { return "\(words: words.capitalised): \(main.cause)\(rest)" }
    let end = words.prefix(1).lowercased() + words.dropFirst()
    return "\(words: self.words(optOut).capitalised); \(words: end): \(main.cause)\(rest)"
  }

  private var optOut: LostValue? { losses.first { $0.loss.kind == .trackedAgain } }

  private func words(_ lost: LostValue) -> String { situation == .past ? lost.loss.past : lost.loss.ahead }

  func areLost(_ values: Int) -> String {
    switch situation {
    case .ahead, .begun, .migrated: "would be lost"
    case .past: values == 1 ? "was lost" : "were lost"
    case .inPlace, .unknown: values == 1 ? "is lost" : "are lost"
    }
  }
}

extension RecipeVerdict {
  /// The sentence for where the reason is not told: with what it assumes if it says that a user stays.
  package var sentence: String {
    guard verdict.situation == .ahead, verdict.keepsUser, !verdict.losses.isEmpty,
      let assumption = plan.definition.migrator?.assumption
    else { return verdict.text }
    return verdict.text + " " + assumption.text(source: nil)
  }
}

extension Situation.Obstacle {
  /// What is in the way, as part of a sentence, and why it matters.
  /// - Parameter key: the name of the parameter in the file's name: "write key".
  func words(_ key: String) -> (cause: FindingText, reason: FindingText) {
    switch self {
    case .noBundleID: ("the bundle id is unknown, so the new SDK's file cannot be found", "The app reads that file.")
    case .severalWriteKeys:
      ("the new SDK has files of several \(words: key)s here", "The app reads one of them, and their values differ.")
    case .otherWriteKey:
      ("the new SDK has a file of another \(words: key) here, and none of this one", "The app may read the other file.")
    case .unreadableTarget: ("the new SDK's file cannot be read", "The app reads that file.")
    case .interruptedRun: ("an interrupted migration must be recovered first", "Some files may be old, others new.")
    }
  }
}

extension VendorMigrator {
  /// What a verdict before the update assumes, as a sentence; nil if the new SDK itself runs the migrator.
  fileprivate var assumption: FindingText? {
    runs == .whenCalled
      ? "This assumes that the app migrates with \(words: name); without a migration it loses everything." : nil
  }

  /// Whether it would still fill what the new SDK's file lacks.
  package func isAhead(in situation: Situation) -> Bool {
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
