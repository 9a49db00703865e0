package import CarryoverSystem
package import PropertyLists

/// How a container is planned: decided once, because that reads the history, recipe files and all keys.
package struct PreparedPlan: Sendable {
  package let container: Container
  package let migrator: Migrator
  let recipe: Recipe
  let others: [Recipe]
  package let options: PlannerOptions
  /// The values of parameters for recipes that the plan does not follow.
  package let given: [String: String]
  let now: Moment

  package var recipes: [Recipe] { [recipe] + others }

  package init(
    container: Container, migrator: Migrator, recipe: Recipe, others: [Recipe], options: PlannerOptions,
    given: [String: String], now: Moment
  ) {
    (self.container, self.migrator, self.recipe, self.others) = (container, migrator, recipe, others)
    (self.options, self.given, self.now) = (options, given, now)
  }

  package func plan() throws(RunError) -> Plan {
    try migrator.plan(
      container, with: recipe, and: others, now: now, options: options, removed: options.removed)
  }
}

extension Migrator {
  /// Plans a container by recipes, considering the fields that earlier runs settled and removed. Writes nothing.
  /// - Parameters:
  ///   - removed: what cleanups in effect have removed; nil reads it from the history.
  ///   - recognised: the keys of every known recipe, found in this container with the same `removed`; nil to find those
  ///     that the plan needs.
  package func plan(
    _ container: Container, with recipe: Recipe, and others: [Recipe] = [], now: Moment, options: PlannerOptions,
    removed: [KeyPlace: PropertyListValue]? = nil, recognised: RecognisedKeys? = nil
  ) throws(RunError) -> Plan {
    var options = options
    if let removed { options.removed = removed } else { options.removed = try removedByCleanups(in: container) }
    let first = try part(container, recipe, now, options, recognised)
    var plans: [Plan] = []
    for other in others { plans.append(try part(container, other, now, options, recognised)) }
    return try Plan(first, and: plans)
  }

  private func part(
    _ container: Container, _ recipe: Recipe, _ now: Moment, _ options: PlannerOptions, _ recognised: RecognisedKeys?
  ) throws(RunError) -> Plan {
    var options = options
    options.parameters = RecipeParameter.values(options.parameters, of: recipe.reference.id)
    let recipe = recipe.expanded(in: container, options)
    let planner = Planner(recipe)
    if let target = planner.targetPath(in: container, options: options) {
      options.settled = try settled(in: container, target: target, for: recipe)
    }
    var plan = planner.plan(container, now: now, options: options, recognised: recognised)
    if let target = plan.target, target.exists {
      let files = target.files(of: plan.fields.map(\.key)).filter(\.exists)
      let shared = recipe.sharesTarget ? plan.fields : nil
      var isMadeByRuns = true
      for file in files where isMadeByRuns {
        isMadeByRuns = try self.isMadeByRuns(file.path, sharing: shared, in: container)
      }
      plan.target?.isMadeByRuns = isMadeByRuns
    }
    return plan
  }

  private func isOf(_ target: String, _ file: String) -> Bool {
    file.hasSameBytes(as: target) || FilePath.folder(of: file).hasSameBytes(as: target)
  }

  /// Whether only runs have written a file: any other program would leave other bytes.
  /// - Parameter fields: of a file that the legacy SDK writes, too; nil for another file. It only matters who wrote them.
  package func isMadeByRuns(
    _ path: String, sharing fields: [Field]? = nil, in container: Container
  ) throws(RunError) -> Bool {
    guard occupiedStateFolder(of: container) == nil else { return false }
    let history = RunHistory(store: try store(of: container), container: container)
    do {
      return try history.made(path, sharing: fields) { () throws(RunError) in
        let place = try ContainerPath.resolve(path, in: container.root, fileSystem)
        return try RunError.attempt(DurableFiles(fileSystem).state(place.absolute)).bytes
      }
    } catch {
      switch error {
      case .damagedRecord, .newerRecord, .unsafePath, .file: return false
      default: throw error
      }
    }
  }

