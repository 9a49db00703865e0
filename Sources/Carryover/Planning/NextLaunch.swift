package import PropertyLists

/// A simulation of the new SDK's next launch in each form of a container. It runs no SDK code.
package struct NextLaunch: Hashable, Sendable {
  package var plays: [Play]

  package enum Form: String, CaseIterable, Sendable, JSONConvertible {
    case current = "as-is"
    case helper = "after-helper"
    case plan = "after-plan"

    package var title: String {
      switch self {
      case .current: "now"
      case .helper: "after migrator"
      case .plan: "after plan"
      }
    }
  }

  package struct Play: Hashable, Sendable {
    package var form: Form
    var remarks: [FindingText]
    package var facts: [Fact]

    package var notes: [String] { remarks.map { $0.text(source: nil) } }
  }

  package struct Fact: Hashable, Sendable {
    /// The subject, in lower case: "user". Every simulation has the same subjects in the same order.
    package var topic: String
    package var outcome: String
    package var value: PropertyListValue?
    /// Whether a value is lost that the container still has.
    package var isLoss: Bool
    fileprivate var words: FindingText

    package init(
      _ topic: String, _ outcome: String, _ words: FindingText, value: PropertyListValue? = nil, isLoss: Bool = false
    ) {
      self.topic = topic
      self.outcome = outcome
      self.words = words
      self.value = value
      self.isLoss = isLoss
    }

    package var sentence: String { words.text(source: nil) }
  }

  package struct Assumptions: Hashable, Sendable {
    package var appVersion: String?
    package var automaticSessions: Bool

    package init(appVersion: String? = nil, automaticSessions: Bool = true) {
      self.appVersion = appVersion
      self.automaticSessions = automaticSessions
    }

    package var sentence: String {
      "Assumed: automatic sessions \(automaticSessions ? "on" : "off"), app version "
        + "\(appVersion.map { ValueWording.cut($0) } ?? "unknown")."
    }
  }

  package var topics: [(name: String, facts: [(form: Form, fact: Fact)])] {
    (plays.first?.facts.map(\.topic) ?? []).map { topic in
      (topic, plays.compactMap { play in play.facts.first { $0.topic == topic }.map { (play.form, $0) } })
    }
  }

  func masked(by mask: FactMask) -> NextLaunch {
    var masked = self
    for play in plays.indices {
      masked.plays[play].remarks = plays[play].remarks.map { $0.masked(by: mask) }
      for fact in plays[play].facts.indices {
        masked.plays[play].facts[fact].words = plays[play].facts[fact].words.masked(by: mask)
      }
    }
    return masked
  }

  package func json(_ assumptions: Assumptions) -> JSONValue {
    .object([
      "automaticSessions": assumptions.automaticSessions, "appVersion": assumptions.appVersion,
      "forms": plays.map(Self.json),
    ])
  }

  private static func json(_ play: Play) -> JSONValue {
    .object(["form": play.form, "notes": play.notes, "facts": play.facts.map(json)])
  }

  private static func json(_ fact: Fact) -> JSONValue {
    .object([
      "kind": String(fact.topic.map { $0 == " " ? "-" : $0 }), "outcome": fact.outcome,
      "value": fact.value.map(CodedValue.json), "loss": fact.isLoss, "sentence": fact.sentence,
    ])
  }
}

package struct LaunchSetting {
  package let plan: Plan
  package let form: NextLaunch.Form
  package let assumptions: NextLaunch.Assumptions
  package let stored: [StringByBytes: PropertyListValue]
}

extension Recipe {
  package func nextLaunch(
    _ plan: Plan, decisions: Decisions, assuming assumptions: NextLaunch.Assumptions = NextLaunch.Assumptions()
  ) -> NextLaunch? {
    guard let vendor = knowledge.vendor else { return nil }
    var plays: [NextLaunch.Play] = []
    for form in NextLaunch.Form.allCases {
      let setting = LaunchSetting(
        plan: plan, form: form, assumptions: assumptions, stored: plan.stored(form, decisions))
      guard let facts = vendor.nextLaunch(setting) else { return nil }
      plays.append(NextLaunch.Play(form: form, remarks: plan.remarks(form, decisions), facts: facts))
    }
    return NextLaunch(plays: plays)
  }
}

extension Plan {
  fileprivate func stored(_ form: NextLaunch.Form, _ decisions: Decisions) -> [StringByBytes: PropertyListValue] {
    let decisions = completed(withoutWaiting(decisions))
    return fields.reduce(into: [StringByBytes: PropertyListValue]()) { stored, field in
      stored[field.id] = field.current
      switch form {
      case .current: break
      case .helper:
        if target?.exists != true, case .value(let value, _) = field.readings.helper { stored[field.id] = value }
      case .plan: if case .write(let value) = field.resolution(decisions[field.id]) { stored[field.id] = value }
      }
    }
  }

  fileprivate func remarks(_ form: NextLaunch.Form, _ decisions: Decisions) -> [FindingText] {
    switch form {
    case .current:
      guard let target else { return ["The new SDK's file is unknown, so it counts as absent."] }
      return target.exists ? [] : ["The app starts without a migration."]
    case .helper:
      return target?.exists == true
        ? ["The vendor's migrator does nothing: the new SDK's file exists."]
        : ["The app runs the vendor's migrator first."]
    case .plan:
      let open = Set(bytesOf: (undecided(decisions) + waitingFields(decisions).map(\.field)).map(\.id))
      let undecided = fields.map(\.id).filter { open.contains($0) }
      let codes = blockers.map { $0.code.rawValue }
      let list = codes.joined(separator: ", ")
      return [
        codes.isEmpty
          ? "The app starts after you apply this plan."
          : "The plan is blocked by \(words: list). This shows the launch as if it were applied."
      ] + (undecided.isEmpty ? [] : ["Undecided fields stay as they are now: \(list: undecided)."])
    }
  }
}
