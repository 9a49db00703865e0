import CarryoverTerminal

extension Program {
  /// What can be typed next in a filter.
  func filterNote(_ filter: String) -> (text: String, isFlagged: Bool) {
    if let message { return (message, true) }
    let query = FilterQuery(filter)
    if !query.unknown.isEmpty, let complaint = query.complaint { return (complaint, true) }
    let word = FilterWord.last(of: filter)
    let candidates = FilterWord.completions(of: word).filter { $0 != word }
    if let kind = FilterWord.kinds.first(where: { kind in candidates.allSatisfy { $0.hasPrefix(kind) } }),
      !candidates.isEmpty
    {
      return (fitting(candidates.map { String($0.dropFirst(kind.count)) }, after: "tab: \(kind)"), false)
    }
    return ("words that all have to match · is:undecided is:edited … · has:warning … · group:identity …", false)
  }

  /// As many words as the frame has room for, each whole.
  private func fitting(_ words: [String], after start: String) -> String {
    var text = start
    for (index, word) in words.enumerated() {
      let rest = index + 1 < words.count ? 2 : 0
      guard text.utf8.count + 1 + word.utf8.count + rest <= size.columns - 6 else { return text + " …" }
      text += " " + word
    }
    return text
  }
}
