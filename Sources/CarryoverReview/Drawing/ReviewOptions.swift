package import Carryover
package import CarryoverTerminal

/// What the review has to know of the world around it to draw: given, never looked up.
package struct ReviewOptions: Sendable {
  /// The characters to draw with.
  package var glyphs: Glyphs
  /// The local time's offset from UTC, in seconds; moments are shown in both.
  package var zoneOffset: Int

  /// What values are masked with before they are shown; nil shows them. What is typed is shown all the same.
  package var redaction: Redaction? {
    didSet { masked = MaskedTexts() }
  }
  /// The long texts that were masked with it.
  private(set) var masked = MaskedTexts()

  /// How the panes of the review are laid out.
  package var layout: LayoutChoice

  /// The keys the user has changed.
  package var keymap: Keymap

  /// The columns of text, where it is read line by line and not in a window; nil in a window.
  package var lineColumns: Int?

  /// Whether what is typed may be said again: a log keeps it, so not where values are masked.
  var repeatsTyped: Bool { lineColumns == nil || redaction == nil }

  /// What was typed, in a sentence.
  func quoted(_ text: String) -> String { repeatsTyped ? "“\(text)”" : "that" }

  /// Options; by default Unicode frames and UTC only.
  package init(
    glyphs: Glyphs = .unicode, zoneOffset: Int = 0, redaction: Redaction? = nil,
    layout: LayoutChoice = LayoutChoice(), keymap: Keymap = Keymap()
  ) {
    self.glyphs = glyphs
    self.zoneOffset = zoneOffset
    self.redaction = redaction
    self.keymap = keymap
    self.layout = layout
  }
}

/// How somebody wants the review's panes laid out; what is left open follows from the size of the window.
package struct LayoutChoice: Hashable, Sendable {
  /// What the list shows of a field.
  package enum Form: String, CaseIterable, Hashable, Sendable {
    /// As much as the window has room for; in a very wide one the details stand beside the list.
    case auto
    /// Legacy and proposal side by side, with the change in words; never the details beside them.
    case wide
    /// Side by side, without the change in words.
    case medium
    /// The proposals alone; the legacy value of the selected field stands below.
    case narrow
  }

  /// What the list shows of a field.
  package var form: Form
  /// Of a hundred rows, how many the list gets; the rest is the warnings'. Nil: as many as it needs and can have.
  package var listShare: Int?
  /// Of a hundred columns of the list, how many the legacy pane gets. Nil: what suits the width.
  package var legacyShare: Int?

  /// A choice; by default everything follows from the window. Shares beyond what leaves room for every pane count as
  /// the nearest that does.
  package init(form: Form = .auto, listShare: Int? = nil, legacyShare: Int? = nil) {
    self.form = form
    self.listShare = listShare
    self.legacyShare = legacyShare
  }
}
