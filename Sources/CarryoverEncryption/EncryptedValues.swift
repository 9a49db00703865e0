public import CarryoverStorage
public import PropertyLists

/// Encryption for single values of a router, wherever they are kept: AES-256-GCM in the form of ``EncryptedFileStore``.
public struct EncryptedValues: DataProtection {
  private let keys: any KeyProvider

  /// A protection with a key from a provider.
  public init(keys: any KeyProvider) { self.keys = keys }

  /// Encrypts bytes for a name.
  /// - Throws: ``EncryptionError/badKey``, and what the provider throws.
  public func protect(_ data: [UInt8], name: String) throws -> [UInt8] {
    do {
      return try EncryptedBytes.seal(data, name: name, key: keys.key())
    } catch let failure as EncryptedBytes.Failure {
      throw EncryptionError(failure)
    }
  }

  /// Whether bytes begin as encrypted ones do.
  public func isProtected(_ data: [UInt8]) -> Bool { EncryptedBytes.isSealed(data) }

  /// Opens bytes that were encrypted for a name.
  /// - Throws: ``EncryptionError`` for bytes that cannot be opened, and what the provider throws.
  public func unprotect(_ data: [UInt8], name: String) throws -> [UInt8] {
    do {
      return try EncryptedBytes.open(data, name: name, key: keys.key())
    } catch let failure as EncryptedBytes.Failure {
      throw EncryptionError(failure)
    }
  }
}

/// Why a protected value could not be opened.
public enum EncryptionError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// It was encrypted with another key.
  case wrongKey
  /// It was changed after it was encrypted, or stands under another name.
  case tampered
  /// It is not as long as its header says.
  case cutOff
  /// It is no encrypted value of a known form.
  case unrecognised
  /// A later version of the app has encrypted it.
  case newerFormat
  /// The key is not of 256 bits.
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

  /// What is wrong, in a few words.
  package var words: String {
    switch self {
    case .wrongKey: "it was encrypted with another key"
    case .tampered: "it was changed after it was encrypted, or has another name"
    case .cutOff: "it is not as long as its header says"
    case .unrecognised: "it is not an encrypted value of a known form"
    case .newerFormat: "a later version of the app has encrypted it"
    case .badKey: "the key is not of 256 bits"
    }
  }
}
