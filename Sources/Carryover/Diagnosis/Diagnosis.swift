package import PropertyLists

/// What has become of a plan's container and its user, or would by an update.
struct Diagnosis: Sendable {
  let plan: Plan
  let recipe: Recipe
  let situation: Situation
  /// What is lost or would be, most severe first.
  private(set) var losses: [LostValue] = []
  /// Why the container's original content is uncertain.
  let doubts: [FindingText]
  /// The file whose ids the vendor's migrator has moved, where no other file has legacy ids; otherwise nil.
  let movedIDs: String?
  let user: Field?
  let anonymousUser: Field?
  fileprivate let rules: [StringByBytes: FieldRule]
  /// What nobody misses, as a finding of one of its fields says.
  private let harmless: Set<String>
  /// The field of what is lost with a field of its own, which is compared with the target's.
  private let compared: [String: Field.ID]
  /// For each loss, the first finding of its fields that gives a cause.
  private let causes: [Loss: Finding]

  init(_ plan: Plan, _ recipe: Recipe, _ situation: Situation) {
    (self.plan, self.recipe, self.situation) = (plan, recipe, situation)
    let rules = recipe.rulesByTarget
    self.rules = rules
    func field(of kind: Loss.Kind) -> Field? {
      recipe.rules.first { $0.loss?.kind == kind }.flatMap { plan.field($0.target) }
    }
    (user, anonymousUser) = (field(of: .loggedOut), field(of: .newUser))
    var harmless: Set<String> = []
    var causes: [Loss: Finding] = [:]
    for field in plan.fields {
      guard let loss = rules[StringByBytes(field.id)]?.loss else { continue }
      if field.isHarmless { harmless.insert(loss.what) }
      if causes[loss] == nil { causes[loss] = field.findings.first { $0.cause != nil } }
    }
    (self.harmless, self.causes) = (harmless, causes)
    compared = Dictionary(
      recipe.rules.compactMap { rule in rule.loss.map { ($0.what, rule.target) } },
      uniquingKeysWith: { first, _ in first })
    let doubts = plan.findings.compactMap { finding -> FindingText? in
      if case .doubt(let text)? = finding.observation.consequence { text } else { nil }
    }
    let hasIDs = plan.fields.contains { $0.group == .identity && $0.hasLegacy }
    movedIDs = hasIDs ? nil : plan.moved.first?.path
    // The fields of one file share its doubt.
    self.doubts =
      doubts.distinct { $0 } + (hasIDs ? plan.moved.map { "\(file: $0.path) no longer has its ids" } : [])
    let own = plan.containerFindings.compactMap { finding -> LostValue? in
      guard case .loss(let loss, let cause)? = finding.observation.consequence else { return nil }
      return LostValue(loss, cause, finding: finding)
    }
    let together = Self.together(plan.fields.flatMap { self.losses(of: $0) } + own)
    losses = Loss.Kind.allCases.flatMap { kind in together.filter { $0.loss.kind == kind } }
  }

  /// One value for all fields that share a loss or are a part of one.
  private static func together(_ values: [LostValue]) -> [LostValue] {
    var lost: [LostValue] = []
    // The place of each loss that has fields, and the first one of each thing that is lost.
    var (places, wholes): ([Loss: Int], [String: Int]) = ([:], [:])
    for value in values {
      let known = [places[value.loss], value.loss.whole.flatMap { wholes[$0] }].compactMap(\.self).min()
      guard !value.fields.isEmpty, let known else {
        if !value.fields.isEmpty {
          places[value.loss] = lost.count
          wholes[value.loss.what] = wholes[value.loss.what] ?? lost.count
        }
        lost.append(value)
        continue
      }
      lost[known].fields += value.fields
      // A finding is preferred to none.
      if lost[known].finding == nil, let finding = value.finding {
        (lost[known].cause, lost[known].finding) = (value.cause, finding)
      }
    }
    for index in lost.indices { lost[index].fields = lost[index].fields.distinct() }
    return lost
  }

