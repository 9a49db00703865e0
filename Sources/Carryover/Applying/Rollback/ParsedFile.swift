import CarryoverSystem
import PropertyLists

/// A file as a property list: its keys, or the reason that it has none.
struct ParsedFile {
  /// The document; nil if there is no file or it is not a dictionary.
  private(set) var document: PropertyListDocument?
  private var index: PropertyListDictionaryIndex?
  /// The reason that it is not a dictionary, as a sentence; nil for a dictionary and for a missing file.
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

  /// The keys whose values differ between two states of a file. Those of the named fields come first.
  static func changedKeys(_ before: ParsedFile, _ after: ParsedFile, first: [String]) -> [String] {
    let (old, new) = (before.entries, after.entries)
    var seen: Set<String> = []
    return (first + keys(of: old, differingFrom: new) + keys(of: new, differingFrom: old))
      .filter { before[$0] != after[$0] && seen.insert($0).inserted }
  }

  /// The keys whose value or position differs. A run changes few of many keys, so most are the same.
  private static func keys(
    of entries: [PropertyListDictionary.Entry], differingFrom others: [PropertyListDictionary.Entry]
  ) -> [String] {
    entries.indices.filter { !others.indices.contains($0) || entries[$0] != others[$0] }.map { entries[$0].key }
  }
}
