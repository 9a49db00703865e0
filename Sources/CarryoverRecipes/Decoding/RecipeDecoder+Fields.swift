import Carryover
import CarryoverSystem

extension RecipeDecoder {
  func fields(_ node: RecipeNode?, _ vendor: (any Vendor)?, _ findings: [String: DeclaredFinding]) -> [FieldRule] {
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
      for name in [rule.describes].compactMap(\.self) + rule.freshWithout + rule.knownWith where places[name] == nil {
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
    let knownWith = keys(map.take("known-with"))
    let describes = map.take("describes").flatMap(self.key)
    let isMigratedByVendor = map.flag("migrated-by-vendor")
    let keepsTarget = map.choice("on-conflict", of: [("ask", false), ("keep", true)]) ?? false
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
      freshWithout: freshWithout, knownWith: knownWith, describes: describes,
      isMigratedByVendor: isMigratedByVendor, keepsTarget: keepsTarget, loss: loss, moment: moment,
      otherwise: own?.finding, forEach: beginning, reader: reader)
  }

  private func candidate(_ node: RecipeNode, _ form: TargetForm?) -> Candidate? {
    guard var map = RecipeMap(node, of: "A source of the value", log) else { return nil }
    let key = map.require("key").flatMap(key)
    let member = map.text("member")
    let isAbove = map.flag("of-wrapping-sdk")
    let conditions = conditions(map.take("when"))
    let doubt = map.take("asks")?.sentence(log)
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

  func named<Choice>(_ node: RecipeNode, _ what: String, _ choices: [(String, Choice)]) -> Choice? {
    node.choice(what, of: choices, log)
  }

  // MARK: Conditions of sources, in `when`, and requirements of fields, in `require`

  /// The tests that an item of a list can name, besides `key`.
  private static let tests: [(name: String, test: @Sendable (RecipeDecoder, RecipeNode) -> Predicate?)] = [
    ("present", { $1.flag($0.log).map(Predicate.present) }),
    (
      "non-empty",
      {
        if $1.flag($0.log) == false { $0.log.report(.wrongValue, $1.place, "Only true is possible here.") }
        return .nonEmpty
      }
    ),
    ("is", { decoder, node in decoder.scalar(node).map { .oneOf([$0]) } }), ("one-of", { .oneOf($0.scalars($1)) }),
    ("max-bytes", { $1.number($0.log, from: 1).map(Predicate.atMostBytes) }), ("range", { $0.range($1) }),
    ("kind", { $0.named($1, "type", kinds.map { ($0.rawValue, Predicate.kind($0)) }) }),
    ("form", { $0.named($1, "form", TextForm.allCases.map { ($0.rawValue, Predicate.form($0)) }) }),
    ("glob", { $1.text($0.log).map { .glob(Glob($0)) } }),
    (
      "archive-without",
      { decoder, node in
        let kinds: [KeyedValue.Kind] = [.data, .date, .set, .orderedSet, .url, .uuid]
        return node.items(decoder.log).map { items in
          .archive(without: items.compactMap { decoder.named($0, "type", kinds.map { ($0.rawValue, $0) }) })
        }
      }
    ),
  ]

  /// The types that a condition can name. A recipe file has no values of the others.
  private static let kinds: [PropertyListValue.Kind] = [
    .string, .integer, .real, .boolean, .date, .data, .array, .dictionary,
  ]

  /// The conditions of a source, and the types of the values that can meet all those on the source's own value.
  func conditions(_ node: RecipeNode?) -> (all: [Condition], kinds: Set<PropertyListValue.Kind>) {
    var kinds = Set(PropertyListValue.Kind.allCases)
    checkCount(node?.items(log) ?? [], atMost: 32, "conditions")
    let all = (node?.items(log) ?? []).compactMap { item -> Condition? in
      guard let condition = condition(item, ofSource: true) else { return nil }
      if condition.key == nil { narrow(&kinds, by: condition.test, item.place, "the value") }
      return condition
    }
    return (all, kinds)
  }

  /// What the proposal of a field must be. The form is nil if it is not known. A model keeps the type of its data.
  func requirements(_ node: RecipeNode?, of form: TargetForm?, isModel: Bool) -> [Predicate] {
    var kinds = isModel ? [.string, .data] : form.map { [$0.kind] } ?? Set(PropertyListValue.Kind.allCases)
    checkCount(node?.items(log) ?? [], atMost: 32, "requirements")
    return (node?.items(log) ?? []).compactMap { item in
      guard let test = condition(item, ofSource: false)?.test else { return nil }
      narrow(&kinds, by: test, item.place, "the field's value")
      return test
    }
  }

  /// Leaves the types that can meet a test too. Reports a test that no value meets, or every one.
  private func narrow(
    _ kinds: inout Set<PropertyListValue.Kind>, by test: Predicate, _ place: TextPlace, _ what: String
  ) {
    let left = kinds.intersection(test.kinds)
    guard !left.isEmpty else {
      return log.report(
        .neverMet, place, "Only \(Self.words(test.kinds)) can meet this, but \(what) is \(Self.words(kinds)).")
    }
    if test.isAlwaysMet(by: kinds) {
      log.report(.alwaysMet, place, "Every value meets this: \(what) is \(Self.words(kinds)).")
    }
    kinds = left
  }

  /// One test, `non-empty` or `{NAME: …}`; for a source also `{key: KEY, NAME: …}`.
  private func condition(_ node: RecipeNode, ofSource isSource: Bool) -> Condition? {
    if case .text = node.content { return named(node, "condition", [("non-empty", Condition(.nonEmpty))]) }
    guard var map = RecipeMap(node, of: "A condition", log), case .map(let entries) = node.content else { return nil }
    let key = isSource ? map.take("key") : nil
    let named = key.flatMap(self.key)
    if let key, let named { warn(secret: named, key.place) }
    let found = Self.tests.compactMap { name, test in map.take(name).map { (name: name, test: test, node: $0) } }
    map.end()
    guard found.count == 1, let only = found.first else {
      // Unknown keys have been reported.
      let names = Self.tests.map(\.name)
      if entries.allSatisfy({ names.contains($0.key) || isSource && $0.key == "key" }) {
        log.report(.wrongValue, node.place, "A condition has one test: \(names.joined(separator: ", ")).")
      }
      return nil
    }
    if only.name == "present", key == nil {
      log.report(
        .wrongValue, node.place,
        isSource ? "Name the key: {key: KEY, present: true}." : "A requirement tests a value that is present.")
    }
    guard let test = only.test(self, only.node), key == nil || named != nil else { return nil }
    return Condition(test, key: named)
  }

  private func scalar(_ node: RecipeNode) -> PropertyListValue? {
    switch node.content {
    case .list, .map: return log.refuse(.wrongValue, node.place, "Text, an integer, true or false is needed here.")
    default: return scalars(RecipeNode(content: .list([node]), place: node.place)).first
    }
  }

  private func range(_ node: RecipeNode) -> Predicate? {
    guard let items = node.items(log) else { return nil }
    let bounds = items.compactMap { $0.number(log, from: Int.min) }
    guard bounds.count == 2, items.count == 2, bounds[0] <= bounds[1] else {
      if bounds.count == items.count {
        log.report(.wrongValue, node.place, "Name two integers, the smaller one first: [0, 100].")
      }
      return nil
    }
    return .range(Int64(bounds[0])...Int64(bounds[1]))
  }

  static func words(_ kinds: Set<PropertyListValue.Kind>) -> String {
    kinds.count == PropertyListValue.Kind.allCases.count
      ? "any type" : kinds.map(\.rawValue).sorted().joined(separator: " or ")
  }

  /// The recipe's own findings by name: `NAME: {title: …, message: …, remedy: …}`.
  func findings(_ node: RecipeNode?, of id: String?) -> [String: DeclaredFinding] {
    guard let node, let entries = node.entries(log, orSay: "Findings are a map: names with their words.") else {
      return [:]
    }
    let groups = FindingGroup.general + vendors.flatMap(\.groups)
    if let id, groups.contains(where: { $0.name == id }) {
      log.report(
        .badID, node.place, "A recipe with findings cannot have the id \(id), which other findings begin with.")
    }
    return entries.reduce(into: [:]) { found, entry in
      guard var map = RecipeMap(entry.value, of: "A finding", log) else { return }
      let title = map.require("title").flatMap { plainWords($0) }
      let message = map.require("message").flatMap { plainWords($0, areSentence: true) }
      let remedy = map.require("remedy").flatMap { plainWords($0, areSentence: true) }
      map.end()
      guard Self.isIdentifier(entry.key, 3...64) else {
        return log.report(.badID, entry.place, "A finding's name has 3 to 64 characters: a to z, 0 to 9 and -.")
      }
      guard let title, let message, let remedy else { return }
      found[entry.key] = DeclaredFinding(
        place: entry.place,
        finding: OwnFinding(
          "\(id ?? "").\(entry.key)", .warning, title: title, message: message, remedy: remedy))
    }
  }

  /// What a field says if no source has a value: `{finding: NAME, weight: error}`.
  func otherwise(_ node: RecipeNode, _ findings: [String: DeclaredFinding]) -> (name: String, finding: OwnFinding)? {
    guard var map = RecipeMap(node, of: "What a field says without a value", log) else { return nil }
    let name = map.require("finding")
    let weight = map.require("weight").flatMap { named($0, "weight", Severity.allCases.map { ($0.rawValue, $0) }) }
    map.end()
    guard let name, let slug = name.text(log) else { return nil }
    guard var finding = findings[slug]?.finding else {
      return log.refuse(
        .unknownName, name.place,
        "The recipe has no finding \(DisplayText.quoted(slug)). \(log.suggest(slug, findings.keys.sorted()))")
    }
    guard let weight else { return nil }
    finding.severity = weight
    return (slug, finding)
  }

  /// Words of a finding. It is shown for every container, so it cannot contain a value.
  private func plainWords(_ node: RecipeNode, areSentence: Bool = false) -> String? {
    guard let words = node.words(log) else { return nil }
    guard !words.contains("${") else {
      return log.refuse(
        .valueInFinding, node.place, "The words of a finding contain no ${…}. Name the field or the key.")
    }
    guard !words.contains("\n") else {
      return log.refuse(.wrongValue, node.place, "The words of a finding are on one line.")
    }
    if areSentence { node.checkSentence(log) }
    return words
  }
}

struct DeclaredFinding {
  var place: TextPlace
  var finding: OwnFinding
}
