import CarryoverTerminal

/// What a line means.
extension LineSession {
  /// Why a line is no answer.
  func misunderstood(_ text: String) -> String {
    let word = text.lowercased()
    let names = begun(by: word).compactMap { answer in
      answer.names.first { $0.lowercased().hasPrefix(word) }
    }
    guard names.count > 1 else { return "There is no such answer here. ? lists every key." }
    return "More than one name begins with that: \(names.joined(separator: ", ")). Type more letters."
  }

  /// The answer that a line means, by its key or its words, or the beginning of them where no other has it; with what
  /// follows.
  func answer(to text: String) -> (LineView.Answer, Key, String)? {
    let word = text.lowercased()
    if word == "yes" {
      let agreed = current.answers.first { $0.duty == .confirmation }
      return agreed.flatMap { answer in answer.keys.first.map { (answer, $0, "") } }
    }
    for answer in current.answers {
      if let key = answer.keys.first(where: { $0.name == text }) { return (answer, key, "") }
    }
    if let named = named(in: text) { return named }
    let begun = begun(by: word)
    guard begun.count == 1, let answer = begun.first else { return nil }
    return answer.keys.first.map { (answer, $0, "") }
  }

  /// The answer whose name, or key, a line begins with; of several the longest name.
  private func named(in text: String) -> (LineView.Answer, Key, String)? {
    var found: (answer: LineView.Answer, length: Int)?
    for answer in current.answers {
      let names = answer.names.filter { name in
        let name = name.lowercased()
        return !name.isEmpty && (text.lowercased() == name || text.lowercased().hasPrefix(name + " "))
      }
      // A sign needs no blank behind it: `/acme`.
      let keys = answer.keys.map(\.name).filter { name in
        let isSign = name.allSatisfy { $0.isPunctuation || $0.isSymbol }
        return answer.asksForText && text.hasPrefix(isSign ? name : name + " ")
      }
      for name in names + keys where name.count > found?.length ?? 0 { found = (answer, name.count) }
    }
    guard let (answer, length) = found else { return nil }
    let rest = Self.trimmed(String(text.dropFirst(length)))
    if answer.isFamily { return answer.keys.first { $0.name == rest }.map { (answer, $0, "") } }
    return answer.keys.first.map { (answer, $0, rest) }
  }

  /// The answers that have a name with this beginning. A single letter is a key, and the wrong one means nothing.
  private func begun(by word: String) -> [LineView.Answer] {
    guard word.count > 1 else { return [] }
    return current.answers.filter { answer in
      answer.duty != .confirmation && !answer.isFamily && answer.names.contains { $0.lowercased().hasPrefix(word) }
    }
  }
}
