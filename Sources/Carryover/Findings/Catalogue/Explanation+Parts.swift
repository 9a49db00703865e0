extension FindingCode {
  /// Severity and weight in whole words.
  public var standing: String {
    let meaning =
      switch severity {
      case .error: "error: identity or consent is at stake"
      case .warning: "warning: data would be lost or changed"
      case .note: "note: good to know"
      }
    return meaning
      + (blocks
        ? "; blocks: nothing at all is applied until it is settled"
        : asks
          ? "; asks: the field needs a decision before anything is applied" : "; neither asks nor blocks")
  }
}

extension Explanation {
  /// One of its parts.
  public struct Part: Hashable, Sendable {
    /// What it tells.
    public let title: String
    /// The sentences.
    public let text: String
  }

  /// The sentences in the order of reading, each with its title.
  public var parts: [Part] {
    [
      Part(title: "What happened", text: happens), Part(title: "What the legacy SDK reads", text: legacyReads),
      Part(title: "What the migration guide says", text: guideSays),
      Part(title: "What the reference helper writes", text: helperWrites),
      Part(title: "What Carryover writes", text: weWrite), Part(title: "What to do", text: whatToDo),
    ]
  }
}
