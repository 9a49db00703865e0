import Carryover
import CarryoverTerminal
import CarryoverVendors

extension LinearWriter {
  /// Everything about a finding by its code, whatever container it is met in.
  mutating func explanation(_ code: FindingCode) {
    let explanation = code.explanation
    say("\(code.rawValue), \(code.severity.rawValue)\(Self.weight(code)): \(explanation.title).")
    for part in explanation.parts { say("\(part.title): \(part.text)") }
  }

  private static func weight(_ code: FindingCode) -> String {
    code.blocks ? ", stops every apply" : code.asks ? ", asks for a decision" : ""
  }

  /// The recipes there are, and which one made the plan.
  mutating func recipes(_ used: RecipeReference) {
    let all = Recipe.builtIn
    say("\(counted(all.count, "recipe")). A number after recipes reads one rule by rule.")
    for (index, recipe) in all.enumerated() {
      let reference = recipe.reference
      let use = reference.id == used.id ? " It made this plan." : ""
      say(
        "\(index + 1) of \(all.count). \(reference.id), version \(reference.version): "
          + "\(Self.spoken(reference.title)).\(use)")
    }
    if !all.contains(where: { $0.reference.id == used.id }) { quote("This plan was made by \(used.id).") }
  }

  /// A recipe rule by rule.
  mutating func recipe(_ recipe: Recipe) {
    let reference = recipe.reference
    say("\(reference.id), version \(reference.version): \(Self.spoken(reference.title)).")
    for (index, rule) in recipe.rules.enumerated() {
      let ways = rule.candidates.map { candidate in
        let steps = candidate.transforms.map { Self.spoken($0.title) }.joined(separator: ", then ")
        return candidate.source.label + (steps.isEmpty ? "" : ": " + steps)
      }
      let from = ways.isEmpty ? "nothing that is stored" : ways.joined(separator: "; or else ")
      say("\(index + 1) of \(recipe.rules.count). \(rule.target), \(rule.form.kind.word), from \(from).")
    }
    for key in recipe.leftBehind { say("Left behind: \(key.key). \(key.reason)") }
  }

  /// How many entries of the log are read at once.
  private static let lastEntries = 20

  /// What was done so far, or the end of it.
  mutating func log(_ log: ActivityLog, all: Bool) {
    guard !log.entries.isEmpty else { return say("Nothing has been done yet.") }
    if log.droppedCount > 0 { say("\(log.droppedCount) older entries were let go.") }
    let count = log.entries.count
    let left = all ? 0 : max(0, count - Self.lastEntries)
    if left > 0 { say("The last \(count - left) of \(count) entries; log all reads every one.") }
    // A moment is said once for all that was done in it.
    var said: String?
    each(Array(log.entries.enumerated().dropFirst(left)), atMost: ActivityLog.limit) { writer, item in
      if let moment = item.element.moment.map({ MomentText.seconds($0) }), moment != said {
        said = moment
        writer.say("At \(moment) UTC:")
      }
      writer.add("\(item.offset + 1) of \(count). \(writer.ink.sentence(item.element.text))")
    }
  }

  /// Every answer at a place, what it does, and why one can do nothing now.
  mutating func help<Meaning, State>(_ answers: LinearAnswers<Meaning, State>, _ state: State, about word: String) {
    let wanted = LinearLine.words(word).joined(separator: " ")
    var chosen = answers.all.filter { answer in answer.names.contains { $0.hasPrefix(wanted) } }
    if chosen.isEmpty { chosen = answers.all.filter { $0.help.lowercased().contains(wanted) } }
    guard !chosen.isEmpty else { return say("No answer here has to do with that. help alone reads all of them.") }
    if wanted.isEmpty {
      say("\(counted(chosen.count, "answer")). The beginning of one is enough where it can be no other.")
    }
    for answer in chosen {
      let short = answer.names.dropFirst().first.map { ", or \($0)" } ?? ""
      let obstacle = answer.obstacle(state).map { " Not possible now: " + $0 } ?? ""
      add(ink.words("\(answer.usage)\(short): \(answer.help)") + ink.sentence(obstacle))
    }
  }
}
