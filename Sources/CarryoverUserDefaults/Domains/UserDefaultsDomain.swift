public import Foundation
public import PropertyLists

/// A suite of the running app's UserDefaults, or the app's own: what is stored in it. Defaults that the app has registered,
/// arguments and the system's own are no values of it.
public struct UserDefaultsDomain: DefaultsDomain, @unchecked Sendable {
  // UserDefaults is documented to be safe on any thread; on Linux it is not marked so.
  private let defaults: UserDefaults
  private let own: OwnDefaults
  let file: DefaultsFile?
  private let changes = DefaultsChanges()
  /// Why the suite must not be touched.
  private let refusal: DefaultsDomainError?
  /// The suite's name.
  public let label: String

  /// The app's own defaults.
  ///
  /// On Linux it looks at the disk: a file that was cut off when it was written is put back first. Where that cannot be
  /// done, every use throws, and nothing is written.
  public static func standard() -> UserDefaultsDomain {
    let label = "UserDefaults.standard"
    do throws(DefaultsDomainError) {
      let file = try DefaultsFile(suite: nil)
      return UserDefaultsDomain(try file.opened { .standard }, label: label, file)
    } catch {
      return UserDefaultsDomain(.standard, label: label, nil, refusal: error)
    }
  }

  /// A suite.
  /// - Throws: ``DefaultsDomainError/refused(_:)`` for a name the system does not take, such as the app's own bundle
  ///   identifier; on Linux, where a suite is a file of its own, ``DefaultsDomainError/badName(_:)`` for a name that is
  ///   none, and ``DefaultsDomainError/notRestored(_:)`` for a damaged file whose copy cannot be put back.
  public init(suite: String) throws(DefaultsDomainError) {
    let file = try DefaultsFile(suite: suite)
    guard let defaults = try file.opened({ UserDefaults(suiteName: suite) }) else { throw .refused(suite) }
    self.init(defaults, label: suite, file)
  }

  /// A suite that is open, such as one that a test has made.
  ///
  /// It has no copy: which file is behind it cannot be asked, so on Linux a process that is killed while the suite is written
  /// loses all of it. Prefer ``standard()`` and ``init(suite:)``.
  /// - Parameter label: the suite's name. Under another one, a value that equals a registered default is taken for that.
  public init(_ defaults: UserDefaults, label: String) { self.init(defaults, label: label, nil) }

  private init(_ defaults: UserDefaults, label: String, _ file: DefaultsFile?, refusal: DefaultsDomainError? = nil) {
    self.defaults = defaults
    self.label = label
    self.file = file
    self.refusal = refusal
    own = OwnDefaults(defaults, suite: label)
  }

  /// The value the suite holds.
  public func value(for key: String) throws(DefaultsDomainError) -> PropertyListValue? {
    if let refusal { throw refusal }
    return own[key].flatMap(Self.value)
  }

  /// Every wanted value the suite holds.
  public func values(where isWanted: (String) -> Bool) throws(DefaultsDomainError) -> PropertyListDictionary {
    if let refusal { throw refusal }
    let wanted = own.all(where: isWanted)
    var entries = Self.dictionary(wanted)?.entries ?? []
    if entries.count != wanted.count {
      // Value by value: one that is no property list, or that nests too deep, must not hide the others.
      entries = wanted.compactMap { key, object in Self.value(object).map { .init(key: key, value: $0) } }
    }
    return PropertyListDictionary(entries: entries.sorted { $0.key < $1.key })
  }

  /// Sets a value of any type defaults can hold.
  public func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    // UserDefaults ends the process over anything else, so it never sees it.
    if let kind = Self.unsupported(value) { throw .unsupported(kind) }
    let object: Any
    switch value {
    case .string(let text): return put(text, key)
    case .data(let bytes): return put(Data(bytes), key)
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
    put(object, key)
  }

  /// Takes a key away.
  public func remove(_ key: String) throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    put(nil, key)
  }

  private func put(_ object: Any?, _ key: String) {
    changes.note(key, former: own[key])
    defaults.put(object, forKey: key)
  }

  /// Has the system write the suite now.
  ///
  /// On Apple's systems a daemon writes the suite when it sees fit, as one file in place of the old one, and this has
  /// little left to do. On Linux it is the only time anything is written: Foundation empties the suite's file, writes it
  /// anew and brings it to the disk. A copy stands beside it meanwhile, and is put back when the suite is opened after a
  /// process was killed in between; a domain made of an open suite has none, and such a process leaves its suite empty.
  /// A file that is damaged and has no copy is set aside before, as `….plist.corrupt-` and its checksum;
  /// ``DefaultsDataStore/filesSetAside`` says where. What Foundation had not read before is no longer in the suite.
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
    keys.allSatisfy { values[$0] == own[$0].flatMap(Self.value) }
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
