import CarryoverSystem

/// The reason that a value cannot be read or changed. Nothing was written.
package enum ChangeError: Error, Hashable, Sendable, CustomStringConvertible {
  case noStore(String, nearest: String?)
  case severalStores(String, [String])
  case malformedKey(String)
  /// A text that is a key and also leads to a value inside another one.
  case ambiguousKey(String, [[InspectedChild.Label]])
  /// - Parameters:
  ///   - nearest: the path to suggest, as it is typed.
  ///   - around: what is where the path ends, as a sentence; nil for a value with other names in it.
  case noValue(InspectedPath, nearest: String?, around: String? = nil)
  /// The store cannot be read; the reason, as a sentence.
  case unreadable(String)
  /// A value on the path, or the value itself, cannot be written back unchanged.
  case refused(InspectedPath, reason: String)
  case invalid(InspectedPath, reason: String)
  /// A value differs from the one that the changes file expects.
  case stale(InspectedPath)
  case document(String)
  case tooMany(limit: Int)

  package static let readOnlyDatabase = "SQLite databases are read-only here."

  /// Whether the command line or the file is wrong; all other errors are about the container.
  package var isUsage: Bool {
    switch self {
    case .noStore, .severalStores, .malformedKey, .ambiguousKey, .invalid, .document, .tooMany: true
    case .noValue, .unreadable, .refused, .stale: false
    }
  }

  /// Whole sentences. Text from a container is escaped for display.
  package var description: String {
    switch self {
    case .noStore(let name, let nearest):
      "The container has no property list or JSON file \(DisplayText.quoted(name)).\(Self.meant(nearest)) "
        + "carryover inspect lists the stores; SQLite databases are read-only."
    case .severalStores(let name, let paths):
      "\(DisplayText.quoted(name)) names several stores. Choose one of "
        + ValueWording.listed(paths.map(DisplayText.harmless)) + "."
    case .malformedKey(let text):
      "\(DisplayText.quoted(text)) is not a key. Write names with dots between them and elements as [0]; a dot in a name "
        + #"is \."#
    case .ambiguousKey(let text, let readings):
      "\(DisplayText.quoted(text)) is ambiguous. Write "
        + readings.map { DisplayText.shellWord(Self.exact($0)) }.joined(separator: " or ") + "."
    case .noValue(let path, let nearest, let around):
      "\(DisplayText.quoted(ValueWording.fileName(path.store))) has no value \(path.labelText).\(Self.meant(nearest)) "
        + (around ?? "carryover inspect lists the keys.")
    case .unreadable(let reason): DisplayText.harmless(reason)
    case .refused(let path, let reason):
      "\(path.labelText.isEmpty ? DisplayText.quoted(path.store) : path.labelText) cannot be changed: \(reason)"
    case .invalid(let path, let reason): "\(path.labelText): \(reason)"
    case .stale(let path):
      "\(path.labelText) does not have the value that the changes file expects. Nothing was changed."
    case .document(let problem): problem
    case .tooMany(let limit): "There are more than \(limit) changes. Split them into several runs."
    }
  }

  /// The path with its first name in quotation marks, so that it is not read as a single key.
  static func exact(_ labels: [InspectedChild.Label]) -> String {
    let whole = InspectedPath(store: "", labels: labels).labelText
    guard labels.first?.name != nil else { return whole }
    let first = InspectedPath(store: "", labels: Array(labels.prefix(1))).labelText
    return first.hasPrefix("\"") ? whole : "\"\(first)\"" + whole.dropFirst(first.count)
  }

  /// The suggestion, quoted for a shell.
  private static func meant(_ nearest: String?) -> String {
    nearest.map { " Did you mean \(DisplayText.shellWord(DisplayText.harmless($0)))?" } ?? ""
  }
}

extension Container {
  /// The store that a text names, by its path or the end of its path.
  package func onlyStore(named name: String) throws(ChangeError) -> Store {
    try only(stores(named: name), named: name)
  }

  func only(_ found: [Store], named name: String) throws(ChangeError) -> Store {
    guard let store = found.first else {
      throw .noStore(name, nearest: Nearest.name(to: name, among: stores.flatMap { [$0.path, $0.name] }))
    }
    guard found.count == 1 else { throw .severalStores(name, found.map(\.path)) }
    return store
  }
}
