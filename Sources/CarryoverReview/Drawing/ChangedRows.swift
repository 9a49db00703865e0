/// The rows in which two frames differ, as they are found part by part.
struct ChangedRows {
  private let count: Int
  private var found: [Int] = []

  /// None yet.
  /// - Parameter count: How many rows a frame has.
  init(of count: Int) { self.count = count }

  /// The rows, ascending.
  var rows: [Int] { found.sorted() }

  /// Adds a row, where a frame has it. There are few, or as many as a screen has rows.
  mutating func add(_ row: Int) {
    if row >= 0, row < count, !found.contains(row) { found.append(row) }
  }

  /// Adds the rows of lines that differ, or that only one of the frames has.
  /// - Parameter row: The row of the first.
  mutating func compare<Line: Equatable>(_ a: [Line], _ b: [Line], from row: Int) {
    let shared = min(a.count, b.count)
    for index in 0..<shared where a[index] != b[index] { add(row + index) }
    for index in shared..<max(a.count, b.count) { add(row + index) }
  }

  /// Adds the rows of labels that only one of the frames has.
  mutating func compare(_ a: [FrameLabel], _ b: [FrameLabel]) {
    guard a != b else { return }
    for label in a where !b.contains(label) { add(label.row) }
    for label in b where !a.contains(label) { add(label.row) }
  }
}
