import Carryover
import CarryoverTerminal

/// Decisions for many fields at once, the ones that a screen's menu has.
extension LinearReview {
  /// Reads the ways there are, or takes one by its number.
  mutating func many(_ text: String) {
    let items = state.manyMenu.items
    guard !text.isEmpty else { return writer.many(state.manyMenu) }
    guard let number = Int(text), items.indices.contains(number - 1), number > 0 else {
      return writer.say("The number of a way is needed, from 1 to \(items.count); many alone reads them.")
    }
    guard case .decide(let choice) = items[number - 1].meaning else { return }
    guard items[number - 1].count > 0 else { return writer.say(ReviewState.noneConcerned) }
    decideMany(choice)
  }

  /// Decides in one step, and says for how many fields and how many are left.
  mutating func decideMany(_ choice: ManyChoice) {
    state.decideMany(choice)
    let words = state.message ?? ""
    state.message = nil
    let listed = state.isFiltered ? " Only fields that the filter leaves were decided." : ""
    let waiting = state.tally.waiting
    writer.say("\(words)\(listed)" + (waiting > 0 ? " \(waiting) left to decide." : ""))
    if waiting == 0 { conclude() }
  }
}

extension LinearWriter {
  /// The ways to decide many fields at once, with how many each is about.
  mutating func many(_ menu: ChoiceMenu) {
    let count = menu.items.count
    say("\(menu.title): \(count) ways. many and a number takes one; undo takes it back in one step.")
    for (index, item) in menu.items.enumerated() {
      let words = (item.words.first?.uppercased() ?? "") + item.words.dropFirst()
      let about = item.count > 0 ? "\(counted(item.count, "field")). \(item.note)" : "no field."
      say("\(index + 1) of \(count). \(words): \(about)")
    }
  }
}
