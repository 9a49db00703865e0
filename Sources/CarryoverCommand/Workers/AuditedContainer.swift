import Carryover
import CarryoverContainers
import CarryoverPages

/// A row for a container, and one for each field of its plan. They contain no values.
struct AuditedContainer: Sendable {
  /// Such as the app in a backup; empty for the input itself.
  var inner = ""
  /// A SHA-256 over the bundle id and the files that were read: equal containers have equal ids.
  var id: String?
  /// The kind of each row, and what it says besides where the container is. No plan is kept, so that the next container
  /// is read into its memory.
  private let rows: [(kind: String, members: String)]

  /// A container without a plan.
  /// - Parameter code: the reason of a refusal.
  init(_ outcome: AuditOutcome, code: String? = nil, _ container: Container? = nil) {
    rows = Self.rows(outcome, code, container, [], [])
  }

  /// - Parameters:
  ///   - plans: of each recipe that was followed.
  ///   - verdicts: with the verdict on every SDK that left data, the most serious first; of the named recipe only, if one was
  ///     named.
  init(_ container: Container, plans: [AuditedPlan], verdicts: [AuditedPlan]) {
    let outcome: AuditOutcome = plans.allSatisfy(\.isEmpty) ? .nothingToMigrate : .audited
    rows = Self.rows(outcome, nil, container, plans, verdicts)
  }

  static let schema = "carryover.audit-row/1"

  static func beginning(of number: Int) -> String { #"{"schema":"\#(schema)","n":\#(number),"row":"# }

  /// - Parameter path: the path of the input; nil if rows name no paths.
  func lines(number: Int, path: String?) -> [String] {
    let place = path.map { inner.isEmpty ? $0 : $0 + "/" + inner }
    return rows.map { row -> String in
      let head: JSONValue = [
        "schema": .string(Self.schema), "n": number.json, "row": .string(row.kind), "container": id?.json ?? .null,
        "path": place?.json ?? .null,
      ]
      // Two objects become one.
      return String(head.text(visible: true).dropLast()) + "," + row.members.dropFirst()
    }
  }

  private static func rows(
    _ outcome: AuditOutcome, _ code: String?, _ container: Container?, _ plans: [AuditedPlan],
    _ verdicts: [AuditedPlan]
  ) -> [(kind: String, members: String)] {
    let findings = plans.flatMap(\.plan.findings)
    func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }
    let recipe = plans.first?.plan.recipe
    let members = JSONValue.object([
      "outcome": outcome, "code": code, "kind": container?.kind, "bundleID": container?.bundleID, "recipe": recipe?.id,
      "recipeVersion": recipe?.version, "recipeDigest": recipe?.digest,
      "findings": Set(findings.map(\.code.rawValue)).sorted(), "errors": count(.error), "warnings": count(.warning),
      "notes": count(.note),
      "undecided": plans.isEmpty ? nil : plans.map(\.undecided).reduce(0, +),
      "blocked": plans.isEmpty ? nil : plans.contains(where: \.isBlocked),
      "verdicts": verdicts.map { $0.user.json($0.told.verdict) },
    ])
    let fields = plans.flatMap(\.fieldRows).map { (kind: "field", members: $0.text(visible: true)) }
    return [(kind: "container", members: members.text(visible: true))] + fields
  }

  /// Of an input with several containers, where one was to be audited.
  static let severalCode = "too-many-containers"
  /// Of a container in which a run was interrupted and is not recovered.
  static let interruptedCode = ExitStatus.recoveryNeeded.name

