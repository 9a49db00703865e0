import PropertyLists

/// What in stores contains a text, in a key or a value, also inside packed values.
///
/// ASCII letters match in either case; all other bytes must be equal. A packed value is opened and searched inside, and
/// its packed text is not searched again.
package struct InspectedSearch {
  package struct Match {
    package let path: InspectedPath
    package let value: InspectedValue
    /// Whether the text is in the key or the name of a member; otherwise it is in the value.
    package let isInName: Bool
    package let isHidden: Bool
  }

  package private(set) var matches: [Match] = []
  /// Whether the search stopped early because packed values expand to too many.
  package private(set) var isCut = false
  private let needle: [UInt8]
  /// A value counts 1; a long or packed value counts 1 for each 256 bytes.
  private var left: Int

  package init(
    _ stores: [Store], for text: String, hides: (InspectedChild) -> Bool = { _ in false },
    limits: InspectionLimits = .default, most: Int = 50_000_000
  ) {
    needle = text.utf8.map(Self.folded)
    left = most
    guard !needle.isEmpty else { return }
    for store in stores where !isCut { search(store, hides, limits) }
  }

  private mutating func search(_ store: Store, _ hides: (InspectedChild) -> Bool, _ limits: InspectionLimits) {
    guard let root = InspectedValue(store) else { return }
    var labels: [InspectedChild.Label] = []
    look(at: root, labels, isHidden: false, in: store)
    var frames = root.isContainer ? [(value: root, next: 0)] : []
    while let last = frames.indices.last {
      guard left > 0 else { return isCut = true }
      left -= 1
      guard let child = frames[last].value.child(at: frames[last].next) else {
        frames.removeLast()
        _ = labels.popLast()
        continue
      }
      frames[last].next += 1
      labels.append(child.label)
      let isHidden = hides(child)
      let value = child.value(limits: isHidden ? .closed : limits)
      look(at: value, labels, isHidden: isHidden, in: store)
      if value.isContainer, !isHidden { frames.append((value, 0)) } else { labels.removeLast() }
    }
  }

  private mutating func look(
    at value: InspectedValue, _ labels: [InspectedChild.Label], isHidden: Bool, in store: Store
  ) {
    left -= value.packedSize / 256
    let isInName = labels.last?.name.map { has($0) } ?? false
    guard isInName || (!isHidden && value.texts.contains { has($0) }) else { return }
    let path = InspectedPath(store: store.path, labels: labels)
    matches.append(Match(path: path, value: value, isInName: isInName, isHidden: isHidden))
  }

  private mutating func has(_ text: String) -> Bool {
    left -= text.utf8.count / 256
    var text = text
    return text.withUTF8 { bytes in
      guard let first = needle.first, bytes.count >= needle.count else { return false }
      for start in 0...(bytes.count - needle.count) where Self.folded(bytes[start]) == first {
        if needle.indices.allSatisfy({ Self.folded(bytes[start + $0]) == needle[$0] }) { return true }
      }
      return false
    }
  }

  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension InspectedValue {
  fileprivate var texts: [String] {
    switch content {
    case .propertyList(.string(let text)), .json(.string(let text)): [text]
    case .propertyList(.integer(let integer)): [integer.description]
    case .propertyList(.real(let real)): [real.description]
    case .propertyList(.boolean(let flag)), .json(.boolean(let flag)): [String(flag)]
    case .propertyList(.date(let date)): [date.description]
    case .json(.number(let number)): [number.lexeme]
    case .keyed(.url(let url)): [url.relative] + url.bases
    case .keyed(.uuid(let uuid)): [uuid.description]
    case .keyed(.object(let object)): [object.objectClass.name]
    default: []
    }
  }
}
