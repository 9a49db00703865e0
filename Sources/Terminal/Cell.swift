/// What one cell of a grid shows. A cell is always fit to be sent to a terminal, however it was made.
public struct Cell: Hashable, Sendable {
  /// A base and up to four combining scalars; empty in the second half of a wide cell.
  public let text: String
  /// 1, or 2 for the first half of a wide cell, or 0 for its second half.
  public let columns: Int
  /// How it is shown.
  public let style: Style

  /// The first cluster of `text`; a blank where there is none.
  public init(_ text: String, style: Style = .plain) {
    var clusters = Clusters(text)
    self.init(clusters.next() ?? DisplayWidth.Cluster(text: " ", columns: 1), style: style)
  }

  init(_ cluster: DisplayWidth.Cluster, style: Style) {
    self.init(text: cluster.text, columns: cluster.columns, style: style)
  }

  private init(text: String, columns: Int, style: Style) {
    self.text = text
    self.columns = columns
    self.style = style
  }

  /// An empty cell.
  public static func blank(_ style: Style = .plain) -> Cell {
    Cell(text: " ", columns: 1, style: style)
  }

  /// The second half of a wide cell.
  static func continuation(_ style: Style) -> Cell {
    Cell(text: "", columns: 0, style: style)
  }
}
