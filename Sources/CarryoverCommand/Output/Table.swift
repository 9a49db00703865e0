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

  mutating func add(_ cells: [String]) { rows.append(cells.map(masking.text)) }

  /// The lines of the table.
  func lines(columns: Int) -> [String] {
    let shown = rows.map { row in
      zip(row, limits).map { cuts ? Escaping.visible($0, limit: $1 ?? columns) : Escaping.visible($0) }
    }
    let widths = limits.indices.map { index in
      let widest = shown.map { index < $0.count ? DisplayWidth.columns(of: $0[index]) : 0 }.max() ?? 0
      return cuts ? widest : min(widest, limits[index] ?? 0)
    }
    let fixed = zip(limits, widths).reduce(0) { $0 + ($1.0 == nil ? 0 : $1.1) } + 2 * (limits.count - 1)
    let open = max(8, (columns - fixed) / max(1, limits.count { $0 == nil }))
    return shown.map { row in
      var line = ""
      for (index, cell) in row.enumerated() {
        let width = limits[index] == nil ? min(open, widths[index]) : widths[index]
        let text = cuts ? Escaping.fit(cell, columns: width) : cell
        line += text
        if index < row.count - 1 {
          line += String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)) + 2)
        }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension Escaping {
  /// Text that is escaped already, cut to a width with an ellipsis.
  static func fit(_ text: String, columns: Int) -> String {
    DisplayWidth.truncate(text, columns: columns, glyphs: .unicode).text
  }
}