  /// Why the legacy user id cannot be read; nil if it can be read, is absent, or a run has written one.
  var unreadableUser: FindingText? {
    guard let field = user, field.legacy == nil, field.status == .dropped || field.origin != nil,
      field.status != .unchanged || field.isKept
    else { return nil }
    return field.findings.lazy.compactMap(\.cause).first ?? "the user id cannot be read"
  }

  private func losses(of field: Field) -> [LostValue] {
    let found = field.findings.compactMap { finding -> LostValue? in
      guard case .loss(let loss, let cause)? = finding.observation.consequence,
        !situation.hasTarget || !holds(field) && isAhead(loss)
      else { return nil }
      return LostValue(loss, cause, fields: [field.id], finding: finding)
    }
    guard found.isEmpty, isMissed(field), let loss = loss(of: field) else { return found }
    switch fate(of: field) {
    case nil: return []
    case .changed(let cause): return [lost(field, loss.changed, cause)]
    case .lost(let cause): return [lost(field, loss, cause)]
    }
  }

  /// Whether a loss that a finding tells of can still come although the target exists. What has a field of its own is
  /// lost already if the target lacks it, and that field says so; what the new SDK drops later is not.
  private func isAhead(_ loss: Loss) -> Bool {
    guard let id = compared[loss.what] else { return true }
    return situation != .past && isThere(id)
  }

  private func isThere(_ id: Field.ID) -> Bool {
    guard let field = plan.field(id), let held = field.held else { return false }
    return holds(field) && !field.group.standsForNone(held)
  }

  /// What the new SDK, which has started, still has, and drops later, as a finding about another field says.
  var nextLoss: (loss: Loss, cause: FindingText)? {
    guard situation == .past else { return nil }
    for field in plan.fields where !holds(field) {
      for finding in field.findings {
        if case .loss(let loss, let cause)? = finding.observation.consequence, let id = compared[loss.what],
          id != field.id, isThere(id)
        {
          return (loss, cause)
        }
      }
    }
    return nil
  }

  /// Whether the user misses the field's legacy value if it is lost.
  private func isMissed(_ field: Field) -> Bool {
    guard !isHarmless(field), let loss = loss(of: field) else { return false }
    if field.id == user?.id, isNobody(field) { return false }
    // The legacy SDK itself drops an id without the one that it describes.
    if field.group == .identity, let id = field.describes.flatMap(plan.field), id.id != field.id, !id.hasLegacy {
      return false
    }
    // Nobody misses the status of a user who has not opted out, or empty traits.
    if loss.kind == .trackedAgain, !field.isOptOut { return false }
    return !(field.proposed.map(field.group.standsForNone) ?? false)
  }

  var legacyFates: [StringByBytes: LegacyFate] {
    plan.fields.reduce(into: [:]) { $0[$1.id] = legacyFate(of: $1) }
  }

  /// What becomes of a legacy value without Carryover, by what the new SDK's file has, else by the vendor's migrator; nil
  /// if there is none, or nobody misses it.
  private func legacyFate(of field: Field) -> LegacyFate? {
    guard field.hasLegacy else { return nil }
    if let held = field.held, field.reads(held) != nil {
      if isNewer(field) { return nil }
      // The app itself decides about these values.
      if situation == .inPlace, losses(of: field).isEmpty { return .kept }
      let isKept = field.status == .unchanged && !field.isTargetKept && !field.isKeptByRun
      return isKept || situation == .past && field.group == .traits && hasMembers(field) == true ? .kept : .wrong
    }
    if case .value(let value, _) = field.readings.helper, plan.target?.exists != true || isFilled(field) {
      return field.proposed.map { field.form.isEquivalent(value, $0) } == true ? .kept : .wrong
    }
    return isMissed(field) ? .dropped : nil
  }

