import ArgumentParser
import Carryover
import PropertyLists

/// The options that decide which keys of a run go back.
struct RollbackArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Roll back only this key. Repeatable.", valueName: "field"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Skip this key, which keeps its current value. Repeatable.", valueName: "field"))
  var skip: [String] = []

  @Option(help: "What to do with a key that changed after the run.")
  var onConflict: ConflictArgument = .fail

  /// What these options make of a plan.
  func resolution(of plan: RollbackPlan) throws -> RollbackResolution {
    try RollbackResolution(
      plan, only: chosen(in: plan), decisions: decisions(in: plan), onConflict: onConflict.policy)
  }

  /// The keys to take back; nil for the whole run.
  func chosen(in plan: RollbackPlan) throws -> Set<KeyPlace>? {
    only.isEmpty ? nil : Set(try only.map { try Self.place($0, in: plan, "--only") })
  }

  /// The keys that stay.
  func decisions(in plan: RollbackPlan) throws -> RollbackDecisions {
    let chosen = try chosen(in: plan) ?? []
    var decisions: RollbackDecisions = [:]
    for name in skip {
      let place = try Self.place(name, in: plan, "--skip")
      guard !chosen.contains(place) else {
        throw CommandFailure.usage("“\(name)” is decided twice; name it in one option only.")
      }
      decisions[place] = .keep
    }
    return decisions
  }

  /// The key a name stands for: the key itself, `recipe/field` in a run of several recipes, or `file:key` with the file's
  /// path or name.
  private static func place(_ name: String, in plan: RollbackPlan, _ option: String) throws -> KeyPlace {
    let entries = plan.entries
    let exact = entries.filter { entry in
      [entry.name, entry.id.key, entry.id.file + ":" + entry.id.key].containsBytes(of: name)
    }
    let found =
      exact.isEmpty ? entries.filter { ("/" + $0.id.file + ":" + $0.id.key).endsWithBytes(of: "/" + name) } : exact
    guard let first = found.first else {
      let names = entries.map(plan.name(of:)).joined(separator: ", ")
      throw CommandFailure.usage(
        """
        \(option) names “\(name)”, which run \(plan.run.id) did not change, or which is rolled back already; still in \
        effect: \(names).
        """)
    }
    guard found.count == 1 else {
      let names = found.map { $0.id.file + ":" + $0.id.key }.joined(separator: ", ")
      throw CommandFailure.usage("\(option) names “\(name)”, which is in several files: choose one of \(names).")
    }
    return first.id
  }
}
