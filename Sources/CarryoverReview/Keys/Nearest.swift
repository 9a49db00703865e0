/// What somebody may have meant who wrote a name that is none.
package enum Nearest {
  /// The name that the fewest letters separate from what was written; nil where none is near.
  package static func name(to written: String, among names: [String]) -> String? {
    let wanted = Array(written.prefix(40).lowercased().unicodeScalars)
    let nearest = names.map { (name: $0, distance: distance(wanted, Array($0.unicodeScalars))) }
      .min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, min(3, wanted.count / 2)) else { return nil }
    return nearest.name
  }

  /// How many letters have to be put in, taken out, exchanged or swapped with the next to make one text the other.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var above: [Int] = []
    var row = Array(0...right.count)
    for (index, scalar) in left.enumerated() {
      var next = [index + 1]
      for (column, other) in right.enumerated() {
        var best = min(row[column + 1] + 1, next[column] + 1, row[column] + (other == scalar ? 0 : 1))
        if index > 0, column > 0, other == left[index - 1], right[column - 1] == scalar {
          best = min(best, above[column - 1] + 1)
        }
        next.append(best)
      }
      (above, row) = (row, next)
    }
    return row.last ?? left.count
  }
}
