import Carryover

/// The words of a filter, read: texts that have to stand in a field, and words about how it stands.
struct FilterQuery: Hashable, Sendable {
  private(set) var texts: [SearchText] = []
  private(set) var words: [FilterWord] = []
  /// Words that begin like a known one and are not finished.
  private(set) var unfinished: [String] = []
  /// Words that look like one about how a field stands, and are none.
  private(set) var unknown: [String] = []

  init(_ text: String) {
    for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
      let lowered = word.lowercased()
      if let known = FilterWord.all.first(where: { $0.word == lowered }) {
        words.append(known)
      } else if !FilterWord.kinds.contains(where: lowered.hasPrefix) {
        texts.append(SearchText(word))
      } else if FilterWord.all.contains(where: { $0.word.hasPrefix(lowered) }) {
        unfinished.append(word)
      } else {
        unknown.append(word)
      }
    }
  }

  /// Whether it narrows nothing.
  var isEmpty: Bool { texts.isEmpty && words.isEmpty }

  /// Whether a field meets the words about how it stands. A field stands in one way and in one group, so of several such
  /// words one is enough; of its findings it has to have each kind that is named.
  func holds(_ field: FieldFacts, _ standing: FieldState) -> Bool {
    var (state, group): (Bool?, Bool?) = (nil, nil)
    for word in words {
      switch word.test {
      case .state: state = state == true || word.holds(field, standing)
      case .group: group = group == true || word.holds(field, standing)
      case .severity, .finding: if !word.holds(field, standing) { return false }
      }
    }
    return state != false && group != false
  }

  /// What is wrong with a word; nil where nothing is.
  var complaint: String? {
    guard let word = unknown.first ?? unfinished.first else { return nil }
    let kind = FilterWord.kinds.first { word.lowercased().hasPrefix($0) } ?? ""
    let known = FilterWord.all.map(\.word).filter { $0.hasPrefix(kind) }.map { $0.dropFirst(kind.count) }
    return "“\(word)” is not known. After \(kind) comes one of: \(known.joined(separator: ", "))."
  }
}
