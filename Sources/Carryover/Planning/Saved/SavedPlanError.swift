package import CarryoverSystem
package import PropertyLists

/// Why a saved plan cannot be read, applied or written, as data; its sentences are in one place beside it. Nothing was
/// changed.
package enum SavedPlanError: Error, Hashable, Sendable {
  /// The file at a path is no saved plan that can be read.
  case damaged(path: String, PlanDamage)
  /// The plan was made from another container.
  case otherContainer(saved: ContainerIdentity, found: ContainerIdentity)
  /// The plan was made by another recipe, or another version of it.
  case otherRecipe(saved: RecipeReference, present: RecipeReference)
  /// The plan was made by a recipe that is not there.
  case unknownRecipe(RecipeReference)
  /// The plan names another file to write than its own options do.
  case otherTarget(saved: String?, present: String?)
  /// What stands at these places is no longer what the plan was made from.
  case stale([KeyPlace])
  /// Made anew from the same values, the plan has other values for these fields.
  case differs([Field.ID])
  /// A file operation failed.
  case file(FileSystemError)
  /// A saved plan is where one was to be written, and it is not to be replaced.
  case exists(path: String)
  /// Something that is no saved plan stands where one was to be written.
  case occupied(path: String, FileKind)
  /// A plan was to be written at a path that belongs to what the plan is of.
  case reserved(path: String, ReservedPlace)
  /// The plan could not be read again if it were written.
  case notSavable(path: String, PlanDamage)
}

/// Where no plan of a container is saved.
package enum ReservedPlace: Hashable, Sendable {
  /// The container, or anywhere in it.
  case container
  /// The folder for backups and records, or anywhere in it.
  case stateFolder
  /// The file that the plan would write.
  case target
}

/// What is wrong with a document that should be a saved plan.
package enum PlanDamage: Error, Hashable, Sendable {
  /// It is longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// It is not JSON.
  case notJSON(JSONError)
  /// It is JSON of another form: its schema, where it names one.
  case otherForm(String?)
  /// A later version wrote it: its schema.
  case laterSchema(String)
  /// Its values are masked.
  case redacted
  /// A member is missing or not what it should be: its name, behind those of the members around it.
  case member(String)
}
