public import Foundation
public import PropertyLists

/// A suite of the running app's UserDefaults, or the app's own.
public struct UserDefaultsDomain: DefaultsDomain, @unchecked Sendable {
  // UserDefaults is documented to be safe on any thread; on Linux it is not marked so.
  private let defaults: UserDefaults
  private let file: DefaultsFile?
  /// The suite's name.
  public let label: String

  /// The app's own defaults.
  ///
  /// On Linux it looks at the disk: a file that was cut off when it was written is put back first.
  public static func standard() -> UserDefaultsDomain {
    let file = DefaultsFile(suite: nil)
    return UserDefaultsDomain(file.opened { .standard }, label: "UserDefaults.standard", file)
  }

  /// A suite.
  /// - Throws: ``DefaultsDomainError/refused(_:)`` for a name the system does not take, such as the app's own bundle
  ///   identifier.
  public init(suite: String) throws(DefaultsDomainError) {
    let file = DefaultsFile(suite: suite)
    guard let defaults = file.opened({ UserDefaults(suiteName: suite) }) else { throw .refused(suite) }
    self.init(defaults, label: suite, file)
  }

  /// A suite that is open, such as one that a test has made.
  ///
  /// It has no copy: which file is behind it cannot be asked, so on Linux a process that is killed while the suite is written
  /// loses all of it. Prefer ``standard()`` and ``init(suite:)``.
  public init(_ defaults: UserDefaults, label: String) { self.init(defaults, label: label, nil) }

  private init(_ defaults: UserDefaults, label: String, _ file: DefaultsFile?) {
    self.defaults = defaults
    self.label = label
    self.file = file
  }

  /// The value the app would read.
  public func value(for key: String) throws(DefaultsDomainError) -> PropertyListValue? {
    defaults.object(forKey: key).flatMap(Self.value)
  }

  /// Every wanted value the app would read, those of the system's own domains among them.
  public func values(where isWanted: (String) -> Bool) throws(DefaultsDomainError) -> PropertyListDictionary {
    let wanted = defaults.dictionaryRepresentation().filter { isWanted($0.key) }
    var entries = Self.dictionary(wanted)?.entries ?? []
    if entries.count != wanted.count {
      // Value by value: one that is no property list, which a registered default may be, must not hide the others.
      entries = wanted.compactMap { key, object in Self.value(object).map { .init(key: key, value: $0) } }
    }
    return PropertyListDictionary(entries: entries.sorted { $0.key < $1.key })
  }

  /// Sets a value of any type defaults can hold.
  public func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
    // UserDefaults ends the process over anything else, so it never sees it.
    if let kind = Self.unsupported(value) { throw .unsupported(kind) }
    let object: Any
    switch value {
    case .string(let text): return defaults.set(text, forKey: key)
    case .data(let bytes): return defaults.set(Data(bytes), forKey: key)
    default: break
    }
    do {
      let bytes = try PropertyListDocument.encode(["value": value], as: .binary)
      let root = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      guard let found = (root as? [String: Any])?["value"] else { throw DefaultsDomainError.unsupported(value.kind) }
      object = found
    } catch {
      throw .unsupported(value.kind)
    }
    defaults.set(object, forKey: key)
  }

  /// Takes a key away.
  public func remove(_ key: String) throws(DefaultsDomainError) { defaults.removeObject(forKey: key) }

  /// Has the system write the suite now.
  ///
  /// On Apple's systems a daemon writes the suite when it sees fit, as one file in place of the old one, and this has
  /// little left to do. On Linux it is the only time anything is written: Foundation empties the suite's file, writes it
  /// anew and brings it to the disk. A copy stands beside it meanwhile, and is put back when the suite is opened after a
  /// process was killed in between; a domain made of an open suite has none, and such a process leaves its suite empty.
  public func synchronize() throws(DefaultsDomainError) {
    let isWritten = file?.write { defaults.synchronize() } ?? defaults.synchronize()
    if !isWritten { throw .notWritten(label) }
  }

  /// The first type in a value, or in what it holds, that defaults cannot hold.
  private static func unsupported(_ value: PropertyListValue) -> PropertyListValue.Kind? {
    var pending = [value]
    while let next = pending.popLast() {
      switch next {
      case .uid, .set, .null: return next.kind
      case .array(let values): pending += values
      case .dictionary(let dictionary): pending += dictionary.entries.map(\.value)
      case .string, .integer, .real, .boolean, .date, .data: break
      }
    }
    return nil
  }

  private static func value(_ object: Any) -> PropertyListValue? {
    switch object {
    case let text as String: .string(text)
    case let data as Data: .data(Array(data))
    default: dictionary(["value": object])?["value"]
    }
  }

  private static func dictionary(_ objects: [String: Any]) -> PropertyListDictionary? {
    guard
      let data = try? PropertyListSerialization.data(fromPropertyList: objects, format: .binary, options: 0),
      let document = try? PropertyListDocument(bytes: Array(data))
    else { return nil }
    return document.dictionary
  }
}
