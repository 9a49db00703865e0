package import PropertyLists

/// What one SDK's user loses by a rollback, and what it leaves of another user, judged by what the app reads then.
package struct RollbackEffect: Hashable, Sendable {
  /// The title of the SDK's recipe.
  private let title: String
  /// The values that the new SDK no longer has.
  private let lacking: [String]
  private let isLoggedOut: Bool
  private let isNew: Bool
  private let isTracked: Bool
  /// The vendor's migrator, if it may restore the values whose loss has these consequences; otherwise nil.
  private let migrator: String?
  /// These values, if the migrator does not restore everything that the new SDK lacks; otherwise empty.
  private let rewritten: [String]
  /// The fields that are left beside another user than the one whom they describe.
  private let mixedFields: [Field.ID]
  /// The fields that name these users.
  private let mixedUsers: [Field.ID]

  /// - Parameters:
  ///   - entries: those of the recipe that are rolled back.
  ///   - kept: those of the recipe that keep their current values.
  ///   - sdk: the SDK of the entries.
  ///   - files: those that the rollback removes.
  /// - Returns: nil if the user loses nothing, and no two users are mixed.
  package init?(
    _ entries: [RollbackEntry], keeping kept: [RollbackEntry], of sdk: RollbackSDK, removing files: Set<StringByBytes>
  ) {
    let (recipe, plan) = (sdk.recipe, sdk.present)
    let missed = recipe.missed(entries.map(\.id.key), in: plan)
    let lost = entries.compactMap { entry -> (entry: RollbackEntry, loss: Loss)? in
      guard let loss = missed[StringByBytes(entry.id.key)] else { return nil }
      func read(_ value: PropertyListValue?) -> PropertyListValue? {
        value.flatMap { value in plan.field(entry.id.key).map { $0.reads(value) } ?? value }
      }
      // A status that says nothing else counts as none.
      let isStatus = loss.kind == .trackedAgain
      let (now, then) = (read(entry.current), read(entry.before))
      func counts(_ value: PropertyListValue?) -> Bool { isStatus ? PlanningContext.isTrue(value) : value != nil }
      return counts(now) && !counts(then) ? (entry, loss) : nil
    }
    let losses = lost.map(\.loss)
    let mixed = plan.fields.filter { $0.isMixed(in: plan, entries, kept) }
    guard !losses.isEmpty || !mixed.isEmpty else { return nil }
    (mixedFields, mixedUsers) = (mixed.map(\.id), mixed.compactMap(\.describes).distinct { $0 })
    title = recipe.reference.title
    // The parts of a loss are one loss.
    lacking = losses.map { $0.whole ?? $0.what }.distinct { $0 }
    let kinds = Set(losses.map(\.kind))
    let diagnosis = Diagnosis(plan, recipe, .ahead)
    let isNobody = diagnosis.user.map { $0.hasLegacy && diagnosis.isNobody($0) } ?? false
    isLoggedOut = kinds.contains(.loggedOut) && !isNobody
    isNew = kinds.contains(.newUser) && !isLoggedOut
    isTracked = kinds.contains(.trackedAgain)
    let isGone = entries.contains { files.contains(StringByBytes($0.id.file)) }
    let situation: Situation = isGone ? .ahead : .of(plan, recipe)
    // A migrator may ignore a file that exists, so what it does is judged without it.
    let left = isGone ? sdk.withoutFiles.map { Diagnosis($0, recipe, .ahead) } ?? diagnosis : diagnosis
    func isWritten(_ lost: (entry: RollbackEntry, loss: Loss)) -> Bool {
      left.plan.field(lost.entry.id.key).map { $0.hasLegacy && left.isMigratedByVendor($0) } ?? false
    }
    let isWhole = lost.allSatisfy(isWritten)
    let (isLoggedOut, isNew) = (isLoggedOut, isNew)
    let telling = lost.filter { lost in
      switch lost.loss.kind {
      case .loggedOut: isLoggedOut
      case .newUser: isNew
      case .trackedAgain: true
      default: false
      }
    }
    let isRepaired = isWhole || !telling.isEmpty && telling.allSatisfy(isWritten)
    rewritten = isWhole ? [] : telling.map { $0.loss.whole ?? $0.loss.what }.distinct { $0 }
    migrator = recipe.migrator.flatMap { isRepaired && $0.isAhead(in: situation) ? $0.name : nil }
  }

  /// - Parameter isNamed: whether the sentence names the SDK.
  package func sentence(isNamed: Bool) -> String {
    let start = (isNamed ? "\(title): after" : "After") + " the rollback, "
    return [lossSentence, mixSentence].compactMap { $0.map { start + $0 } }.joined(separator: " ")
  }

  private var lossSentence: String? {
    guard !lacking.isEmpty else { return nil }
    let consequences =
      (isLoggedOut ? ["logged out"] : []) + (isNew ? ["counted as a new one"] : [])
      + (isTracked ? ["tracked again"] : [])
    return "the new SDK lacks \(ValueWording.joined(lacking))"
      + (consequences.isEmpty ? "" : ": the user is \(ValueWording.joined(consequences))")
      + (migrator.map { ", unless \($0) writes \(again) again" } ?? "") + "."
  }

  private var again: String {
    guard rewritten.isEmpty else { return ValueWording.joined(rewritten) }
    return lacking.count == 1 ? "it" : "them"
  }

  private var mixSentence: String? {
    guard !mixedFields.isEmpty else { return nil }
    return ValueWording.joined(mixedFields) + (mixedFields.count == 1 ? " describes" : " describe")
      + " a user other than the new SDK's. Roll back \(ValueWording.joined(mixedUsers + mixedFields)) together."
  }
}

