import CarryoverSystem
package import PropertyLists

/// A value that a plan depends on: that of a key in a store, which may be missing, or that of a whole file.
package struct PlanBasis: Hashable, Sendable {
  /// The store's path, relative to the container's root.
  @StringByBytes package var store: String
  /// The key; empty for a whole file.
  @StringByBytes package var key: String
  /// The value; nil if the key or the file was missing. For a whole file, a text with size and checksum.
  package var value: PropertyListValue?
  /// Whether the plan depends on the file as a whole.
  package var isFile = false

  /// A basis from its parts.
  package init(store: String, key: String, value: PropertyListValue?) {
    self.store = store
    self.key = key
    self.value = value
  }
}

extension PlanBasis {
  /// A whole file.
  /// - Parameter value: its ``contents(_:)`` or ``presence``; nil if it is missing.
  package init(file: String, value: PropertyListValue?) {
    self.init(store: file, key: "", value: value)
    isFile = true
  }

  /// The value for the bytes of a file: their number and checksum.
  package static func contents(_ bytes: some Collection<UInt8>) -> PropertyListValue {
    .string("\(bytes.count) bytes, \(SHA256.hexDigest(Array(bytes)))")
  }

  /// The value for a file of which only the existence counts, or which cannot be read.
  package static let presence: PropertyListValue = true
}
