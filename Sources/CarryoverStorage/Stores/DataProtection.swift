/// What makes bytes unreadable and unchangeable for others, and readable again: encryption with a key of its own.
public protocol DataProtection: Sendable {
  /// Protects bytes that will stand under a name, so that they cannot be moved to another.
  /// - Throws: where they cannot be protected.
  func protect(_ data: [UInt8], name: String) throws -> [UInt8]
  /// Takes the protection off.
  /// - Throws: where the bytes are not as they were protected, or not under that name.
  func unprotect(_ data: [UInt8], name: String) throws -> [UInt8]
  /// Whether bytes look protected in this way, be they damaged or another key's: what tells them from bytes that never were
  /// protected.
  func isProtected(_ data: [UInt8]) -> Bool
}
