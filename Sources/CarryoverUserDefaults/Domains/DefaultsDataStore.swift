public import CarryoverStorage
import CarryoverSystem
package import Foundation

/// A domain of defaults as a store of bytes. Text is read as its UTF-8 bytes, and a name with text keeps text when it
/// is written. With ``writingText()``, new names get text too, as other readers of the suite may require. Values of
/// other types are errors, unless you use ``readingEveryType()``.
///
/// Foundation on Linux cannot store two names that differ only in their Unicode form, such as é as one scalar and as
/// two. The first name stays; the other one has no value, and writing it throws `occupied`.
///
/// The durability of a write depends on the system. On Apple's systems, a daemon receives each value at once, so a
/// crash of the app loses nothing; later, it replaces the suite's file as a whole. On Linux, Foundation empties the
/// suite's file and writes it again. A copy beside the file protects the values if the process is killed meanwhile; the
/// next process restores it. It cannot protect them if the app itself writes the suite at that moment. Processes that
/// write a suite through this library use a lock file.
public struct DefaultsDataStore: ByteStore, ForwardingStore {
  private var store: StoredDefaults
  package var base: any ByteStore { store }

  /// The new paths of damaged files that were set aside since the store was created; see
  /// ``UserDefaultsDomain/synchronize()``. Always empty on Apple's systems. Check it after the first write: a suite
  /// with a damaged file starts empty.
  public var filesSetAside: [String] { store.domain.filesSetAside }

  /// A store for a suite; nil is the app's own defaults, `UserDefaults.standard`.
  /// - Throws: ``DefaultsDomainError/refused(_:)`` if the system rejects the name, such as the app's own bundle
  ///   identifier; on Linux also ``DefaultsDomainError/badName(_:)`` and ``DefaultsDomainError/notRestored(_:)``.
  public init(suite: String?) throws(DefaultsDomainError) {
    let domain = if let suite { try UserDefaultsDomain(suite: suite) } else { UserDefaultsDomain.standard() }
    self.init(domain)
  }

  /// A store for a domain.
  public init(_ domain: any DefaultsDomain) { store = StoredDefaults(domain: domain) }

  package init(_ defaults: UserDefaults, label: String) { self.init(UserDefaultsDomain(defaults, label: label)) }

  /// The same store, but it always writes bytes that are valid UTF-8 as a string.
  public func writingText() -> DefaultsDataStore {
    var copy = self
    copy.store.prefersText = true
    return copy
  }

  /// The same store, but it reads values of every type: booleans and numbers as JSON text such as `true` or `1.5`, and
  /// dates, arrays and dictionaries as a binary property list. A router can then migrate them, and a model can be a
  /// dictionary. A property list that replaces a date, an array or a dictionary is written as its value. All other
  /// bytes are written as data or text.
  public func readingEveryType() -> DefaultsDataStore {
    var copy = self
    copy.store.readsEveryType = true
    return copy
  }

  package func synchronize() throws(DefaultsDomainError) { try store.domain.synchronize() }
}

private struct StoredDefaults: ByteStore {
  let domain: any DefaultsDomain
  var prefersText = false
  var readsEveryType = false
  /// Prevents a change between the check and the write. Recursive, because an observer of the defaults may change them.
  private static let lock = NSRecursiveLock()

  var label: String { domain.label }

  /// The suite's name. For the app's own defaults, the app's name: on Linux, a suite with that name is the same suite.
  var identity: DataStoreIdentity? {
    let own = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return DataStoreIdentity("defaults", label == "UserDefaults.standard" ? own : label)
  }

