package import CarryoverStorage
package import PropertyLists

/// A performed step of a transform, for the explanation of a field.
package struct TransformStep: Hashable, Sendable {
  /// The step in a few words: "member userId of the JSON text", "× 1000, a past moment".
  package var title: String
  /// The result; nil if there is none, which ends the transform, or if it is not kept.
  package var result: PropertyListValue?
  /// The size in bytes of a result that is too long to be kept; nil for other steps.
  package var omittedBytes: Int?

  /// The start version of a model's step; nil for other steps.
  package var version: Int?
  /// A model's step in a few words, without its versions; nil for other steps.
  package var operation: String?
  /// The changes of a model's step to its members; empty for other steps.
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
