/// Protects bytes, so that others can neither read nor change them: encryption with its own key.
public protocol DataProtection: Sendable {
  /// Protects bytes for a name, so that they cannot be moved to another.
  /// - Throws: an error if the bytes cannot be protected.
  func protect(_ data: [UInt8], name: String) throws -> [UInt8]
  /// Removes the protection.
  /// - Throws: an error if the bytes were changed, or were protected for another name.
  func unprotect(_ data: [UInt8], name: String) throws -> [UInt8]
  /// Whether bytes have the format of this protection, even if they are damaged or need another key. It distinguishes
  /// them from bytes that were never protected.
  func isProtected(_ data: [UInt8]) -> Bool
}
