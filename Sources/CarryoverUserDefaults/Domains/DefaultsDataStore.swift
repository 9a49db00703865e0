public import Carryover
public import Foundation
import PropertyLists

/// A suite of UserDefaults as a store of bytes. Text is taken as its UTF-8 bytes, and a name that holds text keeps holding
/// text; with ``writingText()`` a new name gets text too, as other readers of the suite may need it.
///
/// How far a write is durable depends on the system. On Apple's systems a daemon takes every value at once, so that a crash
/// of the app loses nothing, and later replaces the suite's file as a whole. On Linux Foundation empties the suite's file
/// and writes it anew; a copy beside it, put back before the suite is opened again, makes that safe for a process that is
/// killed meanwhile, unless the app has the same suite written by itself at that moment.
public struct DefaultsDataStore: DataStore, @unchecked Sendable {
  // UserDefaults is documented to be safe on any thread; on Linux it is not marked so.
  private let defaults: UserDefaults
  private let file: DefaultsFile?
  /// The suite's name.
  public let label: String
  private var prefersText = false

  /// A suite; nil is the app's own, `UserDefaults.standard`.
  /// - Returns: nil for a name the system refuses, such as the app's own bundle identifier.
  public init?(suite: String?) {
    let file = DefaultsFile(suite: suite)
    file.recover()
    guard let defaults = (suite.map { UserDefaults(suiteName: $0) } ?? .standard) else { return nil }
    self.init(defaults, label: suite ?? "UserDefaults.standard", file)
  }

  /// A suite that is open.
  public init(_ defaults: UserDefaults, label: String) { self.init(defaults, label: label, nil) }

  private init(_ defaults: UserDefaults, label: String, _ file: DefaultsFile?) {
    self.defaults = defaults
    self.label = label
    self.file = file
  }

  /// The same suite, where bytes that are text are always written as a string.
  public func writingText() -> DefaultsDataStore {
    var store = self
    store.prefersText = true
    return store
  }

  /// The bytes of a data or a string.
  /// - Throws: `DataStoreError` with `wrongType` for anything else.
  public func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    switch defaults.object(forKey: name) {
    case nil: return nil
    case let data as Data: return Array(data)
    case let text as String: return Array(text.utf8)
    case let other?: throw DataStoreError(.read, name, in: label, .wrongType(Self.word(for: other)))
    }
  }

  /// Stores bytes as data; as a string where a string stands there and the bytes are text.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    guard !name.isEmpty else { throw DataStoreError(.write, name, in: label, .badName(.empty)) }
    let former = defaults.object(forKey: name)
    if prefersText || former is String, let text = String(utf8: data) {
      defaults.set(text, forKey: name)
    } else {
      defaults.set(Data(data), forKey: name)
    }
    try write(.write, name, former)
  }

  /// Removes a name.
  public func remove(_ name: String) throws(DataStoreError) {
    let former = defaults.object(forKey: name)
    guard former != nil else { return }
    defaults.removeObject(forKey: name)
    try write(.remove, name, former)
  }

  /// The names of data and strings; those of other types are no bytes.
  public func names() throws(DataStoreError) -> [String] {
    defaults.dictionaryRepresentation().filter { $0.value is Data || $0.value is String }.keys
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  /// Asks the system to write the suite now.
  public func synchronize() { _ = written() }

  private func written() -> Bool { file?.write { defaults.synchronize() } ?? defaults.synchronize() }

  /// Has the suite written; where the system says that it could not, what it tells its readers is as it was.
  private func write(_ operation: DataStoreError.Operation, _ name: String, _ former: Any?) throws(DataStoreError) {
    if written() { return }
    defaults.set(former, forKey: name)
    throw DataStoreError(operation, name, in: label, .failed, cause: DefaultsDomainError.notWritten(label))
  }

  private static func word(for value: Any) -> String {
    switch value {
    case is Bool: "boolean"
    case is NSNumber, is Int, is Double: "number"
    case is Date: "date"
    case is [Any]: "array"
    case is [String: Any]: "dictionary"
    default: "value"
    }
  }
}
