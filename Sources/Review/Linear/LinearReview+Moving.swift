import Carryover
import PropertyLists
import Terminal

/// The way among the fields, and lists of them.
extension LinearReview {
  /// Reads the field it stands at.
  mutating func announce() {
    guard let field = state.selected, let position = state.cursorPosition else { return writer.say(Bindings.noField) }
    writer.field(field, position + 1, of: state.plan.fields.count, state.decisions[field.id])
  }

  /// Reads the field it stands at where one is to decide; else says how to go on.
  mutating func announceOrConclude() {
    if state.tally.waiting > 0 { announce() } else { conclude() }
  }

  mutating func conclude() {
    let count = state.plan.changes(state.decisions).count
    writer.say(
      "Nothing is left to decide. \(counted(count, "key")) would be written: preview reads them, apply asks for yes.")
  }

  mutating func move(_ move: Move, end: String) {
    let before = state.cursor
    perform(.move(move))
    if state.cursor == before { writer.say(end) } else { announce() }
  }

  mutating func go(_ text: String) {
    let fields = state.plan.fields
    guard let position = number(text, of: fields.count, "field") ?? named(text, fields.map(\.id)) else { return }
    go(to: position)
    announce()
  }

  /// Goes to a field, out of the filter where that leaves it out.
  private mutating func go(to position: Int) {
    if state.rows.row(of: position) == nil {
      state.rows = FieldRows(all: state.plan.fields.count)
      writer.say("The filter leaves that field out; every field is listed again.")
    }
    if let row = state.rows.row(of: position) { state.select(row: row) }
  }

  /// The place that a number means, counted from 0; nil for no number, and, with a sentence, for one too large.
  mutating func number(_ text: String, of count: Int, _ noun: String) -> Int? {
    guard let number = Int(text) else { return nil }
    if number >= 1, number <= count { return number - 1 }
    writer.say(count == 0 ? "There is no \(noun)." : "The \(noun)s are numbered from 1 to \(count).")
    return nil
  }

  /// The place of a name: in full, or else the only one that holds the text. Says why there is none, unless it was a
  /// number.
  mutating func named(_ text: String, _ names: [String]) -> Int? {
    guard Int(text) == nil else { return nil }
    if let exact = names.firstIndex(of: text) { return exact }
    let wanted = text.lowercased()
    let matches = names.indices.filter { names[$0].lowercased().contains(wanted) }
    if matches.count == 1 { return matches.first }
    if matches.isEmpty {
      writer.say("None has that in its name.")
    } else {
      let some = matches.prefix(10).map { "\($0 + 1) \(writer.name(names[$0]))" }.joined(separator: ", ")
      writer.add("\(matches.count) have that in their name: \(some)\(matches.count > 10 ? " and more" : "").")
    }
    return nil
  }

  mutating func list(_ text: String) {
    let all = (0..<state.rows.count).compactMap { state.rows[$0] }
    let wanted = LinearLine.words(text).joined(separator: " ")
    guard !wanted.isEmpty, wanted != "all" else { return read(all, all: wanted == "all") }
    guard let standing = FieldState.allCases.first(where: { $0.word == wanted }) else {
      let words = FieldState.allCases.map(\.word).joined(separator: ", ")
      return writer.say("There is no such state. The states are \(words).")
    }
    read(all.filter { FieldState(state.plan.fields[$0], state.decisions[state.plan.fields[$0].id]) == standing })
  }

  /// Reads rows, a page of them at first.
  private mutating func read(_ positions: [Int], all: Bool = false) {
    writer.say("\(counted(positions.count, "field")).")
    rest = positions[...]
    readOn(atMost: all ? positions.count : Self.page)
  }

  mutating func readOn(atMost limit: Int = LinearReview.page) {
    for position in rest.prefix(limit) where state.plan.fields.indices.contains(position) {
      let field = state.plan.fields[position]
      writer.row(field, position + 1, state.decisions[field.id])
    }
    rest = rest.dropFirst(limit)
    if !rest.isEmpty { writer.say("And \(rest.count) more: more reads on.") }
  }

  mutating func find(_ text: String) {
    let wanted = text.lowercased()
    read(
      state.plan.fields.indices.filter { position in
        let field = state.plan.fields[position]
        let decision = state.decisions[field.id]
        let values = [field.legacy, FieldSummary.value(field, decision), field.current].map {
          ink.value($0, columns: 4096)
        }
        return ([field.id, field.sourceLabel] + values).contains { $0.lowercased().contains(wanted) }
      })
  }

  mutating func filter(_ text: String) {
    let words = LinearLine.words(text)
    guard !words.isEmpty, words != ["off"], words != ["all"] else {
      state.rows = FieldRows(all: state.plan.fields.count)
      return writer.say("Every field is listed: \(state.rows.count).")
    }
    let wanted = words.joined(separator: " ")
    let standing = FieldState.allCases.first { $0.word == wanted }
    let positions = state.plan.fields.indices.filter { position in
      let field = state.plan.fields[position]
      let found = FieldState(field, state.decisions[field.id])
      if let standing { return found == standing }
      let text = [field.id, field.sourceLabel, found.word, field.group.rawValue].joined(separator: " ").lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    guard let first = positions.first else { return writer.say("No field has that; the list stays as it is.") }
    state.rows = FieldRows(Array(positions))
    if state.cursorRow == nil, let row = state.rows.row(of: first) { state.select(row: row) }
    read(Array(positions))
  }
}
