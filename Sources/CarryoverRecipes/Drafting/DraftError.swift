import CarryoverSystem

/// The reason that a recipe cannot be drafted.
package enum DraftError: Error, Hashable, Sendable {
  /// No store has this name.
  case noStore(name: String)
  /// A store that could not be read.
  case unreadable(reason: String)
  /// A store in a place that recipes do not read.
  case noPlace(path: String)
  /// A keyed archive.
  case archive(path: String)
  /// A store with personal data in its path.
  case personalPath(path: String)
  /// No key of the stores is wanted, or can be in a recipe. No paths stand for all stores.
  case noKeys(paths: [String], omitted: [String])
  /// No value of the keys can be a field.
  case noFields
  /// The recipe would not be valid, as lint says.
  case notValid(String)
}

extension DraftError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noStore(let name): "The container has no store \(DisplayText.quoted(name)). carryover inspect lists them."
    case .unreadable(let reason): reason
    case .noPlace(let path):
      "\(DisplayText.quoted(path)) is in a place that recipes do not read. They read files below the app's Library and "
        + "Documents."
    case .archive(let path):
      "\(DisplayText.quoted(path)) is a keyed archive, which recipe new cannot draft from. Write archive: PATH under read yourself."
    case .personalPath(let path):
      "The path \(DisplayText.quoted(path)) has a part that differs between users or apps, so a recipe cannot name the file."
    case .noKeys(let paths, let omitted):
      ([
        paths.isEmpty
          ? "No store has a key for the draft."
          : "\(paths.map(DisplayText.quoted).joined(separator: ", ")) has no key for the draft.",
        "Choose others with --keys or --store.",
      ] + omitted).joined(separator: " ")
    case .noFields:
      "None of the values can be a field: they are lists, dates, real numbers or secrets. Choose other keys with --keys, "
        + "or another store with --store."
    case .notValid(let sentence): "The recipe would not be valid. \(sentence)"
    }
  }
}

extension DraftKeys.Omitted {
  /// What is not in a draft, each as a sentence without a value.
  var sentences: [String] {
    var sentences: [String] = []
    func add(_ count: Int, _ one: String, _ several: String) {
      if count > 0 { sentences.append("Not in the draft: \(count) \(count == 1 ? one : several).") }
    }
    let shown = personal.prefix(3).map { DisplayText.harmless(String($0.unicodeScalars.prefix(80))) }.joined(
      separator: ", ")
    add(personal.count, "key with personal data, \(shown)", "keys with personal data, such as \(shown)")
    add(ofSystem, "key of the system", "keys of the system")
    add(unusable, "key that a recipe cannot name", "keys that a recipe cannot name")
    add(repeated, "key whose name another field has", "keys whose names other fields have")
    add(members, "member of JSON that cannot be a field", "members of JSON that cannot be fields")
    add(
      beyond, "more key; a draft has at most \(DraftKeys.most)",
      "more keys; a draft has at most \(DraftKeys.most), so choose with --keys")
    return sentences
  }
}
