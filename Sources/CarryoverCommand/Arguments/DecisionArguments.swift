import ArgumentParser
import Carryover
import PropertyLists

/// The options that decide fields.
struct DecisionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Migrate this field and no other that is not named; decides it. Repeatable.", valueName: "field")
  )
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Accept the proposal of this flagged field; leaves a conflict to --on-conflict. Repeatable.", valueName: "field"))
  var accept: [String] = []

  @Option(help: ArgumentHelp("Leave this field out. Repeatable.", valueName: "field"))
  var skip: [String] = []

  @Option(help: ArgumentHelp("Write this value instead of the proposal. Repeatable.", valueName: "field=value"))
  var set: [String] = []

  @Option(help: "What becomes of a field whose target holds another value: fail, keep or replace.")
  var onConflict: ConflictArgument = .fail

  /// The decisions these options take for a plan, `--on-conflict` included; `earlier` ones hold where they take none.
  func allDecisions(for plan: Plan, after earlier: Decisions = [:], _ masking: Masking) throws -> Decisions {
    onConflict.applied(to: plan, try earlier.merging(decisions(for: plan, masking)) { _, given in given })
  }

  /// The decisions these options take for a plan, field by field.
  private func decisions(for plan: Plan, _ masking: Masking) throws -> Decisions {
    var decisions: Decisions = [:]
    func decide(_ name: String, _ decision: Decision, _ option: String) throws {
      guard plan.field(name) != nil else {
        let names = plan.fields.map(\.id).joined(separator: ", ")
        throw CommandFailure.usage(
          "\(option) names “\(name)”, which is no field of this plan; its fields are \(names).")
      }
      guard decisions.updateValue(decision, forKey: name) == nil else {
        throw CommandFailure.usage("“\(name)” is decided twice; name it in one option only.")
      }
    }
    for assignment in set {
      guard let equals = assignment.firstIndex(of: "=") else {
        throw CommandFailure.usage("--set needs FIELD=VALUE; “\(assignment)” has no “=”.")
      }
      let name = String(assignment[..<equals])
      try decide(
        name, .edit(try value(String(assignment[assignment.index(after: equals)...]), for: name, in: plan, masking)),
        "--set")
    }
    for (names, option) in [(only, "--only"), (accept, "--accept")] {
      for name in names {
        let isConflict = plan.field(name)?.status == .conflict
        try decide(name, option == "--accept" && isConflict ? .accept : .migrate, option)
        guard let field = plan.field(name), field.proposed == nil, field.legacy != nil, field.status != .unchanged
        else {
          continue
        }
        throw CommandFailure.usage(
          "\(option) \(name): there is no proposal to take. Give a value with --set \(name)=VALUE, or leave it out with "
            + "--skip \(name).")
      }
    }
    for name in skip { try decide(name, .skip, "--skip") }
    if !only.isEmpty {
      for field in plan.fields where decisions[field.id] == nil { decisions[field.id] = .omit }
    }
    return decisions
  }

  private func value(_ text: String, for name: String, in plan: Plan, _ masking: Masking) throws -> PropertyListValue {
    guard let field = plan.field(name) else { return .string(text) }
    do throws(FormMismatch) {
      return try field.form.value(fromText: text)
    } catch {
      throw CommandFailure.usage("--set \(name): \(masking.mismatch(error).description)")
    }
  }
}

/// `--on-conflict` on the command line.
enum ConflictArgument: String, ExpressibleByArgument, CaseIterable {
  case fail, keep, replace

  /// Decisions, with those added that the policy takes.
  func applied(to plan: Plan, _ decisions: Decisions) -> Decisions {
    var decisions = decisions
    for field in plan.fields {
      decisions[field.id] = field.decision(decisions[field.id], onConflict: policy)
    }
    return decisions
  }

  var policy: ConflictPolicy {
    switch self {
    case .fail: .fail
    case .keep: .keep
    case .replace: .replace
    }
  }
}
