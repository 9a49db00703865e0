import CarryoverStorage

package struct RecipeSection: Hashable, Sendable {
  package var heading: String?
  package var lines: [RecipeLine]

  fileprivate init(_ heading: String?, _ kind: RecipeLine.Kind, _ texts: [String]) {
    self.init(heading, texts.map { RecipeLine(.recipe, kind, $0) })
  }

  fileprivate init(_ heading: String?, _ lines: [RecipeLine]) {
    self.heading = heading
    self.lines = lines
  }
}

/// Not escaped: escape it for display.
package struct RecipeLine: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case recipe
    case field(String)
    case notMigrated(String)
  }

  /// The subject: the key of a recipe file that says it.
  package enum Kind: Sendable {
    case about, legacySDK, vendor, migrator, onlyByName, parameters, inTheApp
    case read, generations, write, detect, keyPrefixes, newestPrefix, optOutKeys, comparedKeys, elsewhere
    case key, form, reads, forEach, from, model, require, checks, freshWithout, knownWith, describes
    case migratedByVendor, onConflict
    case loss, moment, otherwise
    case because, secret, file
  }

  package var part: Part
  package var kind: Kind
  package var text: String
  /// The source of a value, of which the line says how it is read; nil for other lines.
  package var source: SourceKey?
  package fileprivate(set) var isCode = false

  fileprivate init(_ part: Part, _ kind: Kind, _ text: String, _ source: SourceKey? = nil) {
    self.part = part
    self.kind = kind
    self.text = text
    self.source = source
  }
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

  fileprivate var recipeLines: [RecipeLine] {
    lines.map { text in
      var line = RecipeLine(.recipe, .inTheApp, text)
      if case .code = self { line.isCode = true }
      return line
    }
  }
}

extension Recipe {
  /// Everything but the id, the version and the title.
  package var sections: [RecipeSection] {
    func lines(_ text: String?) -> [String] { text.map { Paragraph.all(of: $0).flatMap(\.lines) } ?? [] }
    var sections = [
      RecipeSection(nil, .about, lines(about)),
      RecipeSection(nil, .legacySDK, legacySDK.map { ["Migrates what \($0) stored."] } ?? []),
      RecipeSection(nil, .migrator, migrator.map { ["The vendor's migrator: \($0.words)"] } ?? []),
      RecipeSection(nil, .vendor, knowledge.vendor.map { ["Uses the checks of the vendor \($0.name)."] } ?? []),
      RecipeSection(
        nil, .onlyByName,
        isOnlyByName ? ["Followed only if you name it: the container does not show where its data goes."] : []),
      RecipeSection(
        "Values in keys and file names that differ between apps:", .parameters,
        parameters.map(\.words) + parameterPlaces.map { "${\($0.parameter)} is stated by \($0.words)" }),
      RecipeSection("Reads each key from the first of these files that contains it:", .read, sources.map(\.rule)),
      RecipeSection(
        "Takes the user's identity from the first of these that left a value:", .generations, generations.map(\.words)),
      RecipeSection("Writes:", .write, [target.words + (target.format == .archive ? ", a keyed archive" : "")]),
      RecipeSection(
        "Suits a container with one of these keys, which no other SDK writes:", .detect, marks.sorted().map(\.text)),
      RecipeSection("Reports every other key that begins with:", .keyPrefixes, legacyPrefixes),
      RecipeSection(
        "The vendor's newest SDK ran if a key begins with:", .newestPrefix, newestPrefix.map { [$0] } ?? []),
      RecipeSection("The user opted out if one of these keys says so:", .optOutKeys, optOutKeys),
      RecipeSection("Reports these keys if files disagree on them:", .comparedKeys, comparedKeys),
    ]
    for group in FieldGroup.allCases {
      sections.append(RecipeSection("Fields: \(group.rawValue)", rules.filter { $0.group == group }.flatMap(\.lines)))
    }
    sections.append(RecipeSection("Not migrated", leftBehind.flatMap(\.lines)))
    sections.append(
      RecipeSection(
        "Reports data in these places without reading them:", .elsewhere, elsewhere.map { "\($0.words): \($0.reason)" })
    )
    sections.append(RecipeSection("In the app:", Paragraph.all(of: inTheApp ?? "").flatMap(\.recipeLines)))
    return sections.filter { !$0.lines.isEmpty }
  }
}

extension RecipeParameter {
  fileprivate var words: String {
    "\(place): the \(title), " + (form == .name ? "a part of a file name" : "hexadecimal digits")
  }
}

extension Generation {
  /// The name with the keys and files: two generations with the same words are the same.
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
  /// The places with what is read from them: two entries with the same words are the same.
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
  fileprivate var lines: [RecipeLine] {
    func lines(_ kind: RecipeLine.Kind, _ texts: [String]) -> [RecipeLine] {
      texts.map { RecipeLine(.field(target), kind, $0) }
    }
    func line(_ kind: RecipeLine.Kind, _ text: String?) -> [RecipeLine] { lines(kind, text.map { [$0] } ?? []) }
    let required = requirements.map(\.words).joined(separator: ", ")
    let checked = checks.map(\.check.name).joined(separator: ", ")
    let fresh = freshWithout.joined(separator: ", ")
    let sources = candidates.flatMap { candidate in
      [RecipeLine(.field(target), .from, candidate.words, candidate.source)] + lines(.model, candidate.modelWords)
    }
    return line(.form, form.words)
      + line(.reads, reader == .typed ? nil : "The new SDK reads it \(reader.words).")
      + line(.forEach, beginning.map { "For each key that begins with \($0): \(Self.each) is the rest of the key." })
      + (sources.isEmpty ? line(.from, "not stored: you supply it") : sources)
      + line(.require, requirements.isEmpty ? nil : "Required of the value: \(required). Otherwise, you decide.")
      + line(.checks, checks.isEmpty ? nil : "Checks, in order: \(checked).")
      + line(
        .freshWithout,
        freshWithout.isEmpty ? nil : "If the target has no \(fresh), a different value in it comes from the new SDK.")
      + line(
        .knownWith,
        knownWith.isEmpty
          ? nil : "Only with \(knownWith.joined(separator: ", ")), a missing value means that nobody was logged in.")
      + line(
        .describes,
        describes.map {
          "Describes the user in \($0). Skipped if the target keeps another user's id, unless you accept it."
        })
      + line(.migratedByVendor, isMigratedByVendor ? "The vendor's migrator writes the same value." : nil)
      + line(
        .onConflict,
        keepsTarget ? "If the new SDK has started with another value, keeps it unless you replace it." : nil)
      + lines(.loss, loss?.lines ?? []) + line(.moment, moment.map { "The value is the time of: \($0)." })
      + lines(.otherwise, otherwise?.lines ?? [])
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
  fileprivate var lines: [RecipeLine] {
    func line(_ kind: RecipeLine.Kind, _ text: String) -> RecipeLine { RecipeLine(.notMigrated(key), kind, text) }
    return [line(.key, key)] + (file == nil ? [] : [line(.file, "A file or a folder.")]) + [line(.because, reason)]
      + (secret ? [line(.secret, "No output shows the value.")] : [])
      + (moment.map { [line(.moment, "The value is the time of: \($0).")] } ?? [])
  }
}
