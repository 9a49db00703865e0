import CarryoverSystem
import PropertyLists

/// A file by its keys, or the reason that it has none.
struct ParsedFile {
  /// The file; nil if it does not exist or has no keys.
  private(set) var file: KeyedFile?
  private var index: PropertyListDictionaryIndex?
  /// The reason that it has no keys, as a sentence; nil for a file with keys and for a missing one.
  private(set) var problem: String?

  /// - Parameter path: the file's path.
  init(_ state: FileState, path: String) {
    guard let bytes = state.bytes else { return }
    do throws(KeyedFile.Problem) {
      let parsed = try KeyedFile(bytes: bytes, path: path)
      file = parsed
      index = parsed.dictionary.indexed()
    } catch {
      problem = error.reason
    }
  }

  /// The keys in the order of the file.
  var keys: [String] { entries.map(\.key) }

  private var entries: [PropertyListDictionary.Entry] { file?.dictionary.entries ?? [] }

  subscript(key: String) -> PropertyListValue? { index?[key] }

  /// The keys whose values differ between two states of a file. Those of the named fields come first.
  static func changedKeys(_ before: ParsedFile, _ after: ParsedFile, first: [String]) -> [String] {
    let (old, new) = (before.entries, after.entries)
    var seen: Set<StringByBytes> = []
    return (first + keys(of: old, differingFrom: new) + keys(of: new, differingFrom: old))
      .filter { before[$0] != after[$0] && seen.insert($0) }
  }

  /// The keys whose value or position differs. A run changes few of many keys, so most are the same.
  private static func keys(
    of entries: [PropertyListDictionary.Entry], differingFrom others: [PropertyListDictionary.Entry]
  ) -> [String] {
    entries.indices.filter { !others.indices.contains($0) || entries[$0] != others[$0] }.map { entries[$0].key }
  }
}
