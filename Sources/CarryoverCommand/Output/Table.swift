import CarryoverSystem
import CarryoverTerminal

/// Rows of text in columns that line up, escaped and cut to a width.
struct Table {
  /// The columns' widest contents, in columns of the terminal; nil takes what is left.
  var limits: [Int?]
  /// Whether cells are cut; otherwise one that is too wide moves what follows it to the right.
  var cuts = true
  private let masking: Masking
  private var rows: [[String]] = []

  /// - Parameter masking: what every cell goes through before it is cut.
  init(limits: [Int?], cuts: Bool = true, masking: Masking = Masking(false)) {
    self.limits = limits
    self.cuts = cuts
    self.masking = masking
  }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines of the table.
  func lines(columns: Int) -> [String] {
    var layout = TableColumns(limits: limits, cuts: cuts, columns: columns, masking: masking)
    let shown = rows.map(layout.shown)
    for row in shown { layout.measure(row) }
    return shown.map(layout.line)
  }
}

/// The columns of a table. Its rows are measured first and laid out then, so a table that is too large to be held can be
/// gone through twice.
struct TableColumns {
  private let limits: [Int?]
  private let cuts: Bool
  private let columns: Int
  private let masking: Masking
  private var widest: [Int]

  /// - Parameters:
  ///   - limits: the columns' widest contents, in columns of the terminal; nil takes what is left.
  ///   - cuts: whether cells are cut; otherwise one that is too wide moves what follows it to the right.
  ///   - columns: the columns of the terminal.
  ///   - masking: what every cell goes through before it is cut.
  init(limits: [Int?], cuts: Bool = true, columns: Int, masking: Masking) {
    self.limits = limits
    self.cuts = cuts
    self.columns = columns
    self.masking = masking
    widest = limits.map { _ in 0 }
  }

  /// The cells of a row as they are shown, as far as that does not depend on other rows.
  func shown(_ cells: [String]) -> [String] {
    zip(cells, limits).map { cell, limit in
      let text = masking.text(cell)
      return cuts ? DisplayText.visible(text, limit: limit ?? columns) : DisplayText.visible(text)
    }
  }

  /// Makes the columns wide enough for the cells of a row. The last cell, which nothing follows, may be missing.
  mutating func measure(_ shown: [String]) {
    for (index, cell) in shown.enumerated() { widest[index] = max(widest[index], DisplayWidth.columns(of: cell)) }
  }

  /// The line of a row, once all are measured.
  func line(_ shown: [String]) -> String {
    var line = ""
    for (index, cell) in shown.enumerated() {
      let isLast = index == shown.count - 1
      let width = isLast && limits[index] == nil ? open : width(index)
      let text = cuts ? DisplayText.fit(cell, columns: width) : cell
      line += text
      if !isLast { line += String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)) + 2) }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func width(_ index: Int) -> Int {
    guard let limit = limits[index] else { return cuts ? min(open, widest[index]) : 0 }
    return cuts ? widest[index] : min(widest[index], limit)
  }

  /// What is left for each column without a limit.
  private var open: Int {
    let fixed = limits.indices.reduce(0) { $0 + (limits[$1] == nil ? 0 : width($1)) } + 2 * (limits.count - 1)
    return max(8, (columns - fixed) / max(1, limits.count { $0 == nil }))
  }
}

extension DisplayText {
  /// Text that is escaped already, cut to a width with an ellipsis.
  static func fit(_ text: String, columns: Int) -> String {
    DisplayWidth.truncate(text, columns: columns, glyphs: .unicode).text
  }
}
