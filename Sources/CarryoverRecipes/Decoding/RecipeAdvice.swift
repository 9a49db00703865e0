import Carryover
import CarryoverSystem
import PropertyLists

/// What could be better in a recipe without errors.
struct RecipeAdvice {
  let file: RecipeFile
  /// The recipes beside which the file is used.
  let known: [Recipe]
  let log: LintLog

  private var recipe: Recipe { file.recipe }

  func report() {
    reportUnreadFiles()
    reportSharedMarks()
    reportTests()
    let title = file.root[["title"]]
    if recipe.reference.title.unicodeScalars.count > Self.widestTitle {
      log.report(.badWords, title.place, "A title has at most \(Self.widestTitle) characters.")
    }
    if file.sources.isEmpty {
      log.report(.noSources, file.root.place, "Add sources-read: what you read to write the recipe.")
    }
  }

  private static let widestTitle = 72

  /// Files with one key that nothing names. Of the keys in other files, only a container knows.
  private func reportUnreadFiles() {
    let named = recipe.knownKeys.union(recipe.conditionKeys).union(recipe.marks)
      .union(bytesOf: recipe.comparedKeys)
    let others = recipe.optOutKeys
    for (index, source) in recipe.sources.enumerated() {
      let place = file.root[["read", "\(index)"]].place
      if source.isJSON, recipe.knowledge.vendor == nil {
        log.report(.unreadFile, place, "Only a vendor's checks read a json: file. Use file: with as: instead.")
      }
      // An opt-out may be a member of the value.
      guard let key = source.wholeKey, !named.contains(key),
        !others.contains(where: { $0.hasSameBytes(as: key) || $0.beginsWithBytes(of: key + ".") }),
        !recipe.leftBehind.contains(where: { $0.matches(key) })
      else { continue }
      log.report(.unreadFile, place, "No field reads the key \(DisplayText.quoted(key)) of this file.")
    }
  }

  /// Keys of detect that another recipe has too. A recipe that is followed only by name finds nothing with them.
  private func reportSharedMarks() {
    guard !recipe.isOnlyByName else { return }
    let theirs = known.filter { !$0.isOnlyByName && $0.reference.id != recipe.reference.id }.map {
      (id: $0.reference.id, marks: Set(bytesOf: $0.marks.map { Self.shape($0.text) }))
    }
    let detect = file.root[["detect"]]
    guard case .list(let items) = detect.content else { return }
    for item in items {
      guard case .text(let key) = item.content, let other = theirs.first(where: { $0.marks.contains(Self.shape(key)) })
      else { continue }
      log.report(
        .sharedMark, item.place, "The built-in recipe \(other.id) has the mark \(DisplayText.quoted(key)) too.")
    }
  }

  /// A key with its parameters unnamed.
  private static func shape(_ key: String) -> String {
    var (shape, rest) = ("", key[...])
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      shape += rest[..<start.upperBound]
      rest = rest[end...]
    }
    return shape + rest
  }

  private func reportTests() {
    guard !file.tests.isEmpty else {
      return log.report(.noTests, file.root.place, "Add tests: what plans for some files say.")
    }
    let unusual: Set<FieldStatus> = [.absent, .needsDecision, .dropped]
    let isThere = file.tests.contains { test in
      test.fields.values.contains { unusual.contains($0.status) }
        || test.findings?.contains { !$0.hasPrefix("target.") && !$0.hasPrefix("consent.") } == true
    }
    if !isThere {
      log.report(
        .noDamage, file.root[["tests"]].place,
        "Add a test with a missing value, a value of another type or a damaged file.")
    }
  }
}
