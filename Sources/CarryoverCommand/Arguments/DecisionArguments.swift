public import ArgumentParser
import Carryover
import CarryoverPages
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct DecisionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Migrate only this field: accept its proposal, unless another option decides it. Repeatable.", valueName: "field")
  )
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Accept the proposal of this undecided field, or of every field that only a finding of this code asks about. Never "
        + "decides a conflict. Repeatable.", valueName: "field-or-code"),
    completion: CompletionScript.askingCodes)
  var accept: [String] = []

  @Option(help: ArgumentHelp("Skip this field. Repeatable.", valueName: "field"))
  var skip: [String] = []

  @Option(
    name: [.long, .customLong("edit")],
    help: ArgumentHelp("Write this value instead of the proposal. Repeatable.", valueName: "field=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write this value, given as JSON, instead of the proposal. Repeatable.", valueName: "field=json"))
  var setJson: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep the target's value of this field. A batch skips containers whose target has none. Repeatable.",
      valueName: "field"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Replace the target's value of this field with the proposal. A batch skips containers whose target has none. "
        + "Repeatable.", valueName: "field"))
  var replace: [String] = []

  @Option(
    help: """
      What to do with a field that has another value in the new SDK's file. It does not decide fields that a finding \
      asks about.
      """)
  var onConflict: ConflictPolicy = .fail

  @OptionGroup var policy: PolicyArgument

  /// The decisions of these options, `--on-conflict` included. Other fields keep their earlier decisions.
  /// - Parameter batch: the recipes, without values, if the options are for many containers, of which some lack a field,
  ///   or a value to keep or replace.
  func allDecisions(
    for plan: Plan, after earlier: Decisions = [:], ofBatchBy batch: [Recipe]? = nil, _ masking: Masking
  ) throws -> Decisions {
    var options = self
    if plan.recipes.count == 1 { options.omit(recipe: plan.recipe.id) }
    let isIgnored = try options.ignored(in: plan, ofBatchBy: batch)
    if batch != nil {
      func isMoot(_ name: String) -> Bool { plan.field(name).map { $0.current == nil } ?? false }
      options.keep.removeAll(where: isMoot)
      options.replace.removeAll(where: isMoot)
    }
    let earlier = plan.withoutCompletion(earlier)
    let given = try earlier.merging(options.decisions(for: plan, isIgnored, masking))
    return onConflict.applied(to: plan, try policy.read().applied(to: plan, given))
  }

  /// Fields have their recipe's id before their name only in a plan of several recipes.
  private mutating func omit(recipe: String) {
    let prefix = FieldOwner.name("", of: recipe)
    let options: [WritableKeyPath<Self, [String]>] = [\.only, \.accept, \.skip, \.set, \.setJson, \.keep, \.replace]
    for option in options {
      self[keyPath: option] = self[keyPath: option].map { name in
        name.beginsWithBytes(of: prefix)
          ? String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : name
      }
    }
  }

  private func decisions(
    for plan: Plan, _ isIgnored: (String) -> Bool, _ masking: Masking
  ) throws -> Decisions {
    var decisions: Decisions = [:]
    func decide(_ name: String, _ decision: Decision, _ option: String) throws {
      guard plan.field(name) != nil else {
        guard isIgnored(name) else { throw UnknownName.field(name, option, in: plan) }
        return
      }
      guard decisions.add(decision, for: name) else {
        throw CommandFailure.usage("“\(name)” is decided twice; name it in one option only.")
      }
    }
    for (assignments, option) in [(set, "--set"), (setJson, "--set-json")] {
      for assignment in assignments {
        let (name, text) = try Self.parts(of: assignment, option)
        try decide(name, .edit(try value(text, for: name, in: plan, option, masking)), option)
      }
    }
    let codes = try acceptedCodes(in: plan, isIgnored)
    for name in skip { try decide(name, .skip, "--skip") }
    for name in keep {
      try decide(name, .keep, "--keep")
      guard let field = plan.field(name), field.current == nil else { continue }
      throw CommandFailure.usage("--keep \(name): the target has no value to keep. Skip the field with --skip \(name).")
    }
    for (names, option) in [(accept, "--accept"), (replace, "--replace"), (only, "--only")] {
      for name in names where option != "--accept" || plan.field(name) != nil {
        if option == "--only", decisions[name] != nil { continue }
        let isConflict = plan.field(name).map { $0.status == .conflict || $0.isTargetKept } ?? false
        try decide(name, option == "--accept" && isConflict ? .accept : .migrate, option)
        guard let field = plan.field(name), field.proposed == nil, field.legacy != nil, field.status != .unchanged
        else {
          continue
        }
        throw CommandFailure.usage(
          "\(option) \(name): there is no proposal to accept. Give a value with --set \(name)=VALUE, or skip it with "
            + "--skip \(name).")
      }
    }
    // An option that names a field takes precedence, so that one of many fields can be decided in another way.
    for field in plan.fields where decisions[field.id] == nil && field.isFlagged(onlyBy: codes) {
      decisions[field.id] = field.status == .conflict ? .accept : .migrate
    }
    if !only.isEmpty {
      for field in plan.fields where decisions[field.id] == nil { decisions[field.id] = .omit }
      for pair in plan.describingFields
      where decisions[pair.named.id] == .omit && pair.keepsAnother(.omit) && only.contains(pair.field.id)
        && !accept.contains(pair.field.id)
      {
        throw CommandFailure.usage(
          "--only \(pair.field.id): it describes a different user from the one in the new SDK's file. Add --only "
            + "\(pair.named.id), or --accept \(pair.field.id).")
      }
    }
    return decisions
  }

  /// Whether a name that is no field of a plan is another container's. If the plan has the field under another value of
  /// a parameter, such as a token, and no option names that field, the name may be mistyped.
  private func ignored(in plan: Plan, ofBatchBy batch: [Recipe]?) throws -> (String) -> Bool {
    guard let batch else { return { _ in false } }
    let given = try Set(
      bytesOf: only + accept + skip + keep + replace + set.map { try Self.parts(of: $0, "--set").name }
        + setJson.map { try Self.parts(of: $0, "--set-json").name })
    return { name in
      !plan.hasField(like: name)
        && plan.recipePlans.allSatisfy { part in
          let recipe = batch.first { $0.reference.id == part.recipe.id }
          guard let own = recipe?.field(like: name, with: part.definition.values) else { return true }
          return [own, FieldOwner.name(own, of: part.recipe.id)].contains(where: given.contains)
        }
    }
  }

  private static func parts(of assignment: String, _ option: String) throws -> (name: String, text: String) {
    // A combining mark behind the sign belongs to the value.
    let scalars = assignment.unicodeScalars
    guard let equals = scalars.firstIndex(of: "=") else {
      throw CommandFailure.usage("\(option) needs FIELD=VALUE; “\(assignment)” has no “=”.")
    }
    return (String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...]))
  }

  /// That a plan has none of these findings is no error: the same options serve many containers.
  private func acceptedCodes(in plan: Plan, _ isIgnored: (String) -> Bool) throws -> Set<FindingCode> {
    var codes: Set<FindingCode> = []
    for name in accept where plan.field(name) == nil {
      guard let code = FindingCode(rawValue: name) ?? plan.ownCode(name) else {
        guard isIgnored(name) else { throw UnknownName.fieldOrCode(name, in: plan) }
        continue
      }
      codes.insert(try accepted(code))
    }
    return codes
  }

  /// Refuses names that can mean nothing in any container, before the first one is opened.
  /// - Parameter recipes: those that a plan of the batch may follow.
  func check(by recipes: [Recipe]) throws {
    func isField(_ name: String) -> Bool { recipes.contains { $0.mayHaveField(name) } }
    let own = recipes.flatMap(\.ownFindings).map(\.name)
    for name in accept where !isField(name) && !own.containsBytes(of: name) {
      guard let code = FindingCode(rawValue: name) else { throw UnknownName.fieldOrCode(name, of: recipes) }
      _ = try accepted(code)
    }
    var named = [(only, "--only"), (skip, "--skip"), (keep, "--keep"), (replace, "--replace")]
    for (assignments, option) in [(set, "--set"), (setJson, "--set-json")] {
      named.append((try assignments.map { try Self.parts(of: $0, option).name }, option))
    }
    for (names, option) in named {
      for name in names where !isField(name) { throw UnknownName.field(name, option, of: recipes) }
    }
  }

  private func accepted(_ code: FindingCode) throws -> FindingCode {
    let name = code.rawValue
    guard !Field.targetCodes.contains(code) else {
      throw CommandFailure.usage(
        "--accept \(name): it never decides about the target's own value. Decide the field with --replace or --keep, or "
          + "every conflict that nothing else flags with --on-conflict.")
    }
    guard code.asks else {
      throw CommandFailure.usage(
        "--accept \(name): such a finding asks for no decision. carryover explain \(name) says what to do about it.")
    }
    return code
  }

  private func value(
    _ text: String, for name: String, in plan: Plan, _ option: String, _ masking: Masking
  ) throws -> PropertyListValue {
    guard let field = plan.field(name) else { return .string(text) }
    let value: PropertyListValue
    do throws(FormMismatch) {
      value = option == "--set" ? try field.form.value(fromText: text) : try field.form.value(fromJSON: text)
    } catch {
      throw CommandFailure.usage("\(option) \(name): \(masking.mismatch(error).description)")
    }
    if field.group == .identity, value == .string("") {
      throw CommandFailure.usage("\(option) \(name): \(FormMismatch.empty.description)")
    }
    guard option == "--set", field.hidesCharacters(value) else { return value }
    throw CommandFailure.usage(
      "--set \(name): \(DisplayText.quoted(masking.text(text))) has leading or trailing whitespace, or hidden characters. Without "
        + "them, it is another user's id. To write it as it is, give it as JSON with --set-json.")
  }

  func add(to command: inout ShellCommand) {
    command.add("--only", each: only)
    command.add("--accept", each: accept)
    command.add("--skip", each: skip)
    command.add("--set", each: set)
    command.add("--set-json", each: setJson)
    command.add("--keep", each: keep)
    command.add("--replace", each: replace)
    if onConflict != .fail { command.add("--on-conflict", onConflict.rawValue) }
    if let policy = policy.policy { command.add("--policy", policy) }
  }
}