  /// - Throws: `wrongType` if it is neither data nor a string, unless every type is read.
  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    switch try value(.read, name) {
    case nil: return nil
    case .data(let bytes)?: return bytes
    case .string(let text)?: return Array(text.utf8)
    case let other?:
      if readsEveryType, let bytes = other.storedBytes { return bytes }
      throw DataStoreError(.read, name, in: label, .wrongType(Self.word(for: other)))
    }
  }

  /// Stores bytes as data, or as a string if they are valid UTF-8 and replace a string.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    guard !name.isEmpty else { throw DataStoreError(.write, name, in: label, .badName(.empty)) }
    Self.lock.lock()
    defer { Self.lock.unlock() }
    let former = try value(.write, name)
    if former == nil, try isSpeltOtherwise(name) { throw DataStoreError(.write, name, in: label, .occupied) }
    var new = PropertyListValue.data(data)
    if prefersText || former?.kind == .string, let text = String(utf8: data) {
      new = .string(text)
    } else if readsEveryType, let former, [.date, .array, .dictionary].contains(former.kind),
      ModelForm(of: data) != .json,
      let root = try? PropertyListDocument(bytes: data).root
    {
      new = root
    }
    try write(.write, name, new, former)
  }

  /// Stores bytes under a name that has none. A lock protects against other threads and, on Linux, other processes.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    // Reading the suite again takes time.
    guard try value(.write, name) == nil else { return false }
    // No value has an empty name: one lock for all names, so that a suite does not get a lock file for each.
    let isStored = withLock(for: "") { () -> Result<Bool, DataStoreError> in
      Result { () throws(DataStoreError) in
        guard try value(.write, name) == nil else { return false }
        try set(data, for: name)
        return true
      }
    }
    return try isStored.get()
  }

  /// On Linux, holds a lock file beside the suite's, and reads the suite again. Elsewhere, only runs the closure.
  func withLock<Result>(for name: String, _ body: () -> Result) -> Result {
    guard let file = (domain as? UserDefaultsDomain)?.file else { return body() }
    return file.withLock(for: name) {
      // If this fails, so does the next write.
      try? domain.synchronize()
    } body: {
      body()
    }
  }

  /// The integer of a name, also from decimal text.
  func integer(for name: String) throws(DataStoreError) -> Int? {
    let text: String?
    switch try value(.read, name) {
    case nil: return nil
    case .integer(let number)?:
      if let number = number.int64.flatMap({ Int(exactly: $0) }) { return number }
      text = nil
    case .string(let stored)?: text = stored
    case .data(let bytes)?: text = String(utf8: bytes)
    default: text = nil
    }
    guard let number = text.flatMap({ Int($0) }) else { throw DataStoreError(.read, name, in: label, .notInteger) }
    return number
  }

  /// Stores an integer, or its decimal text if the name has text or data.
  func setInteger(_ number: Int, for name: String) throws(DataStoreError) {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    let former = try value(.write, name)
    guard former == nil || former?.kind == .integer else { return try set(Array(String(number).utf8), for: name) }
    if name.isEmpty { throw DataStoreError(.write, name, in: label, .badName(.empty)) }
    if former == nil, try isSpeltOtherwise(name) { throw DataStoreError(.write, name, in: label, .occupied) }
    try write(.write, name, .integer(PropertyListInteger(Int64(number))), former)
  }

  /// Removes a name. A registered default under the name is still readable in `UserDefaults`, but is not in the store.
  func remove(_ name: String) throws(DataStoreError) {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    guard let former = try value(.remove, name) else { return }
    try write(.remove, name, nil, former)
    guard try value(.remove, name) == nil else { throw DataStoreError(.remove, name, in: label, .verification) }
  }

  /// The names of data and strings; those of other types only if every type is read.
  func names() throws(DataStoreError) -> [String] {
    let values = try failing(.list, nil) { try domain.values { _ in true } }
    return values.entries.filter { readsEveryType || [.data, .string].contains($0.value.kind) }.map(\.key)
      .sortedByBytes()
  }

  /// Whether another name has a value that differs only in its Unicode form, of which Linux stores only one.
  private func isSpeltOtherwise(_ name: String) throws(DataStoreError) -> Bool {
    #if os(Linux)
      // ASCII has only one form, and an app may have very many names.
      guard name.utf8.contains(where: { $0 >= 0x80 }) else { return false }
      return try failing(.write, name) { try !domain.values { $0 == name }.isEmpty }
    #else
      return false
    #endif
  }

  private func value(
    _ operation: DataStoreError.Operation, _ name: String
  ) throws(DataStoreError) -> PropertyListValue? {
    try failing(operation, name) { try domain.value(for: name) }
  }

  private func failing<Result>(
    _ operation: DataStoreError.Operation, _ name: String?, _ body: () throws -> Result
  ) throws(DataStoreError) -> Result {
    try converting(try body()) { DataStoreError(operation, name, in: label, .failed, cause: $0) }
  }

  /// Sets a value and has the system write it. If the system cannot, readers see the former value again.
  private func write(
    _ operation: DataStoreError.Operation, _ name: String, _ new: PropertyListValue?, _ former: PropertyListValue?
  ) throws(DataStoreError) {
    do throws(DefaultsDomainError) {
      try domain.put(new, for: name)
      try domain.synchronize()
    } catch {
      try? domain.put(former, for: name)
      throw DataStoreError(operation, name, in: label, .failed, cause: error)
    }
  }

  private static func word(for value: PropertyListValue) -> String {
    switch value {
    case .integer, .real: "number"
    default: value.kind.rawValue
    }
  }
}

extension PropertyListValue {
  /// Data and text are unchanged, booleans and numbers are JSON text, and all others are a binary property list with
  /// sorted keys, so that equal values give equal bytes. Nil for a number without JSON text.
  var storedBytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Array(text.utf8)
    case .boolean(let value): Array((value ? "true" : "false").utf8)
    case .integer(let number): (number.int64.map(String.init) ?? number.uint64.map(String.init)).map { Array($0.utf8) }
    case .real(let number): number.value.isFinite ? Array("\(number.value)".utf8) : nil
    case .date, .array, .dictionary, .uid, .set, .null: try? PropertyListDocument.encode(sortedByKeys, as: .binary)
    }
  }
}
