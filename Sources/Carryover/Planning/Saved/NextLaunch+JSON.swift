package import PropertyLists

extension NextLaunch {
  /// The simulated launches as the member `nextLaunch` of a plan's document.
  package func json(_ assumptions: Assumptions) -> JSONValue {
    [
      "automaticSessions": JSONValue(assumptions.automaticSessions), "appVersion": JSONValue(assumptions.appVersion),
      "forms": .array(plays.map(Self.json)),
    ]
  }

  private static func json(_ play: Play) -> JSONValue {
    [
      "form": .string(play.form.rawValue), "notes": JSONValue(play.notes), "facts": .array(play.facts.map(json)),
    ]
  }

  private static func json(_ fact: Fact) -> JSONValue {
    [
      "kind": .string(String(fact.topic.map { $0 == " " ? "-" : $0 })), "outcome": .string(fact.outcome),
      "value": fact.value.map(CodedValue.json) ?? .null, "loss": JSONValue(fact.isLoss),
      "sentence": .string(fact.sentence),
    ]
  }
}
