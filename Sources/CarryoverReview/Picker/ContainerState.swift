package import Carryover
package import CarryoverPages
import CarryoverTerminal

/// The state of a container in the list, before it is opened.
package enum ContainerState: Hashable, Sendable {
  case unread
  case planned(PlannedContainer)
  /// An archive with several containers, which is a list of its own.
  case several
  /// A run in it was interrupted and is not recovered, so it has no plan.
  case interrupted
  /// It has no plan. The reason, in a few words.
  case failed(String)
}

/// The plan of a container without its values.
package struct PlannedContainer: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    let status: FieldStatus
    let group: FieldGroup
    /// The codes of the findings whose choices decide it.
    let asking: Set<FindingCode>
    let hasProposal: Bool
    /// After the decisions by finding.
    fileprivate(set) var standing: FieldState

    package init(_ status: FieldStatus, _ group: FieldGroup, findings: [FindingCode], hasProposal: Bool) {
      self.status = status
      self.group = group
      asking = DecisionPolicy.deciding(Set(findings.filter(\.asks)))
      self.hasProposal = hasProposal
      standing = FieldState(status, nil)
    }
  }

  private(set) var fields: [Field]
  /// Each once.
  let findings: [FindingCode]
  let severities: [Severity: Int]
  /// Whether a finding blocks the migration regardless of the decisions.
  let isBlocked: Bool
  /// What an update does to the user of each SDK, the gravest verdict first.
  let users: [AffectedUser]
  /// If only reading the container shows it, as in an archive.
  let bundleID: String?
  private(set) var tally = Tally()

  package init(
    _ fields: [Field], findings: [FindingCode], severities: [Severity: Int], isBlocked: Bool = false,
    users: [AffectedUser] = [], bundleID: String? = nil
  ) {
    self.fields = fields
    self.users = users
    self.bundleID = bundleID
    // An opt-out that a field migrates blocks only until that field is decided.
    self.isBlocked = isBlocked && !fields.contains { $0.group == .consent && $0.status.asks }
    self.findings = findings
    self.severities = severities
    for field in fields { tally.add(field.standing) }
  }

  mutating func decide(by policy: DecisionPolicy) {
    for index in fields.indices where fields[index].status.asks {
      let field = fields[index]
      let decision = policy.decision(field.status, asking: field.asking, hasProposal: field.hasProposal)
      fields[index].standing = FieldState(field.status, decision)
      tally.move(from: field.standing, to: fields[index].standing)
    }
  }

  /// How many fields are decided by finding.
  var decidedCount: Int { [FieldState.confirmed, .skipped, .kept].reduce(0) { $0 + tally[$1] } }
  var verdict: AffectedUser? { users.first }

  /// The users after the decisions by finding; nil if only a plan shows what is lost: these skip a field or keep the
  /// target's value, or are about one of several SDKs.
  var usersAsDecided: [AffectedUser]? {
    guard decidedCount > 0 else { return users }
    guard tally[.skipped] + tally[.kept] == 0, users.count <= 1 else { return nil }
    return tally.waiting > 0 ? users : users.map(\.accepted)
  }

  /// Whether no field is left to decide or write, and at least one is unchanged.
  var isApplied: Bool { leading == .unchanged }

  /// The state that says most about the container: the first of these that a field has. Nil without a value.
  var leading: FieldState? {
    [.conflict, .toDecide, .confirmed, .skipped, .kept, .ready, .unchanged, .dropped].first { tally[$0] > 0 }
  }
}

extension ContainerState {
  var plan: PlannedContainer? { if case .planned(let plan) = self { plan } else { nil } }

  mutating func decide(by policy: DecisionPolicy) {
    guard var plan else { return }
    plan.decide(by: policy)
    self = .planned(plan)
  }

  /// The worst first.
  var parts: [String] {
    switch self {
    case .unread: return ["not read yet"]
    case .several: return ["several containers"]
    case .interrupted: return ["interrupted"]
    case .failed(let reason): return [reason]
    case .planned(let plan):
      func count(_ number: Int?, _ noun: String) -> String? { number.map { counted($0, noun) } }
      func count(_ state: FieldState) -> String? { plan.tally[state] > 0 ? "\(plan.tally[state]) \(state.word)" : nil }
      let decided: [FieldState] = [.confirmed, .skipped, .kept]
      let counts =
        [plan.isBlocked ? FieldSummary.blocked : nil, count(plan.severities[.error], "error")]
        + ([.conflict, .toDecide] + decided + [.ready]).map(count)
      let whole = plan.isApplied ? "applied" : plan.leading == nil ? "nothing to migrate" : nil
      return (counts + [whole, count(.dropped), count(plan.severities[.warning], "warning")]).compactMap(\.self)
    }
  }

  /// The state in words, cut to so many columns; all of them take ``columns``.
  func words(columns: Int) -> String {
    var text = ""
    for part in parts {
      let longer = text.isEmpty ? part : text + " · " + part
      // Each scalar of our own words takes a column.
      let room = part == parts.last ? columns : columns - 2
      guard text.isEmpty || longer.unicodeScalars.count <= room else { return text + " …" }
      text = longer
    }
    return text
  }

  var columns: Int { parts.joined(separator: " · ").unicodeScalars.count }

  var look: (sign: Sign, role: Role) {
    switch self {
    case .unread, .several: return (.nothing, .muted)
    case .interrupted, .failed: return (.error, .error)
    case .planned(let plan):
      if plan.severities[.error] != nil { return (.error, .error) }
      return plan.leading.map { ($0.sign, $0.role) } ?? (.nothing, .muted)
    }
  }

  /// The place in a list by state: first what needs a decision, then what has no plan, last what is unknown.
  var rank: Int {
    switch self {
    case .unread: return 5
    case .several: return 2
    case .interrupted, .failed: return 1
    case .planned(let plan):
      guard let leading = plan.leading else { return 4 }
      return leading.waits || plan.isBlocked ? 0 : leading == .unchanged || leading == .dropped ? 3 : 2
    }
  }

  var weight: [Int] {
    guard let plan else { return self == .unread || self == .several ? [] : [0] }
    return [Severity.error, .warning, .note].map { plan.severities[$0] ?? 0 }
  }
}

extension FilterQuery {
  /// Whether a container matches the filter words: it is applied if they say so, and has a finding of each severity and
  /// a field in one of the states and one of the groups that they name.
  func matches(_ state: ContainerState) -> Bool {
    guard !words.isEmpty else { return true }
    guard let plan = state.plan else { return false }
    var states: Set<FieldState> = []
    var groups: Set<FieldGroup> = []
    for word in words {
      switch word.test {
      case .state(let some): states.formUnion(some)
      case .applied: if !plan.isApplied { return false }
      case .group(let group): groups.insert(group)
      case .severity(let severity): if plan.severities[severity] == nil { return false }
      case .finding: if plan.findings.isEmpty { return false }
      }
    }
    guard !states.isEmpty || !groups.isEmpty else { return true }
    return plan.fields.contains { field in
      (states.isEmpty || states.contains(field.standing))
        && (groups.isEmpty || groups.contains(field.group) && field.standing != .absent)
    }
  }
}
