package import Carryover
package import PropertyLists

extension Store {
  package init(_ path: String, _ keys: PropertyListDictionary, as format: PropertyListFormat = .binary) throws {
    try self.init(path, holding: .dictionary(keys), as: format)
  }

  package init(_ path: String, holding root: PropertyListValue, as format: PropertyListFormat = .binary) throws {
    let bytes = try PropertyListDocument.encode(root, as: format)
    self.init(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
  }
}

extension Container {
  /// A container whose state folder is at its root, and whose data folder is named as its kind asks for.
  package init(
    _ stores: [Store] = [], kind: ContainerKind = .folder, in root: String = "/box", name: String? = nil,
    dataFolder: String? = nil, bundleID: String? = "com.acme.shop"
  ) {
    self.init(
      kind: kind, root: root, name: name, dataFolder: dataFolder ?? (kind == .xcappdata ? "AppData" : ""),
      bundleID: bundleID, stores: stores, stateDirectory: root + "/.carryover")
  }

  package init(
    _ stores: [String: PropertyListDictionary], kind: ContainerKind = .folder, dataFolder: String? = nil
  ) throws {
    self.init(
      try stores.sorted { $0.key < $1.key }.map { try Store($0.key, $0.value) }, kind: kind, dataFolder: dataFolder)
  }
}
