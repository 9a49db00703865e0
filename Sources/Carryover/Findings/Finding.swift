/// A coded observation: what happened, where, and what to do about it.
///
/// A finding holds facts; its sentences are made by `FindingWording`.
public struct Finding: Hashable, Sendable {
  /// What was observed, with the facts the sentences need.
  public var observation: Observation
  /// The field (target key) it is about; nil for the container as a whole.
  public var field: Field.ID?
  /// The legacy key that supplied what was observed, for the sentences; nil where none did.
  public var source: SourceKey?

  /// A finding about a field, or about the container.
  public init(_ observation: Observation, field: Field.ID? = nil, source: SourceKey? = nil) {
    self.observation = observation
    self.field = field
    self.source = source
  }

  /// The stable code.
  public var code: FindingCode { observation.code }
  /// How grave it is.
  public var severity: Severity { code.severity }
  /// Whether the field needs a decision because of it.
  public var asks: Bool { code.asks }
  /// Whether nothing at all is applied until a named option is given.
  public var blocks: Bool { code.blocks }
  /// What happened and what it means, in whole sentences. Values stand in it as found, cut
  /// to a bounded length: escape it for display.
  public var message: String { FindingWording.message(observation, source) }
  /// What to do, in a whole sentence.
  public var remedy: String { FindingWording.remedy(observation) }
}
