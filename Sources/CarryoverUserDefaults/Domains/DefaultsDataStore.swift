public import Carryover
public import Foundation
import PropertyLists

/// A suite of UserDefaults as a store of bytes. Text is taken as its UTF-8 bytes, and a name that holds text keeps holding
/// text; with ``writingText()`` a new name gets text too, as other readers of the suite may need it.
///
/// How far a write is durable depends on the system. On Apple's systems a daemon takes every value at once, so that a crash
/// of the app loses nothing, and later replaces the suite's file as a whole. On Linux Foundation empties the suite's file
/// and writes it anew; a copy beside it, put back before the suite is opened again, makes that safe for a process that is
/// killed meanwhile, unless the app has the same suite written by itself at that moment. A file that is damaged without
/// a copy is set aside before the first write, as `….plist.corrupt-` and its checksum.
///
/// The store holds what the suite itself holds. Defaults that the app has registered, arguments and the system's own are
/// no data of it.
public struct DefaultsDataStore: DataStore, @unchecked Sendable {
  // UserDefaults is documented to be safe on any thread; on Linux it is not marked so.
  private let defaults: UserDefaults
  private let own: OwnDefaults
  private let file: DefaultsFile?
  /// The suite's name.
  public let label: String
  private var prefersText = false
  /// One change at a time, so that each is looked at before the next. Whoever observes defaults may change them in turn.
  private static let turn = NSRecursiveLock()

  /// A suite; nil is the app's own, `UserDefaults.standard`.
  /// - Returns: nil for a name the system refuses, such as the app's own bundle identifier, and wherever
  ///   ``init(opening:)`` throws.
  public init?(suite: String?) {
    guard let store = try? DefaultsDataStore(opening: suite) else { return nil }
    self = store
  }

  /// A suite; nil is the app's own, `UserDefaults.standard`.
  /// - Throws: ``DefaultsDomainError``, which says why the suite cannot be used.
  public init(opening suite: String?) throws(DefaultsDomainError) {
    let file = try DefaultsFile(suite: suite)
    try file.recover()
    guard let defaults = (suite.map { UserDefaults(suiteName: $0) } ?? .standard) else { throw .refused(suite ?? "") }
    self.init(defaults, label: suite ?? "UserDefaults.standard", file)
  }

  /// A suite that is open.
  /// - Parameter label: the suite's name. Under another one, a value that equals a registered default is taken for that.
  public init(_ defaults: UserDefaults, label: String) { self.init(defaults, label: label, nil) }

  private init(_ defaults: UserDefaults, label: String, _ file: DefaultsFile?) {
    self.defaults = defaults
    self.label = label
    own = OwnDefaults(defaults, suite: label)
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
    switch own[name] {
    case nil: return nil
    case let data as Data: return Array(data)
    case let text as String: return Array(text.utf8)
    case let other?: throw DataStoreError(.read, name, in: label, .wrongType(Self.word(for: other)))
    }
  }

  /// Stores bytes as data; as a string where a string stands there and the bytes are text.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    guard !name.isEmpty else { throw DataStoreError(.write, name, in: label, .badName(.empty)) }
    Self.turn.lock()
    defer { Self.turn.unlock() }
    let former = own[name]
    if prefersText || defaults.object(forKey: name) is String, let text = String(validating: data, as: UTF8.self) {
      defaults.set(text, forKey: name)
    } else {
      defaults.set(Data(data), forKey: name)
    }
    try write(.write, name, former)
  }

  /// Removes a name. A default that is registered under it stays readable in `UserDefaults`; it is no data of the store.
  public func remove(_ name: String) throws(DataStoreError) {
    Self.turn.lock()
    defer { Self.turn.unlock() }
    let former = own[name]
    guard former != nil else { return }
    defaults.removeObject(forKey: name)
    try write(.remove, name, former)
    guard own[name] == nil else { throw DataStoreError(.remove, name, in: label, .verification) }
  }

  /// The names of data and strings; those of other types are no bytes.
  public func names() throws(DataStoreError) -> [String] {
    own.all().filter { $0.value is Data || $0.value is String }.keys
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  /// Asks the system to write the suite now.
  public func synchronize() { _ = isWritten { _ in false } }

  private func isWritten(_ holds: (PropertyListDictionary) -> Bool) -> Bool {
    file?.write(holds: holds) { defaults.synchronize() } ?? defaults.synchronize()
  }

  /// Has the suite written; where the system says that it could not, what it tells its readers is as it was.
  private func write(_ operation: DataStoreError.Operation, _ name: String, _ former: Any?) throws(DataStoreError) {
    let new = own[name].flatMap(UserDefaultsDomain.value)
    if isWritten({ $0[name] == new }) { return }
    defaults.put(former, forKey: name)
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