  /// The loss of a field, with the cause from a finding if there is one. An earlier run and the target's value need
  /// none, unless a rollback took the value.
  private func lost(_ field: Field, _ loss: Loss, _ cause: FindingText) -> LostValue {
    let explainsItself = situation.hasTarget && (field.held != nil || field.status == .unchanged) || isUntouched(field)
    let own = field.findings.filter { $0.cause != nil }
    let alike = rule(field)?.loss.flatMap { causes[$0] }
    let rolledBack = own.first { $0.code == .targetRolledBack }
    guard !explainsItself || rolledBack != nil, let finding = rolledBack ?? own.first ?? alike, let said = finding.cause
    else { return LostValue(loss, cause, fields: [field.id]) }
    if finding.code == .sourceDisagree {
      return LostValue(loss, "\(said), and \(cause)", fields: [field.id], finding: finding)
    }
    // A migrator that does nothing because the file exists is not the cause.
    let isLeftAlone = [.begun, .migrated].contains(situation) && !isFilled(field) && finding.code != .targetRolledBack
    return LostValue(loss, isLeftAlone ? cause : said, fields: [field.id], finding: finding)
  }

  /// Whether the legacy value is still where a migrator that deletes what it reads would have deleted it: since the new
  /// SDK started without it, the migrator cannot be the cause.
  private func isUntouched(_ field: Field) -> Bool {
    situation == .past && recipe.migrator?.removes == true && field.hasLegacy
  }

  /// Whether the vendor's migrator has run, by the keys that it moves; nil if they do not tell, or if it has dropped the
  /// ids of a file for others: nothing shows which these were.
  var hasMigratorRun: Bool? {
    guard situation == .past, let moves = recipe.migrator?.moves, !moves.isEmpty,
      !plan.moved.contains(where: { $0.move == .afterOthers })
    else { return nil }
    return !plan.dropped.contains { dropped in moves.contains { $0.hasSameBytes(as: dropped.key) } }
  }

  func isChangedAfterMigrator(_ field: Field) -> Bool {
    (field.status == .conflict || field.isKeptByRun) && plan.moved.isEmpty && hasMigratorRun == true
      && isMigratedByVendor(field)
  }

  /// What the user loses with a field: "the device id".
  func what(of field: Field) -> String { rule(field)?.loss?.what ?? field.id }

  /// Whether the loss of a field affects no one, by its finding or that of a field that is lost together with it.
  fileprivate func isHarmless(_ field: Field) -> Bool {
    let loss = rule(field)?.loss
    return field.isHarmless || [loss?.what, loss?.whole].contains { $0.map(harmless.contains) == true }
  }

  private func rule(_ field: Field) -> FieldRule? { rules[StringByBytes(field.id)] }

  /// The loss if a field is not migrated. A user who stays logged in does not count as a new one.
  private func loss(of field: Field) -> Loss? {
    guard let rule = rule(field) else { return nil }
    let loss =
      field.ownLoss ?? rule.loss ?? (recipe.isInPlace ? .unusable("the value of \(field.id)") : .lost(field.id))
    guard loss == .newUser, let user, isKnown(user) else { return loss }
    return field.findings.contains { $0.code == .targetFreshIdentity } ? loss.replaced : loss.changed
  }

  func isKnown(_ user: Field) -> Bool {
    switch situation {
    case .past, .begun, .migrated: holds(user)
    default: user.hasLegacy && fate(of: user) == nil
    }
  }

  enum Fate: Hashable {
    case lost(FindingText)
    /// The new SDK has or would have another value.
    case changed(FindingText)
  }

  func fate(of field: Field) -> Fate? {
    switch situation {
    case .past, .begun, .migrated: pastFate(of: field)
    case .inPlace:
      field.status == .dropped || (field.status.asks && field.proposed == nil) ? .lost("no value follows from it") : nil
    case .unknown(.unreadableTarget), .unknown(.interruptedRun): nil
    case .ahead, .unknown: aheadFate(of: field)
    }
  }

