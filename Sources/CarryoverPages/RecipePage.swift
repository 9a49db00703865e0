package import Carryover
import CarryoverStorage
import CarryoverTerminal
package import PropertyLists

/// A recipe, rule by rule, without its id, version and title. With a container's plan, it also shows the state of each
/// field.
package struct RecipePage {
  private let recipe: Recipe
  private let indent: Int
  /// The indent below a heading.
  private var inner: Int { indent + 2 }

  /// The fields to show; nil for the whole recipe.
  package var only: Set<StringByBytes>?
  package var field: (String) -> Field? = { _ in nil }
  package var decision: (Field) -> Decision? = { _ in nil }
  /// The result of trying a source of a field; nil if it is not known.
  package var trial: (_ source: Int, _ target: String) -> CandidateTrial? = { _, _ in nil }

  package init(_ recipe: Recipe, indent: Int = 0) { (self.recipe, self.indent) = (recipe, indent) }

  package var blocks: [Block] {
    let fields = FieldGroup.allCases.flatMap { group in
      let rules = recipe.rules.filter { $0.group == group && only?.contains($0.target) != false }
      return section("Fields: \(group.rawValue)", rules.flatMap { ruleBlocks($0) })
    }
    return only == nil ? about + stores + fields + rest : fields
  }

  private var about: [Block] {
    let sentences =
      (recipe.about.map { Paragraph.all(of: $0).flatMap(\.lines) } ?? [])
      + [
        recipe.legacySDK.map { "Migrates what \($0) stored." },
        recipe.migrator.map { "The vendor's migrator: \($0.words)" },
        recipe.knowledge.vendor.map { "Uses the checks of the vendor \($0.name)." },
        recipe.isOnlyByName ? "Followed only if you name it: the container does not show where its data goes." : nil,
      ].compactMap(\.self)
    return sentences.flatMap { [.blank, .paragraph($0, indent: indent)] }
  }

  private var stores: [Block] {
    let stated = recipe.parameterPlaces.map { "${\($0.parameter)} is stated by \($0.words)" }
    let target = recipe.target.words + (recipe.target.isArchive ? ", a keyed archive" : "")
    return list("Values in keys and file names that differ between apps:", recipe.parameters.map(\.words) + stated)
      + section(
        "Reads each key from the first of these files that contains it:",
        recipe.sources.map { .paths($0.rule, indent: inner) })
      + list("Takes the user's identity from the first of these that left a value:", recipe.generations.map(\.words))
      + section("Writes:", [.paths(target, indent: inner)])
      + list(
        "Suits a container with one of these keys, which no other SDK writes:", recipe.marks.sorted().map(\.text))
      + list("Reports every other key that begins with:", recipe.legacyPrefixes)
      + list("The vendor's newest SDK ran if a key begins with:", [recipe.newestPrefix].compactMap(\.self))
      + list("The user opted out if one of these keys says so:", recipe.optOutKeys)
      + list("Reports these keys if files disagree on them:", recipe.comparedKeys)
  }

  private var rest: [Block] {
    section("Not migrated", recipe.leftBehind.flatMap { [.paragraph($0.key, indent: inner)] + notes($0.words) })
      + list(
        "Reports data in these places without reading them:", recipe.elsewhere.map { "\($0.words): \($0.reason)" })
      + section("In the app:", Paragraph.all(of: recipe.inTheApp ?? "").flatMap { $0.blocks(indent: inner) })
  }

  /// Empty if there are no blocks.
  private func section(_ heading: String, _ blocks: [Block]) -> [Block] {
    blocks.isEmpty ? [] : [.blank, .paragraph(heading, .label, indent: indent)] + blocks
  }

  private func list(_ heading: String, _ texts: [String]) -> [Block] {
    section(heading, texts.map { .paragraph($0, indent: inner) })
  }

  private func notes(_ texts: [String], deeper: Int = 0) -> [Block] {
    texts.map { .paragraph($0, .muted, indent: inner + 2 + deeper, hanging: inner + 4 + deeper) }
  }

  private func ruleBlocks(_ rule: FieldRule) -> [Block] {
    let sources = rule.candidates.enumerated().flatMap { place, candidate in
      source(candidate.words, candidate.source, trial(place, rule.target), of: rule.target)
        + notes(candidate.modelWords, deeper: 2)
    }
    return head(rule) + notes(rule.readerWords)
      + (sources.isEmpty ? source("not stored: you supply it", nil, nil, of: rule.target) : sources)
      + notes(rule.words)
  }

  private func head(_ rule: FieldRule) -> [Block] {
    let name: Pieces = [.name(rule.target, .value), .text(" (\(rule.form.words))", .muted)]
    guard let field = field(rule.target) else { return [.paragraph(name, indent: inner, hanging: inner + 2)] }
    let decision = decision(field)
    let state = FieldState(field, decision)
    let value: Pieces = FieldSummary.value(field, decision).map { [.text(": "), .value($0)] } ?? []
    let codes = field.findings.map(\.code.rawValue).joined(separator: ", ")
    return [
      .paragraph(
        name + [.text("  "), .sign(state.sign, state.role), .text(" " + state.word, state.role)] + value,
        indent: inner, hanging: inner + 2)
    ] + (codes.isEmpty ? [] : [.paragraph("Findings: \(codes)", indent: inner + 2, hanging: inner + 4)])
  }

  private func source(
    _ words: String, _ source: SourceKey?, _ trial: CandidateTrial?, of target: String
  ) -> [Block] {
    let origin = field(target)?.origin?.source
    let isFound = trial == nil && origin != nil && source == origin
    let words: Pieces = [.text("← " + words)] + (isFound ? [.text("  found here", .ready)] : [])
    return [.paragraph(words, indent: inner + 2, hanging: inner + 4)] + (trial.map { trialBlocks($0, inner + 4) } ?? [])
  }

  private func trialBlocks(_ trial: CandidateTrial, _ indent: Int) -> [Block] {
    let outcome = Block.list([Item([.text(trial.words)], sign: trial.outcome.sign, indent: indent)])
    guard let value = trial.value else { return [outcome] }
    let key = trial.source.key
    let result: Pieces =
      trial.result.map { $0 == value ? [] : [.text(" → "), .value(Secrets.shown($0), of: key)] } ?? []
    return [
      outcome,
      .paragraph(
        [.text("value: "), .value(Secrets.shown(value), of: key)] + result, indent: indent + 2, hanging: indent + 4),
    ]
      + (trial.failure.map {
        [.paragraph("step “\($0.step)”: \($0.sentence)", indent: indent + 2, hanging: indent + 4)]
      } ?? [])
  }
}

