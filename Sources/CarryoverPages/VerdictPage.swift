package import Carryover
package import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors

/// What became of a container's user, and when: the answer, what is lost, what to do, the times that the container
/// records, and what the app must change.
package struct VerdictPage {
  private let told: RecipeVerdict
  private let others: [RecipeVerdict]
  private let timeline: [TimelineEntry]
  /// Whether the answer names the SDK: where there are several.
  private let isNamed: Bool

  /// The answer once decisions change it; the verdict is below it.
  package var decided: Block?
  /// How a field is called where several recipes are followed.
  package var name: (Field.ID) -> String = { $0 }
  /// Whether decisions fix a loss.
  package var isFixed: (LostValue) -> Bool = { _ in false }
  /// What comes before a recipe's id where it is named to be chosen.
  package var recipeOption = ""
  /// What the reader can do, by commands or by keys.
  package var remedy: [Block] = []
  /// Whether the remedy changes the container that is here.
  package var isRepairedHere = false
  /// Whether Carryover has written values here with a recipe. The other users still need the app's call.
  package var isRepaired: (RecipeReference) -> Bool = { _ in false }
  /// Whether the write key may stand in the app's code: nothing is masked.
  package var showsWriteKey = false
  /// How other recipes are chosen.
  package var choosing: Block?

  package init(
    _ told: RecipeVerdict, others: [RecipeVerdict] = [], timeline: [TimelineEntry], isNamed: Bool? = nil
  ) {
    (self.told, self.others, self.timeline) = (told, others, timeline)
    self.isNamed = isNamed ?? !others.isEmpty
  }

  private var plan: Plan { told.plan }
  private var verdict: Verdict { told.verdict }

  package var blocks: [Block] {
    (decided.map { [$0] } ?? []) + [told.answer(isNamed: isNamed, withReason: true)] + losses
      + [.heading("What to do")] + remedy + scope + RecipeVerdict.otherBlocks(others, option: recipeOption)
      + (others.isEmpty ? [] : choosing.map { [$0] } ?? []) + timelineBlocks + inTheAppBlocks
  }

  /// That the remedy, or Carryover's migration, is of this container only.
  private var scope: [Block] {
    guard !plan.definition.hasModel else { return [] }
    guard isRepairedHere else {
      guard isRepaired(told.recipe), !inTheAppBody.isEmpty else { return [] }
      let words = "Carryover has migrated only this container. For every other user, see \(Self.inTheAppHeading) below."
      return [.paragraph(words, indent: 2)]
    }
    let others = inTheAppBody.isEmpty ? "" : " To repair every user, see \(Self.inTheAppHeading) below."
    return [.paragraph("This repairs only this container.\(others)", indent: 2)]
  }

  /// What the blocks say of the container, as a part of a JSON document.
  package var json: JSONValue {
    .object([
      "verdict": verdict, "others": others, "losses": verdict.losses.map(json),
      "timeline": timeline.map { JSONValue.object(["moment": $0.moment, "what": $0.what, "place": $0.place]) },
      "inTheApp": inTheAppText,
    ])
  }

  private func json(_ lost: LostValue) -> JSONValue {
    .object([
      "kind": lost.loss.kind, "what": lost.loss.what, "cause": lost.causeText, "code": lost.finding?.code,
      "fields": plan.evidence(of: lost.fields),
    ])
  }

  private var losses: [Block] {
    guard !verdict.losses.isEmpty else { return [] }
    return [.heading(verdict.lossHeading), .list(verdict.losses.map(item))]
  }

  private func item(_ lost: LostValue) -> Item {
    let isFixed = isFixed(lost)
    let names = Piece.list(lost.fields.map { .name(name($0), .label) })
    let more = lost.fields.count - Self.mostFields
    return Item(
      [.strong(lost.loss.what), .text(": \(lost.causeText)")]
        + (names.isEmpty ? [] : [.text(" (")] + names + [.text(")")])
        + (isFixed ? [.text("  fixed when you apply", .confirmed)] : []),
      sign: isFixed ? .done : .error,
      below: plan.evidence(of: lost.fields.prefix(Self.mostFields)).flatMap(\.words)
        + (more > 0 ? [[.text("And \(counted(more, "field")) more: see the plan.")]] : []))
  }

  private var timelineBlocks: [Block] {
    guard !timeline.isEmpty else { return [] }
    var table = Table(
      [.init(.whole, "when", .head), .init(.sentence, "what"), .init(.sentence, "where")], indent: 2)
    for entry in timeline { table.add([.moment(entry.moment), .place(entry.what), .place(entry.place)]) }
    return [.heading("Timeline"), .table(table)]
  }

  fileprivate static let inTheAppHeading = "In the app"

  private var inTheAppBlocks: [Block] {
    let blocks = inTheAppBody
    return blocks.isEmpty ? [] : [.heading(Self.inTheAppHeading)] + blocks
  }

  /// For each SDK, the causes in the app, and how it prevents the losses for all users.
  private var inTheAppBody: [Block] {
    let parts = ([told] + others).compactMap { told in
      told.inTheApp(isRepaired: isRepaired(told.recipe), showsWriteKey: showsWriteKey).map { (told.recipe.title, $0) }
    }.distinct { $0.1 }
    guard parts.count > 1 else { return parts.first?.1.blocks ?? [] }
    return parts.flatMap { title, part in [.paragraph([.strong(title)], indent: 2)] + part.blocks }
  }

  /// The same in Markdown, for a ticket: a paragraph is a line.
  private var inTheAppText: String? {
    let blocks = inTheAppBody
    return blocks.isEmpty ? nil : ReportMarkdown.text(blocks, Ink(redaction: nil))
  }

  /// The plan has a row for each field, so a long list need not be here too.
  private static let mostFields = 1_000
}

