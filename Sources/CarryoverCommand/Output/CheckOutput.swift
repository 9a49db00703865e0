import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// What a check of the runs found: for a person to read, and as `carryover.check/1`, the published form of
/// `history --check --json`.
struct CheckOutput {
  let check: RunCheck

  func write(to page: inout TextPage) {
    for problem in check.problems { page.add(problem.sign, problem.description) }
    page.blank()
    let checked = "\(Self.count(check.runs, "run", "runs")), \(Self.count(check.copies, "copy", "copies")) checked: "
    if check.problems.isEmpty {
      page.add(.done, checked + "everything is in effect as recorded.")
    } else {
      page.add(checked + Self.count(check.problems.count, "problem", "problems") + ".")
    }
  }

  func json(_ container: Container) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.check/1")),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(container.kind.rawValue)), JSONMember("bundleID", JSONValue(container.bundleID)),
        ])),
      JSONMember("runs", JSONValue(check.runs)),
      JSONMember("copies", JSONValue(check.copies)),
      JSONMember(
        "problems",
        .array(
          check.problems.map { problem in
            .object([
              JSONMember("code", .string(problem.code)), JSONMember("run", JSONValue(problem.run)),
              JSONMember("file", JSONValue(problem.place?.file)), JSONMember("key", JSONValue(problem.place?.key)),
              JSONMember("message", .string(problem.description)),
            ])
          })),
    ])
  }

  /// Why the command ends with another status than 0; nil where nothing is wrong.
  var failure: CommandFailure? {
    guard let worst = check.problems.map(\.status).max(by: { Self.rank($0) < Self.rank($1) }) else { return nil }
    return CommandFailure(
      "The runs did not pass the check: \(Self.count(check.problems.count, "problem", "problems")).", worst)
  }

  /// What has to be recovered first comes first, then damage, then changes.
  private static func rank(_ status: ExitStatus) -> Int {
    switch status {
    case .recoveryNeeded: 2
    case .conflict: 0
    default: 1
    }
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}

extension RunProblem {
  fileprivate var status: ExitStatus {
    switch self {
    case .interrupted, .leftovers, .foreign: .recoveryNeeded
    case .failed(_, let error): ExitStatus(error)
    case .changed, .unreadable: .conflict
    }
  }

  fileprivate var sign: Sign {
    switch self {
    case .changed, .unreadable: .conflict
    case .leftovers: .warning
    default: .error
    }
  }
}
