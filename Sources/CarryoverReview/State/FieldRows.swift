/// The fields that stand in the list, by their positions in the plan: all of them, or those that a filter leaves, in the
/// plan's order either way.
struct FieldRows: Hashable, Sendable {
  /// The positions a filter leaves, ascending; nil where every field is listed.
  private let kept: [Int]?
  /// How many rows there are.
  let count: Int

  /// Every field of a plan.
  init(all count: Int) {
    kept = nil
    self.count = count
  }

  /// - Parameter positions: ascending, each once.
  init(_ positions: [Int]) {
    kept = positions
    count = positions.count
  }

  /// Where the field of a row stands in the plan; nil where there is no such row.
  subscript(row: Int) -> Int? {
    guard row >= 0, row < count else { return nil }
    return kept?[row] ?? row
  }

  /// Every position in the list.
  var positions: [Int] { kept ?? Array(0..<count) }

  /// The row of the field at a position; nil where the filter leaves it out.
  func row(of position: Int) -> Int? {
    guard let kept else { return position < count ? position : nil }
    let row = insertionRow(of: position)
    return row < count && kept[row] == position ? row : nil
  }

  /// The row a field would have: that of the first listed at or behind its position.
  func insertionRow(of position: Int) -> Int {
    kept?.lowerBound(position) ?? min(position, count)
  }
}

extension [Int] {
  /// The index of the first element that is not less than a number, in a list that ascends.
  func lowerBound(_ number: Int) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle] < number { range = (middle + 1)..<range.upperBound } else { range = range.lowerBound..<middle }
    }
    return range.lowerBound
  }
}
