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
