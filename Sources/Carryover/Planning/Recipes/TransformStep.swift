package import CarryoverStorage
package import PropertyLists

/// One step of a transform as it was carried out, for the explanation of a field.
package struct TransformStep: Hashable, Sendable {
  /// What the step does, in a few words: "member userId of the JSON text", "× 1000, a past moment".
  package var title: String
  /// What the step made; nil when it made nothing, which ends the transform.
  package var result: PropertyListValue?

  /// The version a step of a model starts from; nil for any other step.
  package var version: Int?
  /// What a step of a model does, in a few words and without its versions; nil for any other step.
  package var operation: String?
  /// What a step of a model did to its members; empty for any other step.
  package var changes: [ModelChange] = []

  /// A step from its parts.
  package init(title: String, result: PropertyListValue?, version: Int? = nil) {
    self.title = title
    self.result = result
    self.version = version
  }

  /// A step of a model.
  init(from version: Int, _ operation: String, result: PropertyListValue, changes: [ModelChange]) {
    self.init(
      title: "version \(version) → \(version < Int.max ? version + 1 : version): \(operation)", result: result,
      version: version)
    self.operation = operation
    self.changes = changes
  }
}