  /// The target's fields that the newest apply in effect settled; empty if there is none. Writes nothing.
  ///
  /// A field is settled if it was written, if the target already contained its value, or if the decision was to write
  /// nothing. Marks fields that were written and rolled back, and fields whose decision followed another field's. Omits
  /// a field with a value that is too long for the record.
  /// - Parameters:
  ///   - target: the path of the target, a file or a folder with its files, relative to the container's root.
  ///   - recipe: the recipe of the fields; nil for any. A run of another recipe may have changed the same file since.
  package func settled(
    in container: Container, target: String, for recipe: Recipe? = nil
  ) throws(RunError) -> [StringByBytes: SettledField] {
    let keys = recipe.map { Set(bytesOf: $0.rules.map(\.target)) }
    let found = try readHistory(of: container) { (history) throws(RunError) in
      // A run that did not change a target has still decided about its fields.
      let newest = try history.newestWithStandings { run in
        run.record.kind == .apply
          && run.record.fields.contains { field in
            isOf(target, run.record.place(field).file) && keys?.contains(field.id) != false
          }
      }
      return try newest.map { (run, standings) throws(RunError) in
        (run, written: try history.written(), takenBack: history.takenBack(standings))
      }
    }
    guard let (run, written, takenBack) = found ?? nil else { return [:] }
    var settled: [StringByBytes: SettledField] = [:]
    for field in run.record.fields where field.isSettled {
      // The run may also have written other files.
      let place = run.record.place(field)
      guard isOf(target, place.file) else { continue }
      let isRolledBack = takenBack.contains(place)
      let (legacy, left) = (field.legacy?.value, field.after?.value)
      guard isRolledBack || ((legacy == nil) == (field.legacy == nil) && (left == nil) == (field.after == nil)) else {
        continue
      }
      settled[field.id] = SettledField(
        legacy: legacy, left: left, runID: run.record.id.text, isRolledBack: isRolledBack,
        isKept: field.isKept, isWritten: field.outcome == .migrated && !isRolledBack,
        findings: Set(field.findings), isFollowing: field.isFollowing)
    }
    for (place, id) in written where id != run.record.id && isOf(target, place.file) {
      if settled[place.key] == nil {
        settled[place.key] = SettledField(legacy: nil, left: nil, runID: id.text)
        settled[place.key]?.isOfEarlierRun = true
      }
      settled[place.key]?.isWrittenEarlier = true
    }
    return settled
  }

  /// Reads the runs of a container for a plan. Nil if a record is damaged or of a later version, or if something else is
  /// in the place of the state folder, so that the container can still be opened.
  func readHistory<Result>(
    of container: Container, _ read: (RunHistory) throws(RunError) -> Result
  ) throws(RunError) -> Result? {
    guard occupiedStateFolder(of: container) == nil else { return nil }
    let history = RunHistory(store: try store(of: container), container: container)
    do {
      return try read(history)
    } catch {
      guard error.isOfRecord else { throw error }
      return nil
    }
  }

  /// The item in the place of a container's state folder; nil if the folder exists or can be created. Writes nothing.
  package func occupiedStateFolder(of container: Container) -> OccupiedStateFolder? {
    let path = container.stateDirectory
    guard let status = try? fileSystem.status(path), status.kind != .directory else { return nil }
    return OccupiedStateFolder(path: path, kind: status.kind)
  }
}

extension Plan {
  /// Combines the plans of several recipes for one container, so that one run applies all of them. Its fields are named
  /// `RECIPE/FIELD`; a single plan does not change.
  /// - Throws: `RunError.sameKey` if two recipes would write the same key of the same file.
  package init(_ first: Plan, and others: [Plan]) throws(RunError) {
    self = first
    guard !others.isEmpty else { return }
    let parts = [first] + others
    // Property observers do not run on `self` in an initializer, but they do on a copy.
    var plan = first
    plan.parts = parts
    plan.target = parts.lazy.compactMap(\.target).first
    plan.fields = parts.flatMap { part in part.fields.map { Field($0, of: part) } }
    plan.containerFindings = parts.flatMap(\.containerFindings).distinct { $0 }
    plan.dropped = parts.flatMap(\.dropped).distinct { $0 }
    plan.unreadPlaces = parts.flatMap(\.unreadPlaces).distinct { $0 }
    plan.basis = parts.flatMap(\.basis).distinct { $0 }
    plan.allowed = parts.reduce(into: []) { $0.formUnion($1.allowed) }
    try plan.checkKeys()
    self = plan
  }

  private func checkKeys() throws(RunError) {
    var writers: [KeyPlace: String] = [:]
    for field in fields {
      guard let owner = field.owner, let file = owner.file else { continue }
      let place = KeyPlace(file: file, key: owner.key)
      if let other = writers.updateValue(owner.recipe, forKey: place) {
        throw .sameKey(place, recipes: [other, owner.recipe])
      }
    }
  }
}

extension Field {
  fileprivate init(_ field: Field, of part: Plan) {
    self = field
    owner = FieldOwner(recipe: part.recipe.id, key: field.id, file: part.target?.file(of: field.id))
    id = FieldOwner.name(field.id, of: part.recipe.id)
    for index in findings.indices {
      findings[index].field = findings[index].field.map { FieldOwner.name($0, of: part.recipe.id) }
    }
  }
}

extension RecordedField {
  var isKept: Bool { decision == Decision.keep.word || decision == Decision.skip.word }

  fileprivate var isSettled: Bool {
    switch outcome {
    case .migrated, .unchanged: true
    // Accepting a field without a proposal is not a decision.
    case .skipped: isKept
    default: false
    }
  }
}

/// An item in the place of a container's state folder that is not a folder. No run can write its record and backup
/// then, so the container is read-only.
package struct OccupiedStateFolder: Hashable, Sendable {
  package var path: String
  package var kind: FileKind

  package var explanation: String {
    "\(DisplayText.quoted(path)) is \(kind.inPlaceOfFolder); backups and records belong there, so nothing can be applied "
      + "or rolled back. Move it away, or choose another folder with --state-dir, then open the container again."
  }

  package var notice: String { "Read-only: no backup can be made here. The preview says why." }
}

extension FileKind {
  var inPlaceOfFolder: String {
    switch self {
    case .regular: "a file, where a folder is needed"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link, and links are not followed"
    case .other: "neither a file nor a folder"
    }
  }
}
