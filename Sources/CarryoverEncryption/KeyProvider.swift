public import Crypto
import Foundation

/// Provides the key of an encrypted store, for example from a keychain, the Secure Enclave, a file or a test.
public protocol KeyProvider: Sendable {
  /// The key: 256 bits.
  /// - Throws: an error if the key is not available. The store then neither reads nor writes anything.
  func key() throws -> SymmetricKey
}

extension SymmetricKey: KeyProvider {
  /// The key itself.
  public func key() -> SymmetricKey { self }
}

/// A stored key, which is created on request.
package protocol KeptKey: KeyProvider {
  /// Whether a missing key is created.
  var isMade: Bool { get }
  /// The error if there is no key.
  var missing: any Error { get }
  /// The stored key, or nil.
  func read() throws -> SymmetricKey?
  /// Creates a random key if there is none. If several processes do so at the same time, the first key stays.
  func make() throws
}

extension KeptKey {
  /// The key, read anew for each call so that it does not stay in memory.
  public func key() throws -> SymmetricKey {
    if let found = try read() { return found }
    guard isMade else { throw missing }
    try make()
    guard let made = try read() else { throw missing }
    return made
  }
}
