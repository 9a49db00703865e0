import PropertyLists

extension Redaction {
  /// A container for display: the values of its stores are masks, and its paths and notices are masked. Values other
  /// than containers, booleans and null become text with the mask, which names their type.
  package func container(_ container: Container) -> Container {
    var shown = container
    shown.name = text(container.name)
    shown.notices = container.notices.map(text)
    shown.unread?.data = container.unread?.data.map { .init(path: text($0.path), form: $0.form) } ?? []
    shown.unsentEvents = container.unsentEvents.map { UnsentEvents(path: text($0.path), count: $0.count) }
    shown.signs = container.signs.map(text)
    shown.stores = container.stores.map { store in
      var masked = Store(path: text(store.path), content: content(store.content), size: store.size)
      masked.modified = store.modified
      return masked
    }
    return shown
  }

  /// The type of the value behind a mask; nil if the text is not a mask.
  package func maskedType(_ text: String) -> String? {
    guard text.utf8.count <= Mask.longestText, isOwnMask(text) else { return nil }
    let inside = text.dropFirst().dropLast()
    let word = inside.split(separator: " ").last.map { $0.prefix { $0 != "-" } } ?? inside
    return Mask.types.contains(String(word)) ? String(word) : "string"
  }

  private func content(_ content: StoreContent) -> StoreContent {
    switch content {
    case .unreadable(let reason): return .unreadable(text(reason))
    case .json(let json): return (try? JSONText(self.json(json.value).text())).map(StoreContent.json) ?? .masked
    case .database(let tables):
      guard case .dictionary(let masked) = value(.dictionary(tables)) else { return .masked }
      return .database(masked)
    case .document(let document):
      guard let bytes = try? PropertyListDocument.encode(value(document.root), as: document.format),
        let masked = try? PropertyListDocument(bytes: bytes)
      else { return .masked }
      return .document(masked)
    }
  }
}

extension StoreContent {
  fileprivate static let masked = StoreContent.unreadable("What is in it cannot be masked.")
}
