import CarryoverSystem
public import CarryoverStorage

/// A value that an app stores: its name, its domain, its protection, and the migration from its old place.
///
/// <!-- snippet: router-key -->
/// ```swift
/// /// The user's token: in an encrypted file, formerly in the app's own defaults.
/// struct TokenKey: StorageKey {
///   let name = "token"
///   let domain = StorageDomain.encryptedFiles(folder: "Secrets")
///   let serializer = StorageSerializer.text
///   var migration: AnyStorageMigration? { moved(from: "auth_token", in: .userDefaults(suite: nil)) }
/// }
/// ```
public protocol StorageKey<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The name of the value in its domain.
  var name: String { get }
  /// The domain that contains the value.
  var domain: StorageDomain { get }
  /// The protection of the value's bytes, in addition to the domain's; none by default.
  var security: SecurityPolicy { get }
  /// Converts the value to bytes and back.
  var serializer: StorageSerializer<Value> { get }
  /// The migration from the value's old place; nil, the default, if it has none.
  var migration: AnyStorageMigration? { get }
}

extension StorageKey {
  /// No protection in addition to the domain's.
  public var security: SecurityPolicy { .none }
  /// No migration.
  public var migration: AnyStorageMigration? { nil }
  /// The place of the key's bytes: its name, domain and protection.
  public var place: StoragePlace { StoragePlace(name: name, domain: domain, security: security) }

  /// A migration that moves the value from an old place and keeps its bytes.
  /// - Parameters:
  ///   - name: the value's old name.
  ///   - domain: the value's old domain.
  ///   - security: the protection of its bytes in the old place.
  ///   - policy: what to do if this key already has a value.
  public func moved(
    from name: String, in domain: StorageDomain, security: SecurityPolicy = .none,
    onConflict policy: StorageConflictPolicy = .keepDestination
  ) -> AnyStorageMigration {
    AnyStorageMigration(
      SimpleLegacyMigration(
        destinationKey: self, sourceKey: .key(LegacyKey(name: name, domain: domain, security: security)),
        conflictPolicy: policy))
  }
}

/// A store that contains bytes. You give the router the store behind each domain. Names are compared byte by byte.
public enum StorageDomain: Hashable, Sendable, CustomStringConvertible, Described {
  /// A suite of `UserDefaults`; nil is the app's own, `UserDefaults.standard`.
  case userDefaults(suite: String?)
  /// The generic passwords of a service in the keychain.
  case keychain(service: String)
  /// A folder of files, under a name that the app chooses.
  case files(folder: String)
  /// A folder of encrypted files, under a name that the app chooses.
  case encryptedFiles(folder: String)
  /// The app's own store, under a name that the app chooses.
  case custom(String)

  package var words: String {
    switch self {
    case .userDefaults(nil): "the app's own defaults"
    case .userDefaults(let suite?): "the defaults of \(DisplayText.quoted(suite))"
    case .keychain(let service): "the keychain of \(DisplayText.quoted(service))"
    case .files(let folder): "the files of \(DisplayText.quoted(folder))"
    case .encryptedFiles(let folder): "the encrypted files of \(DisplayText.quoted(folder))"
    case .custom(let name): "the store \(DisplayText.quoted(name))"
    }
  }
}

/// The protection of bytes in addition to their domain's. You give the router the protection behind each name.
public enum SecurityPolicy: Hashable, Sendable {
  /// No protection: the bytes are stored unchanged.
  case none
  /// The bytes are protected by the protection of this name.
  case protected(by: String)
}

/// The place of some bytes: a name, a domain and a protection. It is a key without the type of its value.
public struct StoragePlace: Hashable, Sendable, CustomStringConvertible, Described {
  /// The name, compared byte by byte as stores do.
  private let nameByBytes: StringByBytes
  package let domain: StorageDomain
  package let security: SecurityPolicy

  /// The name in its domain.
  public var name: String { nameByBytes.text }

  package init(name: String, domain: StorageDomain, security: SecurityPolicy = .none) {
    nameByBytes = StringByBytes(name)
    self.domain = domain
    self.security = security
  }

  package var words: String { "\(DisplayText.quoted(name)) in \(domain)" }
}

/// The old place of a value, read as bytes.
public struct LegacyKey: StorageKey {
  /// The value's old name.
  public let name: String
  /// The value's old domain.
  public let domain: StorageDomain
  /// The protection of the bytes in the old place.
  public let security: SecurityPolicy
  /// Returns the bytes unchanged.
  public var serializer: StorageSerializer<[UInt8]> { .bytes }

  /// Creates a key for an old place.
  public init(name: String, domain: StorageDomain, security: SecurityPolicy = .none) {
    self.name = name
    self.domain = domain
    self.security = security
  }
}

/// A key without the type of its value.
public struct AnyStorageKey: Sendable {
  package let key: any StorageKey

  /// Erases the type of a key's value.
  public static func key(_ key: any StorageKey) -> AnyStorageKey { AnyStorageKey(key: key) }

  package var place: StoragePlace { key.place }
}
