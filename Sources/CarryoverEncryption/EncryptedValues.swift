public import CarryoverStorage
public import PropertyLists

/// Encrypts single values of a router, in any store: AES-256-GCM, in the format of ``EncryptedFileStore``.
public struct EncryptedValues: DataProtection {
  private let keys: any KeyProvider

  /// A protection with the provider's key.
  public init(keys: any KeyProvider) { self.keys = keys }

  /// Encrypts bytes. Only the same name can open them.
  /// - Throws: ``EncryptionError/badKey``, or the provider's error.
  public func protect(_ data: [UInt8], name: String) throws -> [UInt8] {
    do {
      return try EncryptedBytes.seal(data, name: name, key: keys.key())
    } catch let failure as EncryptedBytes.Failure {
      throw EncryptionError(failure)
    }
  }

  /// Whether bytes begin like encrypted bytes.
  public func isProtected(_ data: [UInt8]) -> Bool { EncryptedBytes.isSealed(data) }

  /// Decrypts bytes that were encrypted for the same name.
  /// - Throws: ``EncryptionError`` if the bytes cannot be opened, or the provider's error.
  public func unprotect(_ data: [UInt8], name: String) throws -> [UInt8] {
    do {
      return try EncryptedBytes.open(data, name: name, key: keys.key())
    } catch let failure as EncryptedBytes.Failure {
      throw EncryptionError(failure)
    }
  }
}

/// An error in encrypting or opening a value.
public enum EncryptionError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The value was encrypted with another key.
  case wrongKey
  /// The value was changed after it was encrypted, or belongs to another name.
  case tampered
  /// The value does not have the length that its header states.
  case cutOff
  /// The value is not in a known format of encrypted values.
  case unrecognised
  /// A later version of the app encrypted the value.
  case newerFormat
  /// The key does not have 256 bits.
  case badKey

  init(_ failure: EncryptedBytes.Failure) {
    self =
      switch failure {
      case .wrongKey: .wrongKey
      case .tampered: .tampered
      case .cutOff: .cutOff
      case .unrecognised: .unrecognised
      case .newerFormat: .newerFormat
      case .badKey: .badKey
      }
  }

  /// The reason, in a few words.
  package var words: String {
    switch self {
    case .wrongKey: "it was encrypted with another key"
    case .tampered: "it was changed after it was encrypted, or has another name"
    case .cutOff: "it is not as long as its header says"
    case .unrecognised: "it is not an encrypted value of a known form"
    case .newerFormat: "a later version of the app has encrypted it"
    case .badKey: "the key does not have 256 bits"
    }
  }
}
