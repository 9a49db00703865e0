import CarryoverSystem
import PropertyLists

/// A file as a property list: its keys, or why it has none that can be told.
struct ParsedFile {
  /// The document; nil for no file, and for one that is no dictionary.
  private(set) var document: PropertyListDocument?
  private var index: PropertyListDictionaryIndex?
  /// Why it is no dictionary, as a sentence; nil for a dictionary and for no file.
  private(set) var problem: String?

  init(_ state: FileState) {
    guard let bytes = state.bytes else { return }
    do throws(PropertyListError) {
      let parsed = try PropertyListDocument(bytes: bytes)
      guard let dictionary = parsed.dictionary else {
        problem = RollbackWording.noDictionary
        return
      }
      document = parsed
      index = dictionary.indexed()
    } catch {
      problem = error.description
    }
  }

  /// The keys in the order of the file.
  var keys: [String] { entries.map(\.key) }

  private var entries: [PropertyListDictionary.Entry] { document?.dictionary?.entries ?? [] }

  subscript(key: String) -> PropertyListValue? { index?[key] }

  /// The keys whose values differ between two states of a file, those of the fields named first.
  static func changedKeys(_ before: ParsedFile, _ after: ParsedFile, first: [String]) -> [String] {
    let (old, new) = (before.entries, after.entries)
    var seen: Set<String> = []
    return (first + keys(of: old, differingFrom: new) + keys(of: new, differingFrom: old))
      .filter { before[$0] != after[$0] && seen.insert($0).inserted }
  }

  /// The keys that do not stand with the same value at the same place of both: a run changes few of many.
  private static func keys(
    of entries: [PropertyListDictionary.Entry], differingFrom others: [PropertyListDictionary.Entry]
  ) -> [String] {
    entries.indices.filter { !others.indices.contains($0) || entries[$0] != others[$0] }.map { entries[$0].key }
  }
}
