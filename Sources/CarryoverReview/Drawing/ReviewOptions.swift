package import Carryover
package import CarryoverPages
package import CarryoverTerminal

/// What drawing depends on: given, never looked up.
package struct ReviewOptions: Sendable {
  package var glyphs: Glyphs
  /// The local time's offset from UTC, in seconds.
  package var zoneOffset: Int

  /// Masks values before they are shown; nil shows them. Typed text is always shown.
  package var redaction: Redaction? {
    didSet { masked = MaskedTexts() }
  }
  private(set) var masked = MaskedTexts()

  package var layout: LayoutChoice

  package var keymap: Keymap

  /// The columns of a line in the accessible mode; nil in a window.
  package var lineColumns: Int?

  /// Whether typed text may be repeated. A log keeps what the accessible mode prints, so not where values are masked.
  var repeatsTyped: Bool { lineColumns == nil || redaction == nil }

  func quoted(_ text: String) -> String { repeatsTyped ? "“\(text)”" : "that" }

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

/// The user's layout of the review's panes; the size of the window decides the rest. Shares that leave no room for a pane
/// count as the nearest that does.
package struct LayoutChoice: Hashable, Sendable {
  /// How the list shows a field.
  package enum Form: String, CaseIterable, Hashable, Sendable {
    /// As the window has room for; in a very wide one, the details are beside the list.
    case auto
    /// Legacy and proposal side by side, with the change in words; never the details beside them.
    case wide
    /// Side by side, without the change in words.
    case medium
    /// Proposals only; the legacy value of the selected field is below.
    case narrow
  }

  package var form = Form.auto
  /// The rows of the list in percent; the rest is for the warnings. Nil for as many as it needs and can have.
  package var listShare: Int?
  /// The columns of the legacy pane in percent of the list's. Nil for what suits the width.
  package var legacyShare: Int?
}

extension Ink {
  package init(_ options: ReviewOptions, isWhole: Bool = false, cutWords: String? = nil) {
    self.init(
      glyphs: options.glyphs, redaction: options.redaction, known: options.masked, isWhole: isWhole, cutWords: cutWords)
  }
}
