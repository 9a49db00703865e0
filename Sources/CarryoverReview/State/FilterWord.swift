import Carryover

/// A word that narrows the list by how a field stands, by what was found about it, or by its group.
struct FilterWord: Hashable, Sendable {
  enum Test: Hashable, Sendable {
    case state(Set<FieldState>)
    case severity(Severity)
    case finding
    case group(FieldGroup)
  }

  /// The word as it is typed: `is:undecided`.
  let word: String
  /// The same in the menu: `undecided`.
  let title: String
  /// The key in the menu.
  let key: Character
  let test: Test

  func holds(_ field: FieldFacts, _ standing: FieldState) -> Bool {
    switch test {
    case .state(let states): states.contains(standing)
    case .severity(let severity): field.has(severity)
    case .finding: field.hasFinding
    case .group(let group): field.group == group
    }
  }

  /// Every word, in the order of the menu.
  static let all: [FilterWord] =
    [
      state("is:undecided", "d", "undecided, including conflicts", .toDecide, .conflict),
      state("is:conflict", "#", "in conflict", .conflict), state("is:ready", "r", "ready", .ready),
      state("is:decided", "D", "decided", .confirmed, .edited, .kept, .skipped),
      state("is:accepted", "p", "accepted", .confirmed), state("is:edited", "e", "edited", .edited),
      state("is:kept", "t", "kept", .kept), state("is:skipped", "s", "skipped", .skipped),
      state("is:unchanged", "u", "unchanged", .unchanged), state("is:not-migrated", "o", "not migrated", .dropped),
      state("is:absent", "0", "absent", .absent),
      FilterWord(word: "has:finding", title: "with a finding", key: "f", test: .finding),
      FilterWord(word: "has:error", title: "with an error", key: "E", test: .severity(.error)),
      FilterWord(word: "has:warning", title: "with a warning", key: "W", test: .severity(.warning)),
      FilterWord(word: "has:note", title: "with a note", key: "N", test: .severity(.note)),
    ]
    + zip("123456", FieldGroup.allCases).map { key, group in
      FilterWord(
        word: "group:" + group.rawValue, title: "in group " + group.rawValue, key: key, test: .group(group))
    }

  private static func state(_ word: String, _ key: Character, _ title: String, _ states: FieldState...) -> FilterWord {
    FilterWord(word: word, title: title, key: key, test: .state(Set(states)))
  }

  /// The states that somebody decided for.
  static let decided: Set<FieldState> = [.confirmed, .edited, .kept, .skipped]

  /// The keys of the words about states for which something is so.
  static func keys(_ isWanted: (Set<FieldState>) -> Bool) -> [Character] {
    all.filter { if case .state(let states) = $0.test { isWanted(states) } else { false } }.map(\.key)
  }

  /// The keys of the words about findings.
  static var findingKeys: [Character] { all.filter { $0.word.hasPrefix("has:") }.map(\.key) }

  /// The keys of the words about groups.
  static var groupKeys: [Character] { all.filter { $0.word.hasPrefix("group:") }.map(\.key) }

  /// What stands before the colon of those words, with what comes after it.
  static let kinds = ["is:", "has:", "group:"]

  /// The word at the end of a filter that is typed.
  static func last(of text: String) -> String {
    guard let last = text.last, !last.isWhitespace else { return "" }
    return text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
  }

  /// A filter with the word at its end completed, as far as there is only one way to; nil where there is none.
  static func completed(_ text: String) -> String? {
    let word = last(of: text)
    let candidates = completions(of: word)
    guard let first = candidates.first else { return nil }
    var common = first
    for other in candidates { common = String(zip(common, other).prefix { $0 == $1 }.map(\.0)) }
    let isWhole = candidates.count == 1
    guard isWhole || common.count > word.count else { return text }
    return text.dropLast(word.count) + common + (isWhole ? " " : "")
  }

  /// The words that a beginning may become; one without a colon may be what comes after it.
  static func completions(of beginning: String) -> [String] {
    let beginning = beginning.lowercased()
    guard !beginning.isEmpty else { return [] }
    let words = all.map(\.word)
    let found = words.filter { $0.hasPrefix(beginning) }
    guard found.isEmpty, !beginning.contains(":") else { return found }
    return words.filter { $0.drop { $0 != ":" }.dropFirst().hasPrefix(beginning) }
  }
}
