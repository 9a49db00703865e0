public import CarryoverStorage
package import Foundation
import PropertyLists

/// A domain of defaults as a store of bytes. Text is taken as its UTF-8 bytes, and a name that holds text keeps holding
/// text; with ``writingText()`` a new name gets text too, as other readers of the suite may need it. Values of other types
/// are no bytes, unless ``readingEveryType()`` makes them some.
///
/// Of two names that look the same and are spelt differently, such as an é of one character and of two, Linux's Foundation
/// keeps one: the other is not there, and writing it is refused as `occupied`.
///
/// How far a write is durable depends on the system. On Apple's systems a daemon takes every value at once, so that a crash
/// of the app loses nothing, and later replaces the suite's file as a whole. On Linux Foundation empties the suite's file
/// and writes it anew; a copy beside it, put back before the suite is opened again, makes that safe for a process that is
/// killed meanwhile, unless the app has the same suite written by itself at that moment. Processes that write one suite
/// through this library take turns there.
public struct DefaultsDataStore: ByteStore, ForwardingStore {
  private var store: StoredDefaults
  package var base: any ByteStore { store }

  /// Where damaged files of the suite were set aside since the store was made; see
  /// ``UserDefaultsDomain/synchronize()``. None on Apple's systems. Look at it after the first write: a suite whose file was
  /// damaged begins empty.
  public var filesSetAside: [String] { store.domain.filesSetAside }

  /// A suite; nil is the app's own, `UserDefaults.standard`.
  /// - Throws: ``DefaultsDomainError/refused(_:)`` for a name the system does not take, such as the app's own bundle
  ///   identifier, and on Linux ``DefaultsDomainError/badName(_:)`` and ``DefaultsDomainError/notRestored(_:)``.
  public init(suite: String?) throws(DefaultsDomainError) {
    let domain = if let suite { try UserDefaultsDomain(suite: suite) } else { UserDefaultsDomain.standard() }
    self.init(domain)
  }

  /// A domain.
  public init(_ domain: any DefaultsDomain) { store = StoredDefaults(domain: domain) }

  /// A suite that is open, such as one that a test has made.
  package init(_ defaults: UserDefaults, label: String) { self.init(UserDefaultsDomain(defaults, label: label)) }

  /// The same suite, where bytes that are text are always written as a string.
  public func writingText() -> DefaultsDataStore {
    var copy = self
    copy.store.prefersText = true
    return copy
  }

  /// The same suite, where values of every type are read: booleans and numbers as their JSON text, `true` or `1.5`; dates,
  /// arrays and dictionaries as a binary property list of them. A router can then migrate them, and a model can be a
  /// dictionary. In place of a date, an array or a dictionary, a property list is written as its value; everything else
  /// is written as data or text.
  public func readingEveryType() -> DefaultsDataStore {
    var copy = self
    copy.store.readsEveryType = true
    return copy
  }

  /// Asks the system to write the suite now.
  /// - Throws: ``DefaultsDomainError/notWritten(_:)`` where it could not.
  package func synchronize() throws(DefaultsDomainError) { try store.domain.synchronize() }
}

/// What a domain of defaults holds, as bytes and numbers.
private struct StoredDefaults: ByteStore {
  let domain: any DefaultsDomain
  var prefersText = false
  var readsEveryType = false
  /// One change at a time, so that each is looked at before the next. Whoever observes defaults may change them in turn.
  private static let lock = NSRecursiveLock()

  var label: String { domain.label }

  /// The suite, by its name. The app's own defaults have the app's name too: Linux opens a suite that is called so, and it is
  /// the same one.
  var identity: DataStoreIdentity? {
    let own = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return DataStoreIdentity("defaults", label == "UserDefaults.standard" ? own : label)
  }

  /// The bytes of a data or a string.
  /// - Throws: `DataStoreError` with `wrongType` for anything else, unless every type is read.
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

  /// Stores bytes as data; as a string where a string stands there and the bytes are text.
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

  /// Stores bytes under a name that has none. Threads of one process take turns; another process may come in between.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    guard try value(.write, name) == nil else { return false }
    try set(data, for: name)
    return true
  }

  /// The number, or the decimal text, under a name.
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

  /// Stores a number; as text or data where that stands there.
  func setInteger(_ number: Int, for name: String) throws(DataStoreError) {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    let former = try value(.write, name)
    guard former == nil || former?.kind == .integer else { return try set(Array(String(number).utf8), for: name) }
    if name.isEmpty { throw DataStoreError(.write, name, in: label, .badName(.empty)) }
    if former == nil, try isSpeltOtherwise(name) { throw DataStoreError(.write, name, in: label, .occupied) }
    try write(.write, name, .integer(PropertyListInteger(Int64(number))), former)
  }

  /// Removes a name. A default that is registered under it stays readable in `UserDefaults`; it is no data of the store.
  func remove(_ name: String) throws(DataStoreError) {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    guard let former = try value(.remove, name) else { return }
    try write(.remove, name, nil, former)
    guard try value(.remove, name) == nil else { throw DataStoreError(.remove, name, in: label, .verification) }
  }

  /// The names of data and strings; those of other types only where every type is read.
  func names() throws(DataStoreError) -> [String] {
    do {
      return try domain.values { _ in true }.entries
        .filter { readsEveryType || [.data, .string].contains($0.value.kind) }.map(\.key).sortedByBytes()
    } catch {
      throw DataStoreError(.list, nil, in: label, .failed, cause: error)
    }
  }

  /// Whether something stands under a name that is only spelt alike. Linux's Foundation has one place for both.
  private func isSpeltOtherwise(_ name: String) throws(DataStoreError) -> Bool {
    #if os(Linux)
      // Plain letters have one spelling, and an app may have very many names.
      guard name.utf8.contains(where: { $0 >= 0x80 }) else { return false }
      do {
        return try !domain.values { $0 == name }.isEmpty
      } catch {
        throw DataStoreError(.write, name, in: label, .failed, cause: error)
      }
    #else
      return false
    #endif
  }

  private func value(
    _ operation: DataStoreError.Operation, _ name: String
  ) throws(DataStoreError) -> PropertyListValue? {
    do {
      return try domain.value(for: name)
    } catch {
      throw DataStoreError(operation, name, in: label, .failed, cause: error)
    }
  }

  /// Puts a value there and has it written; where the system says that it could not, what it tells its readers is as it
  /// was.
  private func write(
    _ operation: DataStoreError.Operation, _ name: String, _ new: PropertyListValue?, _ former: PropertyListValue?
  ) throws(DataStoreError) {
    do throws(DefaultsDomainError) {
      try put(new, name)
      try domain.synchronize()
    } catch {
      try? put(former, name)
      throw DataStoreError(operation, name, in: label, .failed, cause: error)
    }
  }

  private func put(_ value: PropertyListValue?, _ name: String) throws(DefaultsDomainError) {
    if let value { try domain.set(value, for: name) } else { try domain.remove(name) }
  }

  private static func word(for value: PropertyListValue) -> String {
    switch value {
    case .integer, .real: "number"
    default: value.kind.rawValue
    }
  }
}
