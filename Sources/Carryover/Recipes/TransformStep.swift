public import PropertyLists

/// One step of a transform as it was carried out, for the explanation of a field.
public struct TransformStep: Hashable, Sendable {
  /// What the step does, in a few words: "member userId of the JSON text", "× 1000, a past moment".
  public var title: String
  /// What the step made; nil when it made nothing, which ends the transform.
  public var result: PropertyListValue?

  /// The version a step of a model starts from; nil for any other step.
  public var version: Int?

  /// A step from its parts.
  public init(title: String, result: PropertyListValue?, version: Int? = nil) {
    self.title = title
    self.result = result
    self.version = version
  }
}