extension Plan {
  /// Whether fields of several recipes have this name.
  fileprivate func hasField(like name: String) -> Bool { fields.contains { $0.key.hasSameBytes(as: name) } }
}

extension ConflictPolicy: ExpressibleByArgument {
  func applied(to plan: Plan, _ decisions: Decisions) -> Decisions {
    var decisions = plan.completed(decisions, onConflict: self)
    for field in plan.fields { decisions[field.id] = field.decision(decisions[field.id], onConflict: self) }
    return decisions
  }
}

struct PolicyArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Decide fields by the findings that ask about them, as this policy file says. A decision that names the field takes precedence.",
      valueName: "file"), completion: .file())
  var policy: String?

  func read() throws -> DecisionPolicy {
    guard let policy else { return DecisionPolicy() }
    let (found, issues) = PolicyFile.read(try bytes(), codes: FindingCode.allCases)
    guard let found else { throw CommandFailure(LintedFile(path: policy, issues: issues)) }
    return found
  }

  func digest() throws -> String? { policy == nil ? nil : SHA256.hexDigest(try bytes()) }

  private func bytes() throws -> [UInt8] { try RecipePath.bytes(of: policy ?? "") }
}

extension CommandFailure {
  init(_ file: LintedFile) { self.init(LintOutput(files: [file]).lines.joined(separator: "\n"), .error) }
}