/// The answer about a container in which no recipe finds data. The container has its tables and the count of its other
/// files.
extension Container {
  /// Replaces the verdict.
  package var unknownAnswer: [Block] {
    [.answer([.text(unknownSentence)], .note), .paragraph(unknownCounts, indent: 2)]
  }

  /// The same as the verdict in a JSON document.
  package func unknownJSON(_ situation: Situation) -> JSONValue {
    .object([
      "certainty": Verdict.Certainty.cannotTell, "outcome": "unknown", "situation": situation.word,
      "sentence": unknownSentence, "reason": unknownCounts,
    ])
  }

  private var unknownSentence: String {
    let names = KnownSDK.found(in: self) { _ in false }.map(\.sdk.name)
    return names.isEmpty
      ? "No SDK that Carryover knows left data here."
      : "Carryover has no recipe for the SDKs that left data here: \(names.joined(separator: ", "))."
  }

  private var unknownCounts: String {
    let tables = stores.compactMap { $0.tables?.tables.count }
    let keys = stores.reduce(0) { $0 + ($1.tables == nil ? $1.keyCount ?? 0 : 0) }
    let unreadable = stores.count { $0.problem != nil }
    let counts =
      counted(stores.count, "store") + (unreadable > 0 ? " (\(unreadable) unreadable)" : "")
      + ", \(counted(keys, "key"))" + (tables.isEmpty ? "" : ", \(counted(tables.reduce(0, +), "table"))")
    return ([counts + "."] + [unread?.brief.map { $0 + "." }, unreadRowsSentence].compactMap(\.self)).joined(
      separator: " ")
  }
}

extension [RunSummary] {
  /// Whether a run in effect wrote values by the recipe.
  package func wrote(by recipe: RecipeReference) -> Bool {
    contains { run in
      run.kind == .apply && [.holds, .partlyTakenBack].contains(run.standing) && run.writtenCount > 0
        && run.recipes.contains { $0.id == recipe.id }
    }
  }

  /// The runs and the moment of the plan.
  /// - Parameter clock: where that moment is from.
  package func timeline(until now: Moment, _ clock: String) -> [TimelineEntry] {
    map { run in
      let standing = [.cameAlong, .interrupted].contains(run.standing) ? ", " + run.standing.words : ""
      return TimelineEntry(run.moment, "\(run.kind.rawValue) by Carryover\(standing)", at: run.id)
    } + [TimelineEntry(now, "now", at: clock)]
  }
}

extension Verdict: JSONConvertible {
  package var sign: Sign { isSound ? .note : isLoggedOut ? .error : .warning }

  package var role: Role {
    isSound ? .confirmed : certainty == .cannotTell ? .flagged : isLoggedOut ? .error : .flagged
  }

  package var json: JSONValue {
    .object([
      "certainty": certainty, "outcome": outcome, "situation": situation.word, "sentence": text, "reason": reasonText,
    ])
  }

  fileprivate var lossHeading: String {
    switch situation {
    case _ where certainty == .cannotTell: "What may be lost"
    case .ahead, .begun, .migrated: "What the update would lose"
    case .past: "What is lost"
    case .inPlace: "What is wrong"
    case .unknown: "What is, or would be, lost"
    }
  }
}

/// What an app must change for all its users.
private struct AppChange: Hashable {
  let causes: [String]
  let call: String

  var blocks: [Block] {
    (causes.isEmpty ? [] : [.list(causes.map { Item(Piece.marked($0)) })])
      + Paragraph.all(of: call).map { paragraph in
        switch paragraph {
        case .words(let words): .paragraph(Piece.marked(words), indent: 2)
        case .code(let lines): .code(lines)
        }
      }
  }
}

extension RecipeVerdict: JSONConvertible {
  /// Whether values wait for a migration, even if none is lost: those that are changed in place, and those that only an
  /// app which calls a migrator keeps.
  package var waits: Bool {
    verdict.situation == .inPlace
      || verdict.situation == .ahead && (plan.definition.migrator?.runs ?? .whenCalled) == .whenCalled
  }

