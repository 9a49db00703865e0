public import PropertyLists

/// A domain of defaults: values under keys, as an app reads and writes them while it runs.
///
/// The live one is ``UserDefaultsDomain``; a test gives one of its own, to fail at any write.
public protocol DefaultsDomain: Sendable {
  /// What the domain is called in reports.
  var label: String { get }
  /// The value under a key; nil where there is none.
  /// - Throws: ``DefaultsDomainError`` where the domain cannot be read.
  func value(for key: String) throws(DefaultsDomainError) -> PropertyListValue?
  /// Every value under a key that is wanted. An app's defaults may hold a hundred thousand others, which must not cost.
  /// - Throws: ``DefaultsDomainError`` where the domain cannot be read.
  func values(where isWanted: (String) -> Bool) throws(DefaultsDomainError) -> PropertyListDictionary
  /// Puts a value under a key.
  /// - Throws: ``DefaultsDomainError`` where it cannot be said in the domain.
  func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError)
  /// Takes a key away.
  func remove(_ key: String) throws(DefaultsDomainError)
  /// Brings what was set to the disk.
  /// - Throws: ``DefaultsDomainError`` where the system says that it could not.
  func synchronize() throws(DefaultsDomainError)
}

/// Why a domain could not be read or written.
public enum DefaultsDomainError: Error, Hashable, Sendable {
  /// The running program has no bundle identifier, and none was given.
  case noBundleIdentifier
  /// The system refuses a domain of this name.
  case refused(String)
  /// The domain's values could not be read, and why.
  case unreadable(String)
  /// A value of this type cannot stand in a domain.
  case unsupported(PropertyListValue.Kind)
  /// The system could not write the domain.
  case notWritten(String)
  /// What was written under this key reads back as something else.
  case readsDifferently(String)
}

extension DefaultsDomainError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .noBundleIdentifier:
      "The program has no bundle identifier, so the new SDK's suite has no name; give it as bundleIdentifier."
    case .refused(let name):
      "The system refuses the suite “\(name)”; give the write key and bundle identifier it is for."
    case .unreadable(let why): "The defaults could not be read: \(why). Nothing was written."
    case .unsupported(let kind): "A value of type \(kind.rawValue) cannot stand in defaults."
    case .notWritten(let name): "The system could not write the defaults of “\(name)”; the next start tries again."
    case .readsDifferently(let key):
      "What was written under “\(key)” reads back as something else; see what else writes the suite. The next start tries "
        + "again."
    }
  }
}
