import CarryoverSystem
package import PropertyLists

/// One value a plan was made from: what a key of a store held, or that it was absent; or a file as a whole.
package struct PlanBasis: Hashable, Sendable {
  /// The store's path, relative to the container's root.
  package var store: String
  /// The key; empty where the file as a whole counts.
  package var key: String
  /// The value found; nil when the key or the file was absent. Of a whole file it is a text with size and checksum.
  package var value: PropertyListValue?
  /// Whether the plan rests on the file as a whole.
  package var isFile = false

  /// A basis from its parts.
  package init(store: String, key: String, value: PropertyListValue?) {
    self.store = store
    self.key = key
    self.value = value
  }
}

extension PlanBasis {
  /// A file as a whole.
  /// - Parameter value: its ``contents(_:)`` or ``presence``; nil where it is absent.
  package init(file: String, value: PropertyListValue?) {
    self.init(store: file, key: "", value: value)
    isFile = true
  }

  /// What stands for the bytes of a file: their number and their checksum.
  package static func contents(_ bytes: some Collection<UInt8>) -> PropertyListValue {
    .string("\(bytes.count) bytes, \(Checksum.text(Array(bytes)))")
  }

  /// What stands for something of which only the being there counts, or that cannot be read.
  package static let presence: PropertyListValue = true
}
