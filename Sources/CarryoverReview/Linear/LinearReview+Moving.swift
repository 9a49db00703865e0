import Carryover
import CarryoverTerminal
import PropertyLists

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
    let them = count == 1 ? "it" : "them"
    writer.say(
      count == 0
        ? "Nothing is left to decide, and nothing would be written."
        : "Nothing is left to decide. \(counted(count, "key")) would be written: preview reads \(them), apply asks for yes."
    )
  }

  /// Goes to a field to decide; says why where a filter leaves all of them out.
  mutating func goToWaiting(_ command: Command, isSilent: Bool = false) -> Bool {
    let hidden = state.hiddenWaitingCount
    guard hidden == 0 || hidden < state.tally.waiting else {
      let are = hidden == 1 ? "is" : "are"
      writer.say("\(counted(hidden, "field")) to decide \(are) left out by the filter; filter alone brings all back.")
      return false
    }
    return perform(command, isSilent: isSilent)
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

  /// Reads rows, a page of them at first.
  mutating func read(_ positions: [Int], all: Bool = false) {
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
}
