public import CarryoverStorage
import PropertyLists

/// A value an app stores: its name, where it is kept, how it is protected, and where it may still lie from before.
///
/// <!-- snippet: router-key -->
/// ```swift
/// /// The user's token: in an encrypted file, and before that in the app's own defaults.
/// struct TokenKey: StorageKey {
///   let name = "token"
///   let domain = StorageDomain.encryptedFiles(folder: "Secrets")
///   let serializer = StorageSerializer.text
///   var migration: AnyStorageMigration? { moved(from: "auth_token", in: .userDefaults(suite: nil)) }
/// }
/// ```
public protocol StorageKey<Value>: Sendable {
  /// What is stored.
  associatedtype Value: Sendable

  /// The name in its domain.
  var name: String { get }
  /// Where it is kept.
  var domain: StorageDomain { get }
  /// How its bytes are protected there; not at all by default.
  var security: SecurityPolicy { get }
  /// How a value becomes bytes and back.
  var serializer: StorageSerializer<Value> { get }
  /// How it gets here from where it was kept before; nil, the default, where it always was here.
  var migration: AnyStorageMigration? { get }
}

extension StorageKey {
  /// No protection but the domain's own.
  public var security: SecurityPolicy { .none }
  /// No migration.
  public var migration: AnyStorageMigration? { nil }
  /// The place of the key's bytes.
  public var place: StoragePlace { StoragePlace(name: name, domain: domain, security: security) }

  /// The migration of a value that was kept elsewhere in the same form: its bytes are taken over as they are.
  /// - Parameters:
  ///   - name: the name it had.
  ///   - domain: where it was kept.
  ///   - security: how its bytes were protected there.
  ///   - policy: what to do where this key has a value already.
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

/// Where bytes are kept. A router is given the store behind each domain. Names are told apart byte by byte.
public enum StorageDomain: Hashable, Sendable {
  /// A suite of UserDefaults; nil is the app's own, `UserDefaults.standard`.
  case userDefaults(suite: String?)
  /// The keychain's generic passwords of a service.
  case keychain(service: String)
  /// A folder of files, by a name the app gives it.
  case files(folder: String)
  /// A folder of encrypted files, by a name the app gives it.
  case encryptedFiles(folder: String)
  /// A store of the app's own, by a name the app gives it.
  case custom(String)
}

/// How bytes are protected beyond what their domain does. A router is given the protection behind each name.
public enum SecurityPolicy: Hashable, Sendable {
  /// They are stored as they are.
  case none
  /// They are stored as the named protection makes them.
  case protected(by: String)
}

/// Where some bytes are and how they are protected: a key without the type of its value.
public struct StoragePlace: Hashable, Sendable {
  /// The name, told apart byte by byte as stores do.
  private let nameByBytes: StringByBytes
  /// Where it is kept.
  package let domain: StorageDomain
  /// How its bytes are protected there.
  package let security: SecurityPolicy

  /// The name in its domain.
  public var name: String { nameByBytes.text }

  /// A place from its parts.
  package init(name: String, domain: StorageDomain, security: SecurityPolicy = .none) {
    nameByBytes = StringByBytes(name)
    self.domain = domain
    self.security = security
  }
}

/// Where a value was kept before: a place whose bytes are taken over as they are.
public struct LegacyKey: StorageKey {
  /// The name in its domain.
  public let name: String
  /// Where it is kept.
  public let domain: StorageDomain
  /// How its bytes are protected there.
  public let security: SecurityPolicy
  /// The bytes themselves.
  public var serializer: StorageSerializer<[UInt8]> { .bytes }

  /// A place of before.
  public init(name: String, domain: StorageDomain, security: SecurityPolicy = .none) {
    self.name = name
    self.domain = domain
    self.security = security
  }
}

/// A key without the type of its value.
public struct AnyStorageKey: Sendable {
  /// The key.
  package let key: any StorageKey

  /// A key of any type.
  public static func key(_ key: any StorageKey) -> AnyStorageKey { AnyStorageKey(key: key) }

  /// The place of its bytes.
  package var place: StoragePlace { key.place }
}
