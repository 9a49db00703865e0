package import PropertyLists

/// What the new SDK reads and does when the app next starts, played on each form of a container. Nothing is run.
package struct NextLaunch: Hashable, Sendable {
  /// One play a form, in the order of ``Form``.
  package var plays: [Play]

  /// The form of the container in which the app starts.
  package enum Form: String, CaseIterable, Sendable {
    /// As it is, without a migration.
    case current = "as-is"
    /// After the vendor's migrator.
    case helper = "after-helper"
    /// After the plan with its decisions.
    case plan = "after-plan"

    /// Its name on every surface.
    package var title: String {
      switch self {
      case .current: "now"
      case .helper: "after migrator"
      case .plan: "after plan"
      }
    }
  }

  /// The launch in one form.
  package struct Play: Hashable, Sendable {
    package var form: Form
    /// What limits the play, such as undecided fields.
    var remarks: [FindingText]
    package var facts: [Fact]

    /// Each remark as a sentence, not escaped.
    package var notes: [String] { remarks.map { $0.text(source: nil) } }
  }

  /// One thing that the SDK reads or does.
  package struct Fact: Hashable, Sendable {
    /// What it is about, in lower case: "user". Each play has the same ones in the same order.
    package var topic: String
    /// How it ends, as a word for programs.
    package var outcome: String
    /// The value that the SDK uses, where the container has it.
    package var value: PropertyListValue?
    /// Whether something is lost that the container still has.
    package var isLoss: Bool
    private var words: FindingText

    package init(
      _ topic: String, _ outcome: String, _ words: FindingText, value: PropertyListValue? = nil, isLoss: Bool = false
    ) {
      self.topic = topic
      self.outcome = outcome
      self.words = words
      self.value = value
      self.isLoss = isLoss
    }

    /// What happens and why, not escaped.
    package var sentence: String { words.text(source: nil) }

    func masked(by mask: FactMask) -> Fact {
      var fact = self
      fact.words = words.masked(by: mask)
      return fact
    }
  }

  /// What the container cannot tell of the launch.
  package struct Assumptions: Hashable, Sendable {
    /// The version of the app that starts; nil where it is unknown.
    package var appVersion: String?
    /// Whether the new SDK starts sessions by itself.
    package var automaticSessions: Bool

    /// Assumptions; by default the app's version is unknown, and sessions are as the new SDK has them by default.
    package init(appVersion: String? = nil, automaticSessions: Bool = true) {
      self.appVersion = appVersion
      self.automaticSessions = automaticSessions
    }

    /// As a sentence, apart from the moment. It is not escaped.
    package var sentence: String {
      "Assumed: automatic sessions \(automaticSessions ? "on" : "off"), app version "
        + "\(appVersion.map { ValueWording.cut($0) } ?? "unknown")."
    }
  }

  /// The facts of all plays about one topic, with the play each is of.
  package var topics: [(name: String, facts: [(form: Form, fact: Fact)])] {
    (plays.first?.facts.map(\.topic) ?? []).map { topic in
      (topic, plays.compactMap { play in play.facts.first { $0.topic == topic }.map { (play.form, $0) } })
    }
  }

  /// The same with every value masked in the sentences; the values themselves stay.
  func masked(by mask: FactMask) -> NextLaunch {
    NextLaunch(
      plays: plays.map { play in
        Play(
          form: play.form, remarks: play.remarks.map { $0.masked(by: mask) },
          facts: play.facts.map { $0.masked(by: mask) })
      })
  }
}

/// The launch that a vendor plays.
package struct LaunchSetting {
  package let plan: Plan
  package let form: NextLaunch.Form
  package let assumptions: NextLaunch.Assumptions
  /// What the target holds in this form under the recipe's keys.
  package let stored: [Field.ID: PropertyListValue]
}

extension Recipe {
  /// Plays the next launch of the new SDK after a plan of this recipe; nil if nothing is known of that SDK's launch.
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
  fileprivate func stored(_ form: NextLaunch.Form, _ decisions: Decisions) -> [Field.ID: PropertyListValue] {
    let decisions = completed(decisions)
    return fields.reduce(into: [:]) { stored, field in
      stored[field.id] = field.current
      switch form {
      case .current: break
      case .helper:
        if target?.exists != true, case .value(let value, _) = field.readings.helper { stored[field.id] = value }
      case .plan:
        if case .write(let value) = field.resolution(decisions[field.id]) { stored[field.id] = value }
      }
    }
  }

  fileprivate func remarks(_ form: NextLaunch.Form, _ decisions: Decisions) -> [FindingText] {
    switch form {
    case .current:
      guard let target else { return ["The target file is unknown, and counts as absent."] }
      return target.exists ? [] : ["The app starts without a migration."]
    case .helper:
      return target?.exists == true
        ? ["The vendor's migrator does nothing: the target file exists."]
        : ["The app runs the vendor's migrator first."]
    case .plan:
      let undecided = undecided(decisions).map(\.id)
      let codes = blockers.map { $0.code.rawValue }
      let list = codes.joined(separator: ", ")
      return (codes.isEmpty ? [] : ["Blocked by \(words: list); this is as if it were applied."])
        + (undecided.isEmpty ? [] : ["Undecided fields stay as they are now: \(list: undecided)."])
    }
  }
}
