package import Carryover
package import PropertyLists

extension Store {
  /// A property list with these keys.
  package init(_ path: String, _ keys: PropertyListDictionary, as format: PropertyListFormat = .binary) throws {
    try self.init(path, holding: .dictionary(keys), as: format)
  }

  /// A property list with any root.
  package init(_ path: String, holding root: PropertyListValue, as format: PropertyListFormat = .binary) throws {
    let bytes = try PropertyListDocument.encode(root, as: format)
    self.init(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
  }
}

extension Container {
  /// A container that is only in memory.
  package init(_ stores: [Store], dataFolder: String = "", bundleID: String? = "com.acme.shop") {
    self.init(
      kind: .folder, root: "/box", dataFolder: dataFolder, bundleID: bundleID, stores: stores,
      stateDirectory: "/box/.carryover")
  }

  /// A container with property lists at these paths.
  package init(_ stores: [String: PropertyListDictionary], dataFolder: String = "") throws {
    self.init(
      try stores.sorted { $0.key < $1.key }.map { try Store($0.key, $0.value) }, dataFolder: dataFolder)
  }
}