  /// An input that could not be opened, with a stable word for the reason.
  init(_ error: ContainerError) {
    let (outcome, code): (AuditOutcome, String) =
      switch error.kind {
      case .backup(.encrypted): (.encrypted, "backup")
      case .refusedArchive(.encrypted): (.encrypted, "archive")
      case .refusedArchive(.changed): (.changed, "archive")
      case .notFound: (.unreadable, "not-found")
      case .permissionDenied: (.unreadable, "permission-denied")
      case .symbolicLink, .linkedFolder: (.unreadable, "link")
      case .notContainer, .noContainerWithin, .emptyFolder, .notFileOrFolder, .partOfContainer,
        .placeholder, .androidData:
        (.unreadable, "no-container")
      case .nestedArchives: (.unreadable, "nested-archive")
      case .incompletePackage: (.unreadable, "incomplete-package")
      case .backup: (.unreadable, "backup")
      case .archive, .refusedArchive, .precededArchive: (.unreadable, "archive")
      case .archiveLibraryMissing: (.unreadable, "archive-library-missing")
      case .tooLarge: (.unreadable, "too-large")
      case .notPropertyList, .corruptPropertyList, .database: (.unreadable, "damaged")
      case .failed: (.unreadable, "file-system")
      case .holdsContainers: (.unreadable, Self.severalCode)
      case .invalidPath, .noSuchApp, .severalApps, .invalidSelection, .invalidBundleID, .cancelled, .notWrapped,
        .occupied, .insideWrapper, .collision, .noRoom, .unusablePlace, .notWritten, .leftBehind:
        (.unreadable, "invalid-path")
      }
    self.init(outcome, code: code)
  }
}

/// A recipe's plan for a container, and its verdict.
struct AuditedPlan: Sendable {
  let told: RecipeVerdict
  let decisions: Decisions
  /// The recipe's rules before any parameter was filled in.
  let templates: [FieldRule]
  private let isUnread: Bool
  /// Whether only a write key tells which of several files is the new SDK's.
  private let isTargetUnknown: Bool
  fileprivate let undecided: Int
  private let blockers: [Finding]

  init(_ told: RecipeVerdict, _ decisions: Decisions = [:], templates: [FieldRule] = []) {
    (self.told, self.decisions, self.templates) = (told, decisions, templates)
    let plan = told.plan
    let codes = plan.findings.map(\.code)
    isUnread = codes.contains(.sourceUnreadable)
    isTargetUnknown = plan.target == nil && codes.contains(.targetManyWriteKeys)
    let undecided = Set(bytesOf: plan.undecided(decisions).map(\.id))
    self.undecided = undecided.count
    // An opt-out that a decision migrates blocks nothing: it asks.
    blockers = plan.blockers(after: decisions).filter { finding in
      finding.code != .consentOptedOut || !(finding.field.map { undecided.contains($0) } ?? false)
    }
  }

  var plan: Plan { told.plan }
  var isEmpty: Bool { !isUnread && plan.fields.allSatisfy { $0.status == .absent } }
  var isBlocked: Bool { !blockers.isEmpty }
  /// Whether all that blocks is that the user has opted out.
  var isBlockedByOptOut: Bool {
    blockers.allSatisfy { finding in
      if case .doubt? = finding.observation.consequence { false } else { finding.code == .consentOptedOut }
    }
  }

  var user: AffectedUser { AffectedUser(told, name: name, remedy: remedy) }

  /// The name of a lost value in the recipe or the finding, otherwise in the row of its field; nil for a field without a
  /// row, because its key may come from the container.
  private func name(of lost: LostValue) -> String? {
    let isFound = if case .loss(lost.loss, _)? = lost.finding?.observation.consequence { true } else { false }
    if isFound || plan.definition.rules.contains(where: { $0.loss?.what == lost.loss.what }) { return lost.loss.what }
    let places = plan.definition.rulePlaces
    guard let index = lost.fields.first.flatMap({ id in plan.fields.firstIndex { $0.id.hasSameBytes(as: id) } }),
      places.indices.contains(index), templates.indices.contains(places[index])
    else { return nil }
    return templates[places[index]].target
  }

  /// The worst that becomes of the fields of losses.
  private func remedy(of losses: [LostValue]) -> AffectedUser.Remedy {
    // A loss without a field is one that no migration repairs.
    guard losses.allSatisfy({ !$0.fields.isEmpty }) else { return .lost }
    let found = losses.flatMap(\.fields).map { plan.field($0).map(remedy) ?? .lost }
    let worst = AffectedUser.Remedy.allCases.first(where: found.contains) ?? .lost
    // No field of a container is written before all of them are decided.
    return worst == .mended && undecided > 0 ? .undecided : worst
  }

  private func remedy(of field: Field) -> AffectedUser.Remedy {
    switch verdict(on: field) {
    // What an earlier run kept or skipped stays so.
    case .carries: field.isKept ? .lost : .mended
    case .carriesWithDecision: .undecided
    case .blocked: isBlockedByOptOut ? .optedOut : .blocked
    case .unknown: .unknown
    case .lost, .nothing: .lost
    }
  }

