/// The general explanation of a finding code. It has no values of a container, and is plain text.
package struct Explanation: Hashable, Sendable {
  /// The condition of the finding in a few words, as a part of a sentence.
  package let title: String
  /// What happened. This text and all below are whole sentences.
  package let happens: String
  /// What the legacy SDK reads or has written.
  package let legacyReads: String
  /// What the vendor's migration guide says, or that it says nothing.
  package let guideSays: String
  /// What the vendor's migrator writes.
  package let helperWrites: String
  /// What Carryover writes or proposes.
  package let weWrite: String
  /// What the user should do.
  package let whatToDo: String

  /// One of its parts.
  package struct Part: Hashable, Sendable {
    /// The title.
    package let title: String
    /// The sentences.
    package let text: String
  }

  package init(
    title: String, happens: String, legacyReads: String, guideSays: String, helperWrites: String, weWrite: String,
    whatToDo: String
  ) {
    self.title = title
    self.happens = happens
    self.legacyReads = legacyReads
    self.guideSays = guideSays
    self.helperWrites = helperWrites
    self.weWrite = weWrite
    self.whatToDo = whatToDo
  }

  /// The texts in reading order, each with its title.
  package var parts: [Part] {
    [
      Part(title: "What happened", text: happens), Part(title: "What the legacy SDK reads", text: legacyReads),
      Part(title: "What the migration guide says", text: guideSays),
      Part(title: "What the vendor's migrator writes", text: helperWrites),
      Part(title: "What Carryover writes", text: weWrite), Part(title: "What to do", text: whatToDo),
    ]
  }
}

extension FindingCode {
  /// The severity and its effect, in whole sentences.
  package var standing: String {
    let meaning =
      switch severity {
      case .error: "Error: usually about the user's identity or consent."
      case .warning: "Warning: data would be lost or changed."
      case .note: "Note: good to know."
      }
    return meaning
      + (blocks
        ? " Blocks: nothing can be applied until this is resolved."
        : asks ? " Needs a decision before you can apply." : " Needs no decision.")
  }
}
