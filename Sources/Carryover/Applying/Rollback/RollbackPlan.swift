package import PropertyLists

/// What taking a run back would do to its files as they are now. Pure data: making it writes nothing.
package struct RollbackPlan: Hashable, Sendable {
  /// The run to take back.
  package var run: RunSummary
  /// Each file of the run, in its order.
  package var files: [RollbackFile]
  /// Each key the run changed, in the order of the files, then of the run's fields.
  package var entries: [RollbackEntry]

  /// A plan from its parts.
  package init(run: RunSummary, files: [RollbackFile], entries: [RollbackEntry]) {
    self.run = run
    self.files = files
    self.entries = entries
  }
}

/// A file of a run, as it is now.
package struct RollbackFile: Identifiable, Hashable, Sendable {
  /// The path, relative to the container's root.
  package var id: String
  /// What was found.
  package var state: RollbackFileState
  /// Whether the run made it.
  package var isNew: Bool

  /// A file from its parts.
  package init(id: String, state: RollbackFileState, isNew: Bool = false) {
    self.id = id
    self.state = state
    self.isNew = isNew
  }
}

/// How a file stands to the run that is to be taken back.
package enum RollbackFileState: Hashable, Sendable {
  /// It is byte for byte what the run left: the old bytes go back as they were.
  case asLeft
  /// It is byte for byte what it was before the run: there is nothing to take back.
  case asBefore
  /// It was changed since: the run's keys go back one by one, and everything else stays.
  case changed
  /// It was changed since and cannot be edited key by key; the reason is a sentence.
  case unreadable(String)
}

/// One key that a run changed.
package struct RollbackEntry: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// The id of the recipe whose field it is; nil in a run of one recipe.
  package var recipe: String?
  /// What the key held before the run; nil where it was absent.
  package var before: PropertyListValue?
  /// What the run left.
  package var after: PropertyListValue?
  /// What the key holds now.
  package var current: PropertyListValue?
  /// What taking it back comes to.
  package var state: RollbackEntryState

  /// An entry from its parts.
  package init(
    id: KeyPlace, recipe: String? = nil, before: PropertyListValue?, after: PropertyListValue?,
    current: PropertyListValue?,
    state: RollbackEntryState
  ) {
    self.id = id
    self.recipe = recipe
    self.before = before
    self.after = after
    self.current = current
    self.state = state
  }
}

extension RollbackEntry {
  /// `RECIPE/FIELD` in a run of several recipes, otherwise the key.
  package var name: String { FieldOwner.name(id.key, of: recipe) }
}

/// What taking one key back comes to. The raw value is the word in JSON output.
package enum RollbackEntryState: String, Sendable {
  /// It holds what the run left, and goes back.
  case restorable
  /// It holds what it held before the run already.
  case back
  /// It was changed since, to something else: it has to be decided.
  case conflict
}

/// What to do with one key of a run that is taken back.
package enum RollbackDecision: String, Hashable, Sendable {
  /// It becomes what it was before the run, whatever it holds now.
  case restore
  /// It stays as it is now.
  case keep
}

/// Decisions by key. A restorable key without one goes back; a conflict without one stops the rollback.
package typealias RollbackDecisions = [KeyPlace: RollbackDecision]