  /// Before the update: a field is lost if the vendor's migrator does not migrate it, or nothing can.
  private func aheadFate(of field: Field) -> Fate? {
    guard field.hasLegacy else { return nil }
    guard let migrator = recipe.migrator?.name else {
      // Without a migrator, the new SDK starts without any of the values.
      guard field.proposed != nil, let source = field.origin?.source else { return .lost("no value follows from it") }
      return field.status == .unchanged ? nil : .lost("the new SDK does not read \(words: source.label)")
    }
    switch field.readings.helper {
    case .nothing(let note):
      let reason = note.map { " (\(words: $0))" as FindingText } ?? ""
      return .lost("\(words: migrator) does not migrate it\(reason)")
    case .value(let value, _):
      guard let proposed = field.proposed else { return .lost("no value follows from it") }
      return field.form.isEquivalent(value, proposed) ? nil : .changed("\(words: migrator) writes another value")
    }
  }

  func isMigratedByVendor(_ field: Field) -> Bool { aheadFate(of: field) == nil }

  /// That the new SDK's file has a value that the new SDK cannot read; nil if it has none.
  func unread(_ field: Field) -> FindingText? {
    guard let current = field.held, field.reads(current) == nil else { return nil }
    return "\(words: field.id) is \(kindOf: current) in the new SDK's file, which it does not read"
  }

  /// After the update: a field is lost if the new SDK does not read it. Its own later traits and sessions are no loss.
  private func pastFate(of field: Field) -> Fate? {
    guard field.hasLegacy else { return nil }
    if let unread = unread(field) { return .lost(unread) }
    guard situation != .past || ![.session, .app].contains(field.group) else { return nil }
    if let id = described(by: field), !holds(id) { return .lost("the new SDK drops it without \(words: id.id)") }
    if field.held == nil, isFilled(field) { return aheadFate(of: field) }
    // A value that describes another user is no loss to the new SDK's user.
    if field.status == .unchanged, field.describes != nil, let user, user.id != field.id, user.isHeldByAnother {
      return nil
    }
    if field.held == nil {
      return field.status == .unchanged
        ? .lost("an earlier migration skipped \(words: field.id)")
        : .lost("the new SDK's file has no \(words: field.id)")
    }
    guard field.status == .conflict || field.isKeptByRun, !isChangedAfterMigrator(field),
      !field.isChangedSince || field.isKeptByRun && field.id == user?.id
    else { return nil }
    let kept: FindingText? =
      field.isKeptByRun ? "an earlier migration kept the \(words: field.id) of the new SDK's file" : nil
    // The new SDK itself adds traits to a user's and replaces values of them, but removes none.
    if situation == .past, field.group != .identity {
      guard hasOtherMembers(field) else { return nil }
      return .lost(kept ?? "the new SDK's file has different \(words: field.id)")
    }
    let cause = kept ?? "the new SDK's file has a different \(words: field.id)"
    return field.id == user?.id ? .changed(cause) : .lost(cause)
  }

  /// Whether the target's JSON object lacks a member of the legacy one, and describes no other user.
  private func hasOtherMembers(_ field: Field) -> Bool { hasMembers(field) == false }

  /// Whether the target's JSON object has every member of the legacy one; nil if it describes another user, or if
  /// one of them is not an object.
  private func hasMembers(_ field: Field) -> Bool? {
    let isOthers = user.map { $0.hasLegacy && !isNobody($0) && $0.isHeldByAnother } ?? false
    guard !isOthers, let held = field.held.flatMap(field.reads), let proposed = field.proposed,
      let current = try? TraitsText(held), let legacy = try? TraitsText(proposed)
    else { return nil }
    return Set(legacy.valuesByName.keys).isSubset(of: current.valuesByName.keys)
  }

  /// Whether the new SDK, which has started, has a later value of its own that replaces none: of the app, or of a session
  /// of which the legacy SDK has nothing else.
  private func isNewer(_ field: Field) -> Bool {
    guard situation == .past else { return false }
    guard field.group == .session, let main = rule(field)?.loss.flatMap({ compared[$0.what] }).flatMap(plan.field)
    else { return field.group == .app }
    return main.id != field.id && !main.hasLegacy
  }

