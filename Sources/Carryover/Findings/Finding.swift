/// A coded observation: what happened, where, and what to do about it.
public struct Finding: Hashable, Sendable {
  /// What was observed.
  package var observation: Observation
  /// The field (target key) it is about; nil for the container as a whole.
  public var field: String?
  /// The legacy key that supplied what was observed, for the sentences; nil where none did.
  package var source: SourceKey?

  /// A finding about a field, or about the container.
  package init(_ observation: Observation, field: String? = nil, source: SourceKey? = nil) {
    self.observation = observation
    self.field = field
    self.source = source
  }

  /// The stable code.
  public var code: FindingCode { observation.code }
  /// How grave it is.
  public var severity: Severity { code.severity }
  /// Whether the field needs a decision because of it.
  package var asks: Bool { code.asks }
  /// Whether nothing at all is applied until a named option is given.
  package var blocks: Bool { code.blocks }
  /// What happened and what it means, in whole sentences. Values stand in it as found, cut
  /// to a bounded length: escape it for display.
  public var message: String { observation.message.text(source: source) }
  /// What to do, in a whole sentence.
  public var remedy: String { observation.remedy.text(source: source) }
}

/// What was observed: a code, and its sentences with the facts in them.
package struct Observation: Hashable, Sendable {
  package let code: FindingCode
  /// What happened and what it means.
  private(set) package var message: FindingText
  /// What to do.
  private(set) package var remedy: FindingText
  /// What tells findings of one code apart, such as the key that stores disagree on. It is never shown.
  package let detail: String?

  /// What it means for the user; nil where it means nothing by itself.
  private(set) package var consequence: Consequence?

  /// Why there is nothing to write, where it is not what its code says.
  private let ownBrief: String?

  package init(
    _ code: FindingCode, _ message: FindingText, remedy: FindingText, detail: String? = nil, brief: String? = nil,
    verdict consequence: Consequence? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.detail = detail
    self.consequence = consequence
    ownBrief = brief
  }

  /// The reason, in two or three words, if the field is not written because of this finding; otherwise nil.
  package var brief: String? { ownBrief ?? code.brief }

  /// The same with every fact masked.
  func masked(by mask: FactMask) -> Observation {
    var masked = self
    masked.message = message.masked(by: mask)
    masked.remedy = remedy.masked(by: mask)
    masked.consequence = consequence?.masked(by: mask)
    return masked
  }
}
