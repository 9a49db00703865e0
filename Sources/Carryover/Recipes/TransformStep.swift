public import PropertyLists

/// One step of a transform as it was carried out, for the explanation of a field.
public struct TransformStep: Hashable, Sendable {
  /// What the step does, in a few words: "member userId of the JSON text", "× 1000, a past moment".
  public var title: String
  /// What the step made; nil when it made nothing, which ends the transform.
  public var result: PropertyListValue?

  /// A step from its parts.
  public init(title: String, result: PropertyListValue?) {
    self.title = title
    self.result = result
  }
}