  /// Whether the vendor's migrator would still write a field that the new SDK has no value for. Where each key has a
  /// file of its own, it leaves a file alone that exists, whatever is in it.
  func isFilled(_ field: Field) -> Bool {
    plan.target != nil && !hasFile(field) && recipe.migrator?.fills(field, in: situation) == true
  }

  /// Whether a field has a file of its own without a value, which no SDK makes. No migrator fills it.
  func isLeftEmpty(_ field: Field) -> Bool {
    hasFile(field) && (field.current == nil || field.id == anonymousUser?.id && !holds(field))
  }

  private func hasFile(_ field: Field) -> Bool {
    plan.target.map { $0.present?.contains(StringByBytes($0.file(of: field.id))) ?? false } ?? false
  }

  func holds(_ field: Field) -> Bool {
    (field.held.map { field.reads($0) != nil } ?? false) && (described(by: field).map(holds) ?? true)
  }

  /// The id without which the new SDK drops the user id; nil for another field, and where there is no such id.
  private func described(by field: Field) -> Field? {
    field.id == user?.id && field.describes != field.id ? field.describes.flatMap(plan.field) : nil
  }

  /// Whether a user id says that nobody was logged in: it is the device's random id, or the id is missing without which
  /// the SDKs drop it.
  func isNobody(_ user: Field) -> Bool {
    if let id = described(by: user), !id.hasLegacy { return true }
    guard case .string(let id)? = user.proposed ?? user.legacy, TextForm.uuid.matches(id) else { return false }
    // A mark that the user is identified says more than the id.
    if plan.fields.contains(where: { $0.describes == user.id && $0.proposed == true }) { return false }
    return anonymousUser.map { user.id != $0.id && ($0.proposed ?? $0.legacy) == .string(id) } ?? false
  }

  /// Why the id that is there may be a user's, although there is no user id; nil if it cannot be.
  var possibleUser: FindingText? {
    guard let user, !user.hasLegacy, let id = anonymousUser, id.hasLegacy else { return nil }
    let isDoubtful = id.findings.contains { $0.code == .sourceDoubtful }
    let doubt = rule(id)?.candidates.first { $0.source == id.origin?.source && $0.doubt != nil }?.doubt
    if isDoubtful, let doubt { return "\(words: doubt)" }
    let known = rule(user)?.knownWith ?? []
    guard !known.isEmpty, !known.contains(where: { plan.field($0)?.hasLegacy == true }) else { return nil }
    return "Some versions of the legacy SDK store the user id in \(words: id.sourceLabel)."
  }

  /// Why the legacy stores do not show whether anyone was logged in; nil if they do.
  var missingUserSource: String? {
    guard situation.hasTarget, let user else { return nil }
    // A migrator may have deleted the key that has the user id among others.
    let whole = user.sources.first { $0.member != nil }?.key
    if let whole { return plan.basis.contains { $0.key.hasSameBytes(as: whole) && $0.value != nil } ? nil : whole }
    return plan.fields.contains { [.identity, .traits].contains($0.group) && $0.hasLegacy } ? nil : user.sourceLabel
  }
}

/// What becomes of a legacy value without Carryover. The raw value is the word in JSON output.
package enum LegacyFate: String, Sendable { case kept, dropped, wrong }

extension Recipe {
  package func missed(_ ids: some Sequence<Field.ID>, in plan: Plan) -> [StringByBytes: Loss] {
    let diagnosis = Diagnosis(plan, self, .ahead)
    return ids.reduce(into: [:]) { missed, id in
      missed[id] = plan.field(id).map(diagnosis.isHarmless) == true ? nil : diagnosis.rules[StringByBytes(id)]?.loss
    }
  }
}

extension Finding {
  var cause: FindingText? {
    if case .cause(let text)? = observation.consequence { text } else { nil }
  }
}