enum UnknownName {
  static func field(_ name: String, _ option: String, in plan: Plan) -> CommandFailure {
    let fields = plan.fields.map(\.id)
    return failure(
      name, option, "is not a field of this plan", near: fields, "The fields are \(fields.joined(separator: ", ")).")
  }

  /// The same for many containers.
  static func field(_ name: String, _ option: String, of recipes: [Recipe]) -> CommandFailure {
    failure(
      name, option, "is not a field of any recipe in this batch", near: recipes.flatMap(\.rules).map(\.target),
      "carryover plan CONTAINER lists the fields of a container.")
  }

  /// The same for `--accept`, which takes the codes of findings too.
  static func fieldOrCode(_ name: String, in plan: Plan) -> CommandFailure {
    let fields = plan.fields.map(\.id)
    let asked = plan.fields.flatMap(\.findings).filter(\.asks).map(\.code.rawValue)
    return fieldOrCode(
      name, fields, asked + plan.ownCodes.map(\.rawValue), "a field of this plan",
      "The fields are \(fields.joined(separator: ", ")); carryover explain lists the codes.")
  }

  static func fieldOrCode(_ name: String, of recipes: [Recipe]) -> CommandFailure {
    fieldOrCode(
      name, recipes.flatMap(\.rules).map(\.target), recipes.flatMap(\.ownFindings).map(\.name),
      "a field of a recipe in this batch",
      "carryover explain lists the codes.")
  }

  private static func fieldOrCode(
    _ name: String, _ fields: [String], _ codes: [String], _ what: String, _ advice: String
  ) -> CommandFailure {
    if let end = name.firstIndex(of: "="), fields.contains(String(name[..<end])) {
      return .usage("--accept takes a field alone. To give a value, use --set \(ShellCommand.quoted(name)).")
    }
    return failure(
      name, "--accept", "is neither \(what) nor the code of a finding",
      near: fields + codes + FindingCode.allCases.filter(\.asks).map(\.rawValue), advice)
  }

  static func place(_ name: String, _ error: ChangeError) -> CommandFailure {
    let problem: String
    let advice: String
    var nearest: String?
    switch error {
    case .noStore(_, let near):
      nearest = near
      problem = "names no store of the container"
      advice = "Give STORE:KEY; carryover inspect lists the stores and their keys."
    case .severalStores(_, let paths):
      problem = "names several stores"
      advice = "Choose one of \(paths.prefix(8).map { DisplayText.visible($0) }.joined(separator: ", "))."
    case .noValue(let path, let near, _):
      nearest = near
      problem = "names no key of “\(DisplayText.visible(path.store))”"
      advice = "carryover inspect lists the keys."
    default: return .usage("--key: \(error)")
    }
    let meant = nearest.map { " Did you mean \(DisplayText.visible($0, limit: 60))?" } ?? ""
    return .usage("--key “\(DisplayText.visible(name, limit: 200))” \(problem).\(meant) \(advice)")
  }

  private static func failure(
    _ name: String, _ option: String, _ problem: String, near names: [String], _ advice: String
  ) -> CommandFailure {
    let meant = Nearest.name(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    return .usage("\(option) names “\(DisplayText.visible(name, limit: 60))”, which \(problem).\(meant) \(advice)")
  }
}
