package import CarryoverSystem
package import PropertyLists

/// The reason that a saved plan cannot be read, applied or written. Nothing was changed.
package enum SavedPlanError: Error, Hashable, Sendable {
  /// The file at this path is not a readable saved plan.
  case damaged(path: String, PlanDamage)
  /// The plan was made from another container.
  case otherContainer(saved: ContainerIdentity, found: ContainerIdentity)
  /// The plan was made by another recipe, or another version of it.
  case otherRecipe(saved: RecipeReference, present: RecipeReference)
  /// The plan's recipe does not exist here.
  case unknownRecipe(RecipeReference)
  /// The plan's target differs from the one that its own options determine.
  case otherTarget(saved: String?, present: String?)
  /// The values at these places have changed since the plan was made.
  case stale([KeyPlace])
  /// The newly computed plan has other values for these fields, although its input is the same.
  case differs([Field.ID])
  /// A file operation failed.
  case file(FileSystemError)
  /// A saved plan exists at the path and must not be replaced.
  case exists(path: String)
  /// Something other than a saved plan is at the path.
  case occupied(path: String, FileKind)
  /// The path belongs to the container or to the target of the plan.
  case reserved(path: String, ReservedPlace)
  /// The plan could not be read again if it were written.
  case notSavable(path: String, PlanDamage)
}

/// Places where a plan must not be saved.
package enum ReservedPlace: Hashable, Sendable {
  /// The container, or anywhere in it.
  case container
  /// The folder for backups and records, or anywhere in it.
  case stateFolder
  /// The file that the plan would write.
  case target
}

/// The defect of a document that should be a saved plan.
package enum PlanDamage: Error, Hashable, Sendable {
  /// It is longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// It is not JSON.
  case notJSON(JSONError)
  /// It is other JSON: its schema, if it has one.
  case otherForm(String?)
  /// A later version wrote it: its schema.
  case laterSchema(String)
  /// Its values are masked.
  case redacted
  /// A member is missing or not valid: its name, after those of the enclosing members.
  case member(String)
}