extension Field {
  /// Whether a rollback leaves the field beside another user than the one whom it describes: of the two, one goes back.
  fileprivate func isMixed(in plan: Plan, _ restored: [RollbackEntry], _ kept: [RollbackEntry]) -> Bool {
    guard let named = describes.flatMap(plan.field), named.id != id else { return false }
    func entry(_ field: Field, _ entries: [RollbackEntry]) -> RollbackEntry? {
      entries.first { $0.id.key.hasSameBytes(as: field.id) }
    }
    func read(_ value: PropertyListValue?, of field: Field) -> PropertyListValue? {
      value.flatMap { field.group.standsForNone($0) ? nil : field.reads($0) }
    }
    let (left, user) =
      if let own = entry(self, kept) { (own.current, entry(named, restored)) } else {
        (entry(self, restored)?.before, entry(named, kept))
      }
    guard read(left, of: self) != nil, let user, let one = read(user.before, of: named),
      let other = read(user.current, of: named)
    else { return false }
    return one != other
  }
}

/// An SDK whose keys a rollback changes.
package struct RollbackSDK: Hashable, Sendable {
  package let recipe: Recipe
  /// The plan of its present data.
  package let present: Plan
  /// The plan of its data without the files that the rollback may remove; nil if it is unknown.
  package let withoutFiles: Plan?

  package init(_ recipe: Recipe, _ present: Plan, withoutFiles: Plan? = nil) {
    (self.recipe, self.present, self.withoutFiles) = (recipe, present, withoutFiles)
  }
}

extension RollbackPlan {
  /// The container without the files that the rollback may remove.
  package func withoutFiles(_ container: Container) -> Container {
    let removable = Set(bytesOf: files.filter(\.isRemovable).map(\.id))
    var rest = container
    rest.stores.removeAll { removable.contains($0.path) }
    return rest
  }

  /// The effect on each SDK's user, in the order of the run's recipes.
  /// - Parameters:
  ///   - entries: those that are rolled back.
  ///   - sdk: the SDK of the recipe with this id; nil if it is unknown.
  package func effects(of entries: [RollbackEntry], _ sdk: (String) -> RollbackSDK?) -> [RollbackEffect] {
    let ids = Set(entries.map(\.id))
    let places = Dictionary(grouping: self.entries) { StringByBytes($0.id.file) }
    let removed = Set(
      files.filter { file in
        let own = places[StringByBytes(file.id)] ?? []
        return file.isRemoved(leaving: own.map { ids.contains($0.id) ? $0.before : $0.current })
      }.map { StringByBytes($0.id) })
    return run.recipes.compactMap { reference in
      let own = entries.filter { ($0.recipe ?? run.recipe?.id) == reference.id }
      guard !own.isEmpty, let sdk = sdk(reference.id) else { return nil }
      let kept = self.entries.filter {
        ($0.recipe ?? run.recipe?.id) == reference.id && $0.state != .back && !ids.contains($0.id)
      }
      return RollbackEffect(own, keeping: kept, of: sdk, removing: removed)
    }
  }
}
