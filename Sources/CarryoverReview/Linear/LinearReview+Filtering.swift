import Carryover
import CarryoverTerminal

/// Lists that are narrowed, by the words of the filter on a screen; the states may be said in full as well.
extension LinearReview {
  /// Reads the listed fields that stand in some way.
  mutating func list(_ text: String) {
    let wanted = LinearLine.words(text).joined(separator: " ")
    guard !wanted.isEmpty, wanted != "all" else {
      return read((0..<state.rows.count).compactMap { state.rows[$0] }, all: wanted == "all")
    }
    guard let query = query(text) else { return }
    let listed = state.rows
    read(state.rows(of: query).positions.filter { listed.row(of: $0) != nil })
  }

  /// Reads the fields that meet every word, listed or not.
  mutating func find(_ text: String) {
    guard let query = query(text) else { return }
    read(state.rows(of: query).positions)
  }

  /// Leaves only the fields to go through that meet every word.
  mutating func filter(_ text: String) {
    let words = LinearLine.words(text)
    guard !words.isEmpty, words != ["off"], words != ["all"] else {
      state.endFilter()
      return writer.say("Every field is listed: \(state.rows.count).")
    }
    guard let query = query(text) else { return }
    let before = state.cursor
    guard state.rows(of: query).count > 0 else {
      return writer.say("No field has that; the list stays as it is.")
    }
    state.setFilter(Self.filterWords(text))
    read(state.rows.positions)
    if state.cursor != before, let field = state.selected { writer.add("You are at \(writer.name(field.id)).") }
  }

  /// Goes to a field, out of the filter where that leaves it out.
  mutating func go(to position: Int) {
    if state.rows.row(of: position) == nil {
      state.endFilter()
      writer.say("The filter leaves that field out; every field is listed again.")
    }
    if let row = state.rows.row(of: position) { state.select(row: row) }
  }

  /// What is looked for; nil, with a sentence, where a word is not known.
  private mutating func query(_ text: String) -> FilterQuery? {
    let query = FilterQuery(Self.filterWords(text))
    guard let complaint = query.complaint else { return query }
    writer.quote(complaint)
    return nil
  }

  /// A state's name as a screen's filter has it: `to decide` is `is:todo`.
  static func filterWords(_ text: String) -> String {
    let wanted = LinearLine.words(text).joined(separator: " ")
    guard let standing = FieldState.allCases.first(where: { $0.word == wanted }) else { return text }
    let fitting = FilterWord.all.first { word in
      guard case .state(let states) = word.test else { return false }
      return states.contains(standing)
    }
    let alone = FilterWord.all.first { $0.test == .state([standing]) }
    return (alone ?? fitting)?.word ?? text
  }
}