extension CandidateTrial.Outcome {
  fileprivate var sign: Sign {
    switch self {
    case .used: .done
    case .notConverted: .error
    case .notNeeded, .notMet, .refused, .outdated: .omitted
    case .absent: .nothing
    }
  }
}

extension RecipeParameter {
  fileprivate var words: String {
    "\(place): the \(title), " + (form == .name ? "a part of a file name" : "hexadecimal digits")
  }
}

extension Generation {
  /// The name with the keys and files.
  fileprivate var words: String {
    let parts = (keys.isEmpty ? [] : [keys.joined(separator: ", ")]) + files.map(\.rule)
    let order = mayBeOlder ? "; may be older than the next ones" : ""
    return "\(name): \(parts.joined(separator: "; "))\(order)"
      + (isUnreadByMigrator ? "; the vendor's migrator does not read it" : "")
      + (move.map { "; the vendor's migrator moves it \($0.rawValue.replacing("-", with: " "))" } ?? "")
      + (isNewSDKs ? "; the new SDK has it too" : "")
  }
}

extension SourceStore {
  /// The places with what is read from them.
  fileprivate var rule: String {
    switch self {
    case .suite, .plist: words
    case .json: "\(words), a JSON document for a check"
    case .file(_, let key, let orText): "\(words), whose value\(orText ? " or text" : "") is under the key \(key)"
    case .archive(_, nil): "\(words), a keyed archive"
    case .archive(_, let key?): "\(words), a keyed archive whose value is under the key \(key)"
    case .table(_, let table): "\(words), with keys in the column \(table.key) and values in \(table.value)"
    }
  }
}

extension FieldRule {
  /// How the new SDK reads the field, and the keys that the rule applies to.
  fileprivate var readerWords: [String] {
    (reader == .typed ? [] : ["The new SDK reads it \(reader.words)."])
      + (beginning.map { ["For each key that begins with \($0): \(Self.each) is the rest of the key."] } ?? [])
  }

  /// Everything but the sources.
  fileprivate var words: [String] {
    func listed(_ names: [String], _ sentence: (String) -> String) -> [String] {
      names.isEmpty ? [] : [sentence(names.joined(separator: ", "))]
    }
    let described: [String] =
      describes.map {
        ["Describes the user in \($0). Skipped if the target keeps another user's id, unless you accept it."]
      } ?? []
    return listed(requirements.map(\.words)) { "Required of the value: \($0). Otherwise, you decide." }
      + listed(checks.map(\.check.name)) { "Checks, in order: \($0)." }
      + listed(freshWithout) { "If the target has no \($0), a different value in it comes from the new SDK." }
      + listed(knownWith) { "Only with \($0), a missing value means that nobody was logged in." }
      + described + (isMigratedByVendor ? ["The vendor's migrator writes the same value."] : [])
      + (keepsTarget ? ["If the new SDK has started with another value, keeps it unless you replace it."] : [])
      + (loss?.lines ?? []) + (moment.map { ["The value is the time of: \($0)."] } ?? []) + (otherwise?.lines ?? [])
  }
}

