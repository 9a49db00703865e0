import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// What is said of a name in an option that nothing has: the nearest one, and all there are.
enum UnknownName {
  /// A field that the plan does not have.
  static func field(_ name: String, _ option: String, in plan: Plan) -> CommandFailure {
    let fields = plan.fields.map(\.id)
    return failure(
      name, option, "is not a field of this plan", near: fields, "The fields are \(fields.joined(separator: ", ")).")
  }

  /// The same for `--accept`, which takes the codes of findings too.
  static func fieldOrCode(_ name: String, in plan: Plan) -> CommandFailure {
    let fields = plan.fields.map(\.id)
    let asked = plan.fields.flatMap(\.findings).filter(\.asks).map(\.code.rawValue)
    if let end = name.firstIndex(of: "="), fields.contains(String(name[..<end])) {
      return .usage("--accept takes a field alone. To give a value, use --set \(ShellCommand.quoted(name)).")
    }
    return failure(
      name, "--accept", "is neither a field of this plan nor the code of a finding",
      near: fields + asked + plan.ownCodes.map(\.rawValue) + FindingCode.allCases.filter(\.asks).map(\.rawValue),
      "The fields are \(fields.joined(separator: ", ")); carryover explain lists the codes.")
  }

  /// A key for `browse` that no store has.
  static func place(_ name: String, _ failure: StoreLink.Failure) -> CommandFailure {
    let problem: String
    let advice: String
    switch failure.problem {
    case .noStore:
      problem = "names no store of the container"
      advice = "Give STORE:KEY; carryover inspect lists the stores and their keys."
    case .severalStores(let paths):
      problem = "names several stores"
      advice = "Choose one of \(paths.prefix(8).map { DisplayText.visible($0) }.joined(separator: ", "))."
    case .noKey(let store):
      problem = "names no key of “\(DisplayText.visible(store))”"
      advice = "carryover inspect lists the keys."
    }
    let meant = failure.nearest.map { " Did you mean \(DisplayText.visible($0, limit: 60))?" } ?? ""
    return .usage("--key “\(DisplayText.visible(name, limit: 200))” \(problem).\(meant) \(advice)")
  }

  private static func failure(
    _ name: String, _ option: String, _ problem: String, near names: [String], _ advice: String
  ) -> CommandFailure {
    let meant = Nearest.name(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    return .usage("\(option) names “\(DisplayText.visible(name, limit: 60))”, which \(problem).\(meant) \(advice)")
  }
}