  /// The causes in the app, and what it must do to prevent the losses; nil if it needs no change. A migrator needs the
  /// app's help even if nothing would be lost, or if Carryover has repaired this container.
  fileprivate func inTheApp(isRepaired: Bool, showsWriteKey: Bool) -> AppChange? {
    // A finding that explains no loss here, or that a run has settled, still applies to the app.
    let codes =
      (verdict.losses.compactMap(\.finding) + plan.containerFindings).map(\.code) + plan.fields.flatMap(\.codes)
    let causes = codes.compactMap(\.explanation.inTheApp).distinct()
    let isNeeded = verdict.situation == .ahead && plan.definition.migrator != nil
    let unknownKey = RecipeParameter.unknownWriteKey
    let key = showsWriteKey ? writeKey ?? unknownKey : unknownKey
    let call = (plan.definition.inTheApp ?? "").replacing(unknownKey, with: key)
    guard !isGap, !verdict.isSound || isNeeded || isRepaired,
      !causes.isEmpty || !call.isEmpty && (isRepaired || plan.fields.contains(where: \.hasLegacy))
    else { return nil }
    return AppChange(causes: causes, call: call)
  }

  /// The write key in the name of the target's file; nil if it is unknown.
  private var writeKey: String? {
    guard case .suite(let name) = plan.definition.target, let target = plan.target else { return nil }
    let readings = name.readings(ofFileName: FilePath.name(of: target.path))
    // Not every SDK's file is named after the app.
    let own = readings.first { $0[NameTemplate.bundleID].map { $0 == plan.container.bundleID } ?? true }
    return own?[RecipeParameter.writeKey.name]
  }

  package func answer(isNamed: Bool, withReason: Bool) -> Block {
    // A sentence about what cannot be told says so itself, and good news goes without.
    let isSaid = verdict.isSound || verdict.certainty == .cannotTell
    let certain = verdict.certainty.words.capitalised
    let reason: Pieces = (verdict.isSound ? [.strong(certain + "."), .text(" ")] : []) + [.text(verdict.reasonText)]
    return .answer(
      [.text((isNamed ? recipe.title + ": " : "") + verdict.text)], verdict.sign, verdict.role,
      certainty: isSaid ? "" : certain, because: withReason ? reason : [])
  }

  package var json: JSONValue {
    .object(["recipe": recipe.id, "title": recipe.title, "sentence": verdict.text, "verdict": isGap ? nil : verdict])
  }

  /// A line for each SDK that a page is not about; nothing if there is none.
  /// - Parameter option: comes before a recipe's id.
  package static func otherBlocks(_ others: [RecipeVerdict], option: String) -> [Block] {
    guard !others.isEmpty else { return [] }
    let items = others.map { Item([.text($0.line(option: option))], sign: $0.verdict.sign, role: $0.verdict.role) }
    return [.heading("Other SDKs that left data here"), .list(items)]
  }

  /// The recipe and its verdict on one line: "Mixpanel Obj-C → Swift 3+ (mixpanel-objc): This user was logged out …".
  /// - Parameter option: comes before the recipe's id.
  package func line(option: String = "") -> String { "\(recipe.title) (\(option)\(recipe.id)): \(sentence)" }
}

extension Mending {
  /// What to do about losses that a plan does not mend, each remedy once.
  package func outsideRemedies(for reader: Reader) -> [String] {
    var remedies: [(what: String, text: String)] = []
    for lost in outside {
      guard let finding = lost.finding else { continue }
      // Without a field, nothing in the container mends it.
      let isInTheApp = lost.fields.isEmpty && finding.code.explanation.inTheApp != nil
      let text = isInTheApp ? "see \(VerdictPage.inTheAppHeading)." : finding.remedy(for: reader)
      if let last = remedies.last, last.text == text {
        remedies[remedies.count - 1].what += ", \(lost.loss.what)"
      } else {
        remedies.append((lost.loss.what, text))
      }
    }
    return remedies.map { "\($0.what.capitalised): \($0.text)" }
  }
}

/// A field's value, legacy and in the target, in words that no mask hides.
package struct Evidence: JSONConvertible {
  package let field: Field
  /// The type and size of the legacy value.
  package let legacy: String?
  package let current: String?

  package var json: JSONValue {
    .object(["id": field.id, "source": field.sourceLabel, "legacy": legacy, "target": current])
  }

  fileprivate var words: [Pieces] {
    [words(field.sourceLabel, legacy, field.legacy), words(field.id, current, field.current)].compactMap(\.self)
  }

  /// "rl_traits.userId is a number of 2 digits: 42".
  private func words(_ place: String, _ shape: String?, _ value: PropertyListValue?) -> Pieces? {
    guard let shape, let value else { return nil }
    let shown: Pieces = [.text(": "), .value(value, columns: 60)]
    return switch value {
    // The value on one line already contains the size, or shows nothing more than the shape.
    case .data where value.readable == nil: [.place(place), .text(" is data")] + shown
    case .array, .dictionary, .set, .null, .string(""): [.place(place), .text(" is \(shape)")]
    default: [.place(place), .text(" is \(shape)")] + shown
    }
  }
}

extension Plan {
  package func evidence(of fields: some Sequence<Field.ID>) -> [Evidence] {
    fields.compactMap(field).map { field in
      Evidence(
        field: field, legacy: field.legacy.map { ValueShape.words($0, text: field.legacyText) },
        current: field.current.map { ValueShape.words($0) })
    }
  }
}
