import CarryoverSystem
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

extension DefaultsDomain {
  /// Where files of the domain that were damaged, and that nothing could be read from, were set aside since it was made;
  /// none where the domain has no files, or the system looks after them.
  package var filesSetAside: [String] { (self as? UserDefaultsDomain)?.file?.setAside ?? [] }

  /// Puts back what stood under a key; nil is nothing.
  package func takeBack(_ former: PropertyListValue?, for key: String) throws(DefaultsDomainError) {
    if let former { try set(former, for: key) } else { try remove(key) }
  }
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
  /// No file can be called so, or the system keeps a domain of its own under the name.
  case badName(String)
  /// The domain's file is damaged, and the copy that stands beside it could not be put back.
  case notRestored(String)
  /// What was written under this key reads back as something else.
  case readsDifferently(String)
}

extension DefaultsDomainError {
  /// The longest name of a suite where it names a file, in bytes: what stands beside the file needs room for more.
  static let longestName = 200
}

extension DefaultsDomainError: CustomStringConvertible, Described {
  /// What happened, and what to do.
  package var words: String {
    switch self {
    case .noBundleIdentifier:
      "The program has no bundle identifier, so the new SDK's suite has no name; give it as bundleIdentifier."
    case .refused(let name):
      "The system refuses the suite \(DisplayText.quoted(name)); give the write key and bundle identifier it is for."
    case .unreadable(let why): "The defaults could not be read: \(DisplayText.harmless(why)). Nothing was written."
    case .unsupported(let kind): "A value of type \(kind.rawValue) cannot be in defaults."
    case .notWritten(let name):
      "The system could not write the defaults of \(DisplayText.quoted(name)); the next start tries again."
    case .badName(let name):
      "No suite can be called \(DisplayText.quoted(name)): a name has at most \(Self.longestName) bytes and no slash, and"
        + " is neither empty, dots alone nor the system's own. Choose another name."
    case .notRestored(let name):
      "The file of the defaults of \(DisplayText.quoted(name)) is damaged, and the copy that ends in .carryover-copy could"
        + " not be put in its place. Rename it yourself, or look at the folder's permissions, and start again; nothing was"
        + " written."
    case .readsDifferently(let key):
      "What was written under \(DisplayText.quoted(key)) reads back as something else; see what else writes the suite. The"
        + " next start tries again."
    }
  }
}
