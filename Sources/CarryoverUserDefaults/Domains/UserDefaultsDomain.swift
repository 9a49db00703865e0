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
  public static var standard: UserDefaultsDomain {
    let file = DefaultsFile(suite: nil)
    file.recover()
    return UserDefaultsDomain(.standard, label: "UserDefaults.standard", file)
  }

  /// A suite.
  /// - Throws: ``DefaultsDomainError/refused(_:)`` for a name the system does not take, such as the app's own bundle
  ///   identifier.
  public init(suite: String) throws(DefaultsDomainError) {
    let file = DefaultsFile(suite: suite)
    file.recover()
    guard let defaults = UserDefaults(suiteName: suite) else { throw .refused(suite) }
    self.init(defaults, label: suite, file)
  }

  /// A suite that is open.
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
    // Value by value: one that is no property list, which a registered default may be, must not hide the others.
    var entries: [PropertyListDictionary.Entry] = []
    for (key, object) in defaults.dictionaryRepresentation() where isWanted(key) {
      guard let value = Self.value(object) else { continue }
      entries.append(.init(key: key, value: value))
    }
    return PropertyListDictionary(entries: entries.sorted { $0.key < $1.key })
  }

  /// Sets a value of any type defaults can hold.
  public func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
    // UserDefaults ends the process over anything else, so it never sees it.
    if let kind = Self.unsupported(value) { throw .unsupported(kind) }
    let object: Any
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
  /// anew and brings it to the disk, so a process that is killed in between leaves the suite empty.
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

  /// A value as Foundation gives it; nil for one that is no property list.
  static func value(_ object: Any) -> PropertyListValue? {
    guard
      let data = try? PropertyListSerialization.data(fromPropertyList: ["value": object], format: .binary, options: 0),
      let document = try? PropertyListDocument(bytes: Array(data))
    else { return nil }
    return document.dictionary?["value"]
  }
}
