public import Crypto
import Foundation

/// Where the key of an encrypted store comes from: a keychain, an enclave, a file of its owner's, or a test.
public protocol KeyProvider: Sendable {
  /// The key; 256 bits.
  /// - Throws: where it cannot be had now. Nothing is then read or written, and nothing is taken for missing.
  func key() throws -> SymmetricKey
}

/// A key that is at hand.
public struct FixedKey: KeyProvider {
  private let bytes: SymmetricKey

  /// A key that is at hand.
  public init(_ key: SymmetricKey) { bytes = key }

  /// The key.
  public func key() -> SymmetricKey { bytes }
}
