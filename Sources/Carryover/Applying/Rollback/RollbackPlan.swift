package import PropertyLists

/// The effect of rolling back a run on its current files. Making the plan writes nothing.
package struct RollbackPlan: Hashable, Sendable {
  /// The run to roll back.
  package var run: RunSummary
  /// The files of the run, in its order.
  package var files: [RollbackFile]
  /// The keys that the run changed, in the order of the files, then of the run's fields.
  package var entries: [RollbackEntry]

  /// A plan from its parts.
  package init(run: RunSummary, files: [RollbackFile], entries: [RollbackEntry]) {
    self.run = run
    self.files = files
    self.entries = entries
  }
}

/// A current file of a run.
package struct RollbackFile: Identifiable, Hashable, Sendable {
  /// The path, relative to the container's root.
  package var id: String
  /// The state of the file.
  package var state: RollbackFileState
  /// Whether the run created the file.
  package var isNew: Bool

  /// A file from its parts.
  package init(id: String, state: RollbackFileState, isNew: Bool = false) {
    self.id = id
    self.state = state
    self.isNew = isNew
  }
}

/// The state of a file relative to the run to roll back.
package enum RollbackFileState: Hashable, Sendable {
  /// It has exactly the bytes of the run. The rollback restores the earlier bytes.
  case asLeft
  /// It has exactly the bytes from before the run. Nothing has to be rolled back.
  case asBefore
  /// It has changed since. The run's keys are rolled back one by one, and all other keys stay.
  case changed
  /// It has changed since and cannot be edited key by key; the reason is a sentence.
  case unreadable(String)
}

/// A key that a run changed.
package struct RollbackEntry: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// The id of the field's recipe; nil in a run of one recipe.
  package var recipe: String?
  /// The value before the run; nil if there was none.
  package var before: PropertyListValue?
  /// The value after the run.
  package var after: PropertyListValue?
  /// The current value.
  package var current: PropertyListValue?
  /// The effect of the rollback on the key.
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

/// The effect of a rollback on a key. The raw value is the word in JSON output.
package enum RollbackEntryState: String, Sendable {
  /// The key has the run's value and is rolled back.
  case restorable
  /// The key already has the value from before the run.
  case back
  /// The key has another value. A decision is needed.
  case conflict
}

/// The decision for a key of a run that is rolled back.
package enum RollbackDecision: String, Hashable, Sendable {
  /// Restore the value from before the run, over any current value.
  case restore
  /// Keep the current value.
  case keep
}

/// Decisions by key. Without a decision, a restorable key is rolled back and a conflict stops the rollback.
package typealias RollbackDecisions = [KeyPlace: RollbackDecision]
