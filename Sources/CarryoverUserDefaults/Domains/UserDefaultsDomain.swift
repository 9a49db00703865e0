public import Foundation
public import PropertyLists

/// A suite of the running app's UserDefaults, or the app's own.
public struct UserDefaultsDomain: DefaultsDomain, @unchecked Sendable {
  // UserDefaults is documented to be safe on any thread; on Linux it is not marked so.
  private let defaults: UserDefaults
  private let file: DefaultsFile?
  private let changes = DefaultsChanges()
  /// Why the suite must not be touched.
  private let refusal: DefaultsDomainError?
  /// The suite's name.
  public let label: String

  /// The app's own defaults. Where their file is damaged, and the copy of it cannot be put back, every use of them throws.
  public static var standard: UserDefaultsDomain {
    let label = "UserDefaults.standard"
    do throws(DefaultsDomainError) {
      let file = try DefaultsFile(suite: nil)
      try file.recover()
      return UserDefaultsDomain(.standard, label: label, file)
    } catch {
      return UserDefaultsDomain(.standard, label: label, nil, refusal: error)
    }
  }

  /// A suite.
  /// - Throws: ``DefaultsDomainError/refused(_:)`` for a name the system does not take, such as the app's own bundle
  ///   identifier; where a suite is a file of its own, as on Linux, ``DefaultsDomainError/badName(_:)`` for one that is
  ///   none, and ``DefaultsDomainError/notRestored(_:)`` for a damaged file whose copy cannot be put back.
  public init(suite: String) throws(DefaultsDomainError) {
    let file = try DefaultsFile(suite: suite)
    try file.recover()
    guard let defaults = UserDefaults(suiteName: suite) else { throw .refused(suite) }
    self.init(defaults, label: suite, file)
  }

  /// A suite that is open.
  public init(_ defaults: UserDefaults, label: String) { self.init(defaults, label: label, nil) }

  private init(_ defaults: UserDefaults, label: String, _ file: DefaultsFile?, refusal: DefaultsDomainError? = nil) {
    self.defaults = defaults
    self.label = label
    self.file = file
    self.refusal = refusal
  }

  /// The value the app would read.
  public func value(for key: String) throws(DefaultsDomainError) -> PropertyListValue? {
    if let refusal { throw refusal }
    return defaults.object(forKey: key).flatMap(Self.value)
  }

  /// Every wanted value the app would read, those of the system's own domains among them.
  public func values(where isWanted: (String) -> Bool) throws(DefaultsDomainError) -> PropertyListDictionary {
    if let refusal { throw refusal }
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
    if let refusal { throw refusal }
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
    changes.note(key, former: defaults.object(forKey: key))
    defaults.set(object, forKey: key)
  }

  /// Takes a key away.
  public func remove(_ key: String) throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    changes.note(key, former: defaults.object(forKey: key))
    defaults.removeObject(forKey: key)
  }

  /// Has the system write the suite now.
  ///
  /// On Apple's systems a daemon writes the suite when it sees fit, as one file in place of the old one, and this has
  /// little left to do. On Linux it is the only time anything is written: Foundation empties the suite's file, writes it
  /// anew and brings it to the disk; a copy beside it is put back where a process is killed in between. A file that is
  /// damaged without one is set aside before, as `….plist.corrupt-` and its checksum.
  /// - Throws: ``DefaultsDomainError/notWritten(_:)`` where it could not be written; what was set since the last time is
  ///   taken back then, so that readers see what the disk has.
  public func synchronize() throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    let changes = changes.take()
    let isWritten = file?.write(holds: { holds($0, changes.keys) }) { defaults.synchronize() } ?? defaults.synchronize()
    if isWritten { return }
    for (key, former) in changes { defaults.put(former, forKey: key) }
    throw .notWritten(label)
  }

  /// Whether a file has what was set and lacks what was removed.
  private func holds(_ values: PropertyListDictionary, _ keys: some Sequence<String>) -> Bool {
    keys.allSatisfy { values[$0] == defaults.object(forKey: $0).flatMap(Self.value) }
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

  static func value(_ object: Any) -> PropertyListValue? {
    guard
      let data = try? PropertyListSerialization.data(fromPropertyList: ["value": object], format: .binary, options: 0),
      let document = try? PropertyListDocument(bytes: Array(data))
    else { return nil }
    return document.dictionary?["value"]
  }
}
