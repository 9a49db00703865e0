/// What is known about the findings with a code, in general terms: without a container, so without any value of one.
///
/// The sentences of a finding met in a container are made by `FindingWording`; these stand beside them for whoever wants
/// to know why there is such a finding at all. They hold nothing but plain text.
public struct Explanation: Hashable, Sendable {
  /// When it is found, in a few words: a part of a sentence.
  public let title: String
  /// What happened, in whole sentences, as everything below.
  public let happens: String
  /// What the legacy SDK reads there, or has written.
  public let legacyReads: String
  /// What the vendor's migration guide says; where it says nothing, that.
  public let guideSays: String
  /// What the vendor's reference helper writes.
  public let helperWrites: String
  /// What Carryover writes or proposes.
  public let weWrite: String
  /// What a person does about it.
  public let whatToDo: String
}
