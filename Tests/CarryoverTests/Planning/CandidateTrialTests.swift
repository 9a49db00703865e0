import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@Suite("What a plan makes of each source of a field")
struct CandidateTrialTests {
  private func trials(_ app: LegacyApp) throws -> [String: [CandidateTrial]] {
    let options = PlannerOptions(writeKey: LegacyApp.writeKey)
    let trials = Planner(app.recipe).trials(try app.container(), now: LegacyApp.now, options: options)
    #expect(trials.map(\.count) == app.recipe.rules.map(\.candidates.count))
    return Dictionary(uniqueKeysWithValues: zip(app.recipe.rules.map(\.target), trials))
  }

  @Test("the first source with a value is used, later ones are not needed, and others are absent")
  func outcomes() throws {
    let trials = try trials(LegacyApp())
    let ids = try #require(trials["anonymous_id"])
    #expect(ids.map(\.outcome) == [.used, .notNeeded])
    #expect(ids.map(\.store) == [LegacyApp.standardPath, LegacyApp.standardPath])
    #expect(ids[0].value == .string(LegacyApp.anonymousID) && ids[0].result == ids[0].value)
    #expect(trials["last_activity_time"]?.map(\.outcome) == [.absent, .used])
    #expect(trials["last_activity_time"]?.last?.result == "1763640123000")
    #expect(trials["last_activity_time"]?.first?.words == "Absent.")
    let without = try self.trials(.traits(#"{"plan":"pro"}"#))["user_id"]?.first
    #expect(without?.outcome == .absent && without?.value == nil)
    #expect(without?.words == "Absent: there is no such key, or no such member in it.")
  }

  @Test("a step without a result is named with its reason, and ends the search")
  func failures() throws {
    let trials = try trials(.with(["rl_session_id": 1.5, "rl_anonymous_id": ["a"], "rl_traits": "{"]))
    let session = try #require(trials["session_id"]?.first)
    #expect(session.outcome == .notConverted && session.value == 1.5 && session.result == nil)
    #expect(session.failure?.step == "a whole number")
    #expect(session.failure?.sentence == "rl_session_id is not a whole number.")
    #expect(trials["anonymous_id"]?.map(\.outcome) == [.notConverted, .notNeeded])
    let user = try #require(trials["user_id"]?.first)
    #expect(user.outcome == .notConverted && user.value == "{")
    #expect(user.failure?.step == "member userId of the JSON text")
  }

  @Test("an outdated value is not used, and says so")
  func outdated() throws {
    var keys = LegacyApp.clean
    for (key, value) in [
      "rn_application_version_key": "4.1.0", "rn_application_build_key": "410",
      "rn_last_event_time_stamp": 1_763_000_000,
    ] as [String: PropertyListValue] { keys[key] = value }
    let trials = try trials(LegacyApp(standard: keys, file: nil))
    let times = try #require(trials["last_activity_time"])
    let plan = try LegacyApp(standard: keys, file: nil).plan()
    let used = plan.field("last_activity_time")?.origin?.source
    #expect(times.first { $0.source == used }?.outcome == .used)
    #expect(times.allSatisfy { $0.outcome != .absent } && Set(times.map(\.outcome)).count == 2)
  }

  @Test("what is used is what the plan uses, for every recipe, whatever the values are")
  func agrees() throws {
    let values: [PropertyListValue] = [
      "", "u-1", 42, 1.5, true, .data([1, 2]), ["a": 1], ["x"], .date(PropertyListDate(secondsSince2001: 0)), "{",
      #"{"userId":null}"#, .real(PropertyListReal(.nan)),
    ]
    for recipe in Recipe.builtIn where recipe.parameters.isEmpty {
      for value in values {
        let keys = recipe.rules.flatMap(\.candidates).map(\.source.key)
        let entries = Set(keys).sorted().map { PropertyListDictionary.Entry(key: $0, value: value) }
        var app = LegacyApp(standard: PropertyListDictionary(entries: entries), file: nil)
        app.recipe = recipe
        let plan = try app.plan()
        let trials = try trials(app)
        for (rule, field) in zip(recipe.rules, plan.fields) {
          let used = (trials[rule.target] ?? []).filter { [.used, .notConverted].contains($0.outcome) }
          #expect(
            used.count <= 1 && used.first?.source == field.origin?.source, "\(recipe.reference.id) \(rule.target)")
          #expect(used.first.map { $0.store == field.origin?.store } ?? true)
        }
      }
    }
  }

  @Test("with masks, the sentence quotes no value")
  func masked() throws {
    let app = LegacyApp.traits(#"{"userId": Ada}"#)
    let trial = try #require(try trials(app)["user_id"]?.first)
    #expect(trial.failure?.sentence.contains("Ada") == true)
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(try app.container())
    #expect(redaction.trial(trial).failure?.sentence.contains("Ada") == false)
  }
}
