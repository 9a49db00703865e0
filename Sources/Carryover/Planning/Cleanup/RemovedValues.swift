import PropertyLists

extension Container {
  /// The container with removed values restored under keys that are missing; nil if none is.
  func puttingBack(_ removed: [KeyPlace: PropertyListValue]) -> Container? {
    var result = self
    var isChanged = false
    for (file, places) in Dictionary(grouping: removed.keys, by: { StringByBytes($0.file) }).sorted(by: {
      $0.key < $1.key
    }) {
      let path = file.text
      let index = store(path)?.dictionary?.indexed()
      let missing = places.map(\.key).filter { index?[$0] == nil }.sortedByBytes()
      let edits = missing.compactMap { key in
        removed[KeyPlace(file: path, key: key)].map { PropertyListEdit.set(key, $0) }
      }
      guard !edits.isEmpty, let document = document(path, after: edits) else { continue }
      result.stores.removeAll { $0.path.hasSameBytes(as: path) }
      result.stores.append(Store(path: path, content: .document(document)))
      isChanged = true
    }
    return isChanged ? result : nil
  }

  private func document(_ path: String, after edits: [PropertyListEdit]) -> PropertyListDocument? {
    let bytes: [UInt8]?
    switch store(path)?.content {
    case .document(let document): bytes = try? document.editing(edits)
    case .json, .database, .unreadable: bytes = nil
    case nil:
      bytes = try? PropertyListDocument.encode(.dictionary(PropertyListDictionary().applying(edits)), as: .binary)
    }
    return bytes.flatMap { try? PropertyListDocument(bytes: $0) }
  }
}

extension Field {
  /// The field, or a settled copy if it is settled with the value that a cleanup removed. Then it has no findings and
  /// needs no decision, because the target contains the legacy value.
  func calmed(by remembered: Field) -> Field {
    guard remembered != self, remembered.status == .unchanged else { return self }
    var calm = self
    calm.status = .unchanged
    calm.findings = []
    calm.alternatives = []
    if legacy == nil {
      calm.proposed = nil
      calm.steps = []
    }
    return calm
  }
}