  func verdict(on field: Field) -> AuditVerdict {
    isTargetUnknown && field.status != .absent
      ? .unknown : AuditVerdict(field, decisions[field.id], isBlocked: isBlocked, isUnread: isUnread)
  }

  fileprivate var fieldRows: [JSONValue] {
    let places = Dictionary(grouping: zip(plan.definition.rulePlaces, plan.fields), by: \.0)
    let fates = isTargetUnknown ? [:] : told.legacyFates
    return templates.indices.compactMap { members(at: $0, places[$0, default: []].map(\.1), fates) }
  }

  /// A rule for several keys has one row: the worst verdict, and the findings of all.
  private func members(at place: Int, _ fields: [Field], _ fates: [StringByBytes: LegacyFate]) -> JSONValue? {
    let rule = templates[place]
    let verdicts = fields.map(verdict)
    let worst = AuditVerdict.worstFirst.lazy.compactMap(verdicts.firstIndex).first.map { (fields[$0], verdicts[$0]) }
    let none = rule.forEach.map { _ in (Field(absent: rule), isUnread ? AuditVerdict.unknown : .nothing) }
    guard let (field, verdict) = worst ?? none else { return nil }
    let codes = (fields.count == 1 ? [] : fields).reduce(field.findings) { $0 + $1.findings }.map(\.code.rawValue)
    let origin = field.candidate.flatMap { rule.candidates.indices.contains($0) ? $0 : nil }
    // Without the boxes that `JSONValue.object` needs, because an audit makes millions of rows.
    return [
      "recipe": .string(plan.recipe.id), "field": .string(rule.target), "group": .string(rule.group.rawValue),
      "source": origin.map { .string(rule.candidates[$0].source.label) } ?? .null, "candidate": origin?.json ?? .null,
      "legacyKind": field.legacy?.kind.rawValue.json ?? .null, "status": .string(field.status.rawValue),
      "proposed": .boolean(field.proposed != nil), "verdict": .string(verdict.rawValue),
      "decidedBy": decisions[field.id] == nil ? .null : "policy", "reference": fates[field.id]?.rawValue.json ?? .null,
      "findings": .array((fields.count == 1 ? codes : codes.distinct()).map(JSONValue.string)),
    ]
  }
}

enum AuditVerdict: String, CaseIterable, Sendable {
  /// The value is in the target afterwards, without a decision.
  case carries
  /// The value is in the target if the user decides so.
  case carriesWithDecision = "carries-with-decision"
  case lost
  /// A finding blocks the migration.
  case blocked
  case nothing
  case unknown

  init(_ field: Field, _ decision: Decision?, isBlocked: Bool, isUnread: Bool) {
    self =
      switch (field.resolution(decision), field.status) {
      case (_, .absent): isUnread ? .unknown : .nothing
      // The field asks because the unread store may have its value.
      case (.undecided, _) where isUnread && field.proposed == nil: .unknown
      case (.undecided, _): isBlocked ? .blocked : .carriesWithDecision
      case (.leave, .conflict): .lost
      case (.write, _): isBlocked ? .blocked : .carries
      // An earlier run skipped the field, or kept another value.
      case (.leave(.unchanged), _) where field.isKept: .lost
      case (.leave(.unchanged), _): .carries
      case (.leave, _): .lost
      }
  }

  fileprivate static let worstFirst: [AuditVerdict] = [
    .lost, .blocked, .unknown, .carriesWithDecision, .carries, .nothing,
  ]

  /// Whether a table always has a column for it.
  var isUsual: Bool { self != .blocked && self != .unknown }

  var title: String {
    switch self {
    case .carries: "migrated"
    case .carriesWithDecision: "undecided"
    case .lost: "lost"
    case .blocked: "blocked"
    case .nothing: "no value"
    case .unknown: "unknown"
    }
  }
}

/// Every input has one outcome for each container in it.
enum AuditOutcome: String, CaseIterable, Sendable, JSONConvertible {
  case audited
  /// A plan was made, and the legacy stores have no value.
  case nothingToMigrate = "nothing-to-migrate"
  case refused
  case unreadable
  case encrypted
  /// The container changed while it was read, which may have mixed old and new.
  case changed
  case timeout
  case crashed

  var hasPlan: Bool { self == .audited || self == .nothingToMigrate }
}