extension TargetReader {
  fileprivate var words: String {
    switch self {
    case .typed: "only if it has this type"
    case .text: "as text: a number is its digits"
    case .cast: "with a cast: a number can be true or false, or an integer"
    case .json: "with a cast, and decodes data as JSON"
    }
  }
}

extension OwnFinding {
  fileprivate var lines: [String] {
    ["Without a value: \(severity.rawValue) \(name), if \(title).", message, "What to do: \(remedy)"]
  }
}

extension Loss {
  fileprivate var lines: [String] {
    let usual = Loss.lost(what, kind)
    let own = (usual.ahead, usual.past) == (ahead, past)
    return ["Loss (\(kind.rawValue)): \(what).\(own ? "" : " Before the update: \(ahead).")"]
      + (own ? [] : ["After the update: \(past)."]) + (whole.map { ["Losing \($0) includes this loss."] } ?? [])
  }
}

extension Candidate {
  fileprivate var words: String {
    let member = source.member.map { " (member \($0))" } ?? ""
    return source.label + member + (isAbove ? " (of an SDK that wraps the legacy one)" : "")
      + (transforms.isEmpty ? "" : ": " + transforms.map(\.title).joined(separator: ", then "))
      + (conditions.isEmpty ? "" : ", if " + conditions.map(\.words).joined(separator: " and "))
      + (doubt.map { ". You decide: \($0)" } ?? "")
  }

  /// How its models tell versions apart, and what each step does: "version 0 → 1: add email".
  fileprivate var modelWords: [String] {
    transforms.flatMap { transform -> [String] in
      guard case .model(let rule) = transform else { return [] }
      return rule.migrator.versioning.words + rule.migrator.steps.map(\.words)
    }
  }
}

extension ModelStep {
  fileprivate var words: String {
    let done = operations.map(\.title).joined(separator: "; ")
    return "version \(from) → \(to): \(title)" + (done.isEmpty || done == title ? "" : " (\(done))")
  }
}

extension ModelVersioning {
  fileprivate var words: [String] {
    let shapes = shapes.sorted { $0.key < $1.key }.map { version, shape in
      func names(_ paths: Set<ModelPath>, _ word: String) -> [String] {
        paths.isEmpty ? [] : ["\(word) \(paths.map(\.words).sorted().joined(separator: ", "))"]
      }
      let parts = names(shape.required, "with") + names(shape.forbidden, "without")
      return "version \(version): data \(parts.joined(separator: " and "))"
    }
    return (marker.map { ["the member \($0) contains the version"] } ?? [])
      + (unmarked.map { ["data that does not say its version has version \($0)"] } ?? []) + shapes
  }
}

extension LeftBehind {
  fileprivate var words: [String] {
    (file == nil ? [] : ["A file or a folder."]) + [reason] + (secret ? ["No output shows the value."] : [])
      + (moment.map { ["The value is the time of: \($0)."] } ?? [])
  }
}

extension RecipeTarget {
  fileprivate var isArchive: Bool { if case .archive = self { true } else { false } }
}

/// A paragraph of a recipe's text, or code that is fenced as in Markdown.
package enum Paragraph: Hashable, Sendable {
  case words(String)
  case code([String])

  package static func all(of text: String) -> [Paragraph] {
    var (paragraphs, code): ([Paragraph], [String]?) = ([], nil)
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let code { paragraphs.append(.code(code)) }
        (code, isOpen) = (code == nil ? [] : nil, false)
      } else if code != nil {
        code?.append(String(line))
      } else if isOpen, !line.isEmpty, case .words(let words)? = paragraphs.last {
        paragraphs[paragraphs.count - 1] = .words(words + " " + line)
      } else {
        isOpen = !line.isEmpty
        if isOpen { paragraphs.append(.words(String(line))) }
      }
    }
    return paragraphs + (code.map { [.code($0)] } ?? [])
  }

  fileprivate var lines: [String] {
    switch self {
    case .words(let words): [words]
    case .code(let lines): lines
    }
  }

  fileprivate func blocks(indent: Int) -> [Block] {
    switch self {
    case .words(let words): [.paragraph(Piece.marked(words), indent: indent)]
    case .code(let lines): lines.map { .paragraph([.code($0)], indent: indent) }
    }
  }
}
