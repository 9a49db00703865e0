extension FindingCode {
  /// The codes that somebody may have meant who wrote a text that is none, the likeliest first.
  ///
  /// Codes that contain the text come before all others; else those that few letters separate from it, with or without
  /// the group in front.
  /// - Parameters:
  ///   - text: What was written, of any length; only its beginning is looked at.
  ///   - codes: All there are.
  ///   - limit: The largest number of codes.
  package static func nearest(to text: String, among codes: [FindingCode], limit: Int = 3) -> [FindingCode] {
    let written = Array(text.prefix(60).lowercased().unicodeScalars)
    let wanted = String(String.UnicodeScalarView(written))
    let containing = wanted.isEmpty ? [] : codes.filter { $0.rawValue.contains(wanted) }
    let others = codes.filter { !containing.contains($0) }.map { code in
      let name = code.rawValue.drop { $0 != "." }.dropFirst()
      return (
        code: code,
        distance: min(
          distance(written, Array(code.rawValue.unicodeScalars)), distance(written, Array(name.unicodeScalars)))
      )
    }
    let byDistance = others.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }.map(\.element.code)
    return Array((containing + byDistance).prefix(max(0, limit)))
  }

  /// How many letters have to be put in, taken out or exchanged to make one text the other, or the beginning of it:
  /// whoever stopped in the middle of a code still finds it.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var row = Array(0...right.count)
    for (index, scalar) in left.enumerated() {
      var next = [index + 1]
      for ((above, diagonal), other) in zip(zip(row.dropFirst(), row), right) {
        let beside = next.last ?? above
        next.append(min(above + 1, beside + 1, diagonal + (other == scalar ? 0 : 1)))
      }
      row = next
    }
    return row.min() ?? left.count
  }
}
