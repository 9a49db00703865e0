/// A bar of a chart: the parts of a whole, and the same in words for those who do not see it.
struct ReportBar {
  /// What a part means. It decides the colour.
  enum Kind: String {
    case good, ask, bad, nothing
  }

  private let parts: [(count: Int, kind: Kind)]
  private let whole: Int
  /// The text alternative.
  let words: String

  /// - Parameter whole: what the parts are shares of.
  init(_ parts: [(count: Int, kind: Kind)], of whole: Int, _ words: String) {
    (self.parts, self.whole, self.words) = (parts, whole, words)
  }

  /// How long a whole bar is.
  static let length = 1_000
  /// How long a part that is not nothing is at least, so that it can be seen.
  private static let least = 8

  /// Where each part begins, and its length.
  var pieces: [(start: Int, length: Int, kind: Kind)] {
    var start = 0
    return parts.filter { $0.count > 0 && whole > 0 }.map { count, kind in
      let length = min(max(Self.least, Int(Double(count) / Double(whole) * Double(Self.length))), Self.length)
      defer { start += length }
      return (min(start, Self.length - Self.least), length, kind)
    }
  }

  /// A share in percent. Neither a little looks like nothing, nor nearly all like all.
  static func percent(_ count: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0 %" }
    let tenths = Int((Double(count) / Double(whole) * 1_000).rounded())
    if count > 0, tenths == 0 { return "< 0.1 %" }
    if count < whole, tenths == 1_000 { return "> 99.9 %" }
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}
