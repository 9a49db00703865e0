import CarryoverSystem

// A domain of defaults contains property lists, so an app that implements one needs their members too.
@_exported public import PropertyLists

/// A domain of defaults: values under keys, as a running app reads and writes them.
///
/// Apps use ``UserDefaultsDomain``. A test can implement its own domain, for example to make any write fail.
public protocol DefaultsDomain: Sendable {
  /// The name of the domain in reports.
  var label: String { get }
  /// The value under a key; nil if there is none.
  /// - Throws: ``DefaultsDomainError`` if the domain cannot be read.
  func value(for key: String) throws(DefaultsDomainError) -> PropertyListValue?
  /// The values under all keys that the closure accepts. Other keys should cost no time: an app may have 100,000.
  /// - Throws: ``DefaultsDomainError`` if the domain cannot be read.
  func values(where isWanted: (String) -> Bool) throws(DefaultsDomainError) -> PropertyListDictionary
  /// Sets the value under a key.
  /// - Throws: ``DefaultsDomainError`` if the domain cannot contain the value.
  func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError)
  /// Removes a key and its value.
  func remove(_ key: String) throws(DefaultsDomainError)
  /// Writes all changes to the disk.
  /// - Throws: ``DefaultsDomainError`` if the system cannot write them.
  func synchronize() throws(DefaultsDomainError)
}

extension DefaultsDomain {
  /// The new paths of the domain's damaged files that were set aside since it was created. Always empty without a file.
  package var filesSetAside: [String] { (self as? UserDefaultsDomain)?.file?.setAside ?? [] }

  /// Sets the value of a key; nil removes the key.
  package func put(_ value: PropertyListValue?, for key: String) throws(DefaultsDomainError) {
    if let value { try set(value, for: key) } else { try remove(key) }
  }
}

/// An error in reading or writing a domain.
public enum DefaultsDomainError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The program has no bundle identifier, and the caller passed none.
  case noBundleIdentifier
  /// The system rejects a domain with this name.
  case refused(String)
  /// The domain's values cannot be read, for this reason.
  case unreadable(String)
  /// A domain cannot contain values of this type.
  case unsupported(PropertyListValue.Kind)
  /// The system could not write the domain with this name.
  case notWritten(String)
  /// This name cannot be a file name, or the system reserves it.
  case badName(String)
  /// The file of the domain with this name is damaged, and the copy beside it could not be restored.
  case notRestored(String)
  /// The value under this key differs from the one that was written.
  case readsDifferently(String)

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

  /// The maximum length of a suite's name on Linux, in bytes. The names of files beside the suite's are longer.
  static let longestName = 200
}
