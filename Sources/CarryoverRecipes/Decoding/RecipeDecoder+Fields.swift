import Carryover
import CarryoverSystem
import PropertyLists

extension RecipeDecoder {
  /// The rules of the fields, in order. No two write one key.
  func fields(
    _ node: RecipeNode?, _ vendor: (any Vendor)?, _ findings: [String: DeclaredFinding]
  ) -> [FieldRule] {
    var places: [StringByBytes: TextPlace] = [:]
    var unused = findings
    let rules = (node?.items(log) ?? []).compactMap { item -> FieldRule? in
      guard let rule = field(item, vendor, findings, &unused) else { return nil }
      if let first = places.updateValue(item.place, forKey: StringByBytes(rule.target)) {
        log.report(.namedTwice, item.place, "The field in line \(first.line) writes this key too.")
      }
      return rule
    }
    for (name, declared) in unused {
      log.report(.unusedFinding, declared.place, "No field names the finding \(DisplayText.quoted(name)) in otherwise.")
    }
    if let node, rules.isEmpty { log.report(.missingKey, node.place, "A recipe has at least one field.") }
    for rule in rules {
      for name in [rule.describes].compactMap(\.self) + rule.freshWithout where places[name] == nil {
        let others = rules.map(\.target).filter { !$0.hasSameBytes(as: rule.target) }
        guard let place = places[rule.target] else { continue }
        log.report(
          .noSuchField, place,
          "The field \(DisplayText.quoted(rule.target)) names \(DisplayText.quoted(name)), which is not a field. "
            + log.suggest(name, others))
      }
    }
    return rules
  }

  private func field(
    _ node: RecipeNode, _ vendor: (any Vendor)?, _ findings: [String: DeclaredFinding],
    _ unused: inout [String: DeclaredFinding]
  ) -> FieldRule? {
    guard var map = RecipeMap(node, of: "A field", log) else { return nil }
    let target = map.require("key")
    let forEach = map.take("for-each")
    let family = forEach == nil ? self : ofFamily
    let key = target.flatMap(family.key)
    let group = map.choice("group", of: FieldGroup.allCases.map { ($0.rawValue, $0) })
    let form = map.require("form").flatMap { named($0, "form", TargetForm.allCases.map { ($0.rawValue, $0) }) }
    let reader = map.choice("reads", of: TargetReader.allCases.map { ($0.rawValue, $0) }) ?? .typed
    let sources = map.require("from")?.items(log)?.compactMap { node in
      family.candidate(node, form).map { (node: node, candidate: $0) }
    }
    warn(sources ?? [])
    if group == .consent {
      for (node, candidate) in sources ?? [] { warn(consent: candidate.transforms, node.place) }
    }
    let isModel = (sources ?? []).contains { $0.candidate.model != nil }
    let requirements = requirements(map.take("require"), of: form, isModel: isModel)
    let checks = map.take("checks")?.items(log)?.compactMap { node in
      named(node, "check", (vendor?.checks ?? []).map { ($0.name, $0) })
    }
    let freshWithout = keys(map.take("fresh-without"))
    let describes = map.take("describes").flatMap(self.key)
    let isMigratedByVendor = map.flag("migrated-by-vendor")
    let loss = map.take("loss").flatMap(loss)
    let moment = map.words("moment")
    let own = map.take("otherwise").flatMap { otherwise($0, findings) }
    if let own { unused[own.name] = nil }
    map.end()
    let beginning = forEach.flatMap { keys(of: $0, writing: key, in: group, from: (sources ?? []).map(\.candidate)) }
    guard let key, let form else { return nil }
    return FieldRule(
      target: key, group: group ?? .other, form: form, candidates: (sources ?? []).map(\.candidate),
      requirements: requirements, checks: checks ?? [],
      freshWithout: freshWithout, describes: describes,
      isMigratedByVendor: isMigratedByVendor, loss: loss, moment: moment, otherwise: own?.finding,
      forEach: beginning, reader: reader)
  }

  private func candidate(_ node: RecipeNode, _ form: TargetForm?) -> Candidate? {
    guard var map = RecipeMap(node, of: "A source of the value", log) else { return nil }
    let key = map.require("key").flatMap(key)
    let member = map.text("member")
    let isAbove = map.flag("of-wrapping-sdk")
    let conditions = conditions(map.take("when"))
    let doubt = map.take("asks").flatMap { node in
      node.checkSentence(log)
      return node.words(log)
    }
    let steps = map.take("steps")?.items(log) ?? []
    map.end()
    let transforms = self.steps(steps, from: conditions.kinds, in: node.place, to: form)
    guard let key else { return nil }
    let source = SourceKey(key, member: member)
    var candidate =
      isAbove
      ? Candidate(above: source, transforms, when: conditions.all)
      : Candidate(source, transforms, when: conditions.all)
    candidate.doubt = doubt
    return candidate
  }

  /// What the user loses without the field: a name, or a map with the value in words.
  private func loss(_ node: RecipeNode) -> Loss? {
    if case .text = node.content {
      return named(
        node, "loss",
        [("logged-out", Loss.loggedOut), ("new-user", Loss.newUser), ("tracked-again", Loss.trackedAgain)])
    }
    guard var map = RecipeMap(node, of: "A loss", log) else { return nil }
    let what = map.requireWords("what")
    let kind = map.choice("kind", of: Loss.Kind.allCases.map { ($0.rawValue, $0) }) ?? .data
    let whole = map.words("part-of")
    let ahead = map.words("before-the-update")
    let past = map.words("after-the-update")
    map.end()
    return what.map { what in
      let usual = Loss.lost(what, kind)
      return Loss(kind, what, ahead: ahead ?? usual.ahead, past: past ?? usual.past, partOf: whole)
    }
  }

  /// One of some names.
  func named<Choice>(_ node: RecipeNode, _ what: String, _ choices: [(String, Choice)]) -> Choice? {
    guard let name = node.text(log) else { return nil }
    if let choice = choices.first(where: { $0.0 == name }) { return choice.1 }
    log.report(
      .unknownName, node.place,
      "There is no \(what) \(DisplayText.quoted(name)). \(log.suggest(name, choices.map(\.0)))")
    return nil
  }
}
