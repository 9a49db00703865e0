import CarryoverSystem
public import Foundation
public import PropertyLists

/// A suite of the running app's `UserDefaults`, or the app's own defaults. It contains only stored values: no
/// registered defaults, launch arguments or values of the system.
public struct UserDefaultsDomain: DefaultsDomain, @unchecked Sendable {
  // UserDefaults is documented as thread-safe, but not marked so on Linux.
  private let defaults: UserDefaults
  /// The suite's name for the system.
  private let domain: String
  let file: DefaultsFile?
  /// The former values of what was changed since the suite was written.
  private let changes = Locked<[String: Any?]>([:])
  /// The error that every use throws, if the suite must not be used.
  private let refusal: DefaultsDomainError?
  /// The suite's name, or `UserDefaults.standard`.
  public let label: String

  /// The app's own defaults.
  ///
  /// On Linux, this first restores a file that was only partly written. If that fails, every use throws the error.
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
  /// - Throws: ``DefaultsDomainError/refused(_:)`` if the system rejects the name, such as the app's own bundle
  ///   identifier. On Linux also ``DefaultsDomainError/badName(_:)`` if the name cannot be a file name, and
  ///   ``DefaultsDomainError/notRestored(_:)`` if the file is damaged and its copy cannot be restored.
  public init(suite: String) throws(DefaultsDomainError) {
    let file = try DefaultsFile(suite: suite)
    guard let defaults = try file.opened({ UserDefaults(suiteName: suite) }) else { throw .refused(suite) }
    self.init(defaults, label: suite, file)
  }

  /// An open suite, such as a test's.
  ///
  /// Prefer ``standard()`` and ``init(suite:)``: the file of an open suite is unknown, so no copy protects it. On
  /// Linux, a process that is killed while it writes the suite loses all of its values.
  /// - Parameter label: the suite's name. With a wrong name, a value that equals a registered default is missing.
  public init(_ defaults: UserDefaults, label: String) { self.init(defaults, label: label, nil) }

  private init(_ defaults: UserDefaults, label: String, _ file: DefaultsFile?, refusal: DefaultsDomainError? = nil) {
    self.defaults = defaults
    self.label = label
    self.file = file
    self.refusal = refusal
    domain = defaults === UserDefaults.standard ? Self.ownDomain : label
  }

  /// The value in the suite under a key; nil if there is none.
  /// - Throws: ``DefaultsDomainError`` if ``standard()`` could not restore the file.
  public func value(for key: String) throws(DefaultsDomainError) -> PropertyListValue? {
    if let refusal { throw refusal }
    return object(key).flatMap(Self.value)
  }

  /// The values in the suite under all keys that the closure accepts. Objects that are not property lists are ignored.
  /// - Throws: ``DefaultsDomainError`` if ``standard()`` could not restore the file.
  public func values(where isWanted: (String) -> Bool) throws(DefaultsDomainError) -> PropertyListDictionary {
    if let refusal { throw refusal }
    let wanted = objects(where: isWanted)
    var entries = Self.dictionary(wanted)?.entries ?? []
    if entries.count != wanted.count {
      // Value by value: an object that is not a property list, or is nested too deeply, must not hide the others.
      entries = wanted.compactMap { key, object in Self.value(object).map { .init(key: key, value: $0) } }
    }
    return PropertyListDictionary(entries: entries.sorted { $0.key < $1.key })
  }

  /// Sets the value under a key. It is on the disk after ``synchronize()``.
  /// - Throws: ``DefaultsDomainError/unsupported(_:)`` for a type that defaults cannot contain.
  public func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    // UserDefaults ends the process if it gets any other type.
    if let kind = value.foreignKind { throw .unsupported(kind) }
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

  /// Removes a key and its value.
  public func remove(_ key: String) throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    put(nil, key)
  }

  private func put(_ object: Any?, _ key: String) {
    let former = self.object(key)
    // Only the value before the first change of a key counts.
    changes.withLock { if $0[key] == nil { $0[key] = .some(former) } }
    defaults.put(object, forKey: key)
  }

  /// Has the system write the suite now.
  ///
  /// On Apple's systems, a daemon writes the suite when it chooses, by replacing the file; this call changes little. On
  /// Linux, only this call writes: Foundation empties the suite's file and writes it again. A copy beside the file
  /// protects the values meanwhile. If the process is killed, the copy is restored when the suite is opened again. A
  /// domain that was created from an open suite has no copy and would lose its values.
  ///
  /// A damaged file without a copy is first set aside under a name that ends in `.plist.corrupt-` and a checksum;
  /// ``DefaultsDataStore/filesSetAside`` contains its path. The suite then contains what Foundation had read.
  /// - Throws: ``DefaultsDomainError/notWritten(_:)`` if the suite could not be written. All changes since the last
  ///   call are rolled back, so that readers see the values on the disk.
  public func synchronize() throws(DefaultsDomainError) {
    if let refusal { throw refusal }
    let changes = changes.withLock { changes in
      defer { changes = [:] }
      return changes
    }
    let isWritten = file?.write(holds: { holds($0, changes.keys) }) { defaults.synchronize() } ?? defaults.synchronize()
    if isWritten { return }
    for (key, former) in changes { defaults.put(former, forKey: key) }
    throw .notWritten(label)
  }

  private func holds(_ values: PropertyListDictionary, _ keys: some Sequence<String>) -> Bool {
    keys.allSatisfy { values[$0] == object($0).flatMap(Self.value) }
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

  // MARK: The suite's own values
  //
  // `UserDefaults` also returns registered defaults, launch arguments and the system's values for keys that the suite
  // does not contain. None of these are stored.

  /// The object in the suite. The suite's own values can only be read all together, which is slow and done only if the
  /// object may come from another domain.
  private func object(_ key: String) -> Any? {
    guard let object = defaults.object(forKey: key) else { return nil }
    return Self.equals(object, others()(key)) ? defaults.persistentDomain(forName: domain)?[key] : object
  }

  private func objects(where isWanted: (String) -> Bool) -> [String: Any] {
    let readable = defaults.dictionaryRepresentation().filter { isWanted($0.key) }
    let other = others()
    let anothers = readable.filter { Self.equals($0.value, other($0.key)) }
    guard !anothers.isEmpty else { return readable }
    let alone = defaults.persistentDomain(forName: domain) ?? [:]
    var own = readable
    for key in anothers.keys { own[key] = alone[key] }
    return own
  }

  private static func equals(_ object: Any, _ other: Any?) -> Bool {
    guard let other else { return false }
    return NSArray(array: [object]).isEqual(NSArray(array: [other]))
  }

  #if os(Linux)
    /// The app's own domain, under the name that always stands for it.
    private static let ownDomain = "kCFPreferencesCurrentApplication"
    /// An empty suite, which returns what every suite returns.
    nonisolated(unsafe) private static let empty = UserDefaults(suiteName: "carryover.empty")

    /// The value of a key that is not in the suite.
    private func others() -> (String) -> Any? { { Self.empty?.object(forKey: $0) } }
  #else
    private static let ownDomain = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

    private func others() -> (String) -> Any? {
      var all = defaults.persistentDomain(forName: UserDefaults.globalDomain) ?? [:]
      for name in defaults.volatileDomainNames { all.merge(defaults.volatileDomain(forName: name)) { _, new in new } }
      return { all[$0] }
    }
  #endif
}

extension UserDefaults {
  func put(_ object: Any?, forKey key: String) {
    if let object { set(object, forKey: key) } else { removeObject(forKey: key) }
  }
}
