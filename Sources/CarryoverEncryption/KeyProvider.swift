public import Crypto
import Foundation

/// Where the key of an encrypted store comes from: a keychain, an enclave, a file of its owner's, or a test.
public protocol KeyProvider: Sendable {
  /// The key; 256 bits.
  /// - Throws: where it cannot be had now. Nothing is then read or written, and nothing is taken for missing.
  func key() throws -> SymmetricKey
}

extension SymmetricKey: KeyProvider {
  /// The key itself, for one that is at hand.
  public func key() -> SymmetricKey { self }
}

/// A stored key, which is created on request.
package protocol KeptKey: KeyProvider {
  /// Whether a missing key is created.
  var isMade: Bool { get }
  /// The error for a key that is not there.
  var missing: any Error { get }
  /// The stored key, or nil.
  func read() throws -> SymmetricKey?
  /// Creates a random key if there is none. If several processes do so at once, the first key stays.
  func make() throws
}

extension KeptKey {
  /// The key; read each time, so that it need not stay in memory.
  public func key() throws -> SymmetricKey {
    if let found = try read() { return found }
    guard isMade else { throw missing }
    try make()
    guard let made = try read() else { throw missing }
    return made
  }
}
