/// What is known about the findings with a code, in general terms: without a container, so without any value of one. Plain
/// text only.
package struct Explanation: Hashable, Sendable {
  /// When it is found, in a few words: a part of a sentence.
  package let title: String
  /// What happened, in whole sentences, as everything below.
  package let happens: String
  /// What the legacy SDK reads there, or has written.
  package let legacyReads: String
  /// What the vendor's migration guide says; where it says nothing, that.
  package let guideSays: String
  /// What the vendor's migrator writes.
  package let helperWrites: String
  /// What Carryover writes or proposes.
  package let weWrite: String
  /// What a person does about it.
  package let whatToDo: String

  /// One of its parts.
  package struct Part: Hashable, Sendable {
    /// What it tells.
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

  /// The sentences in the order of reading, each with its title.
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
  /// Severity and weight in whole sentences.
  package var standing: String {
    let meaning =
      switch severity {
      case .error: "Error: affects the user's identity or consent."
      case .warning: "Warning: data would be lost or changed."
      case .note: "Note: good to know."
      }
    return meaning
      + (blocks
        ? " Blocks: nothing can be applied until this is resolved."
        : asks ? " Needs a decision before you can apply." : " Needs no decision.")
  }
}
