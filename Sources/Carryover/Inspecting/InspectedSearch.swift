import PropertyLists

/// Searches the keys and values of stores for text, including packed values, in small pieces.
///
/// ASCII letters match in either case; all other bytes must be equal. A packed value is opened and searched inside, and
/// its packed text is not searched again.
package struct InspectedSearch: Sendable {
  package struct Match: Sendable {
    package let path: InspectedPath
    package let value: InspectedValue
    /// Whether the text is in the key or the name of a member; otherwise it is in the value.
    package let isInName: Bool
    package let isHidden: Bool
  }

  private struct Frame {
    let value: InspectedValue
    var next = 0
  }

  private let stores: [Store]
  private let needle: [UInt8]
  private let hides: @Sendable (InspectedChild) -> Bool
  private let limits: InspectionLimits
  private var nextStore = 0
  private var labels: [InspectedChild.Label] = []
  private var frames: [Frame] = []
  private var left: Int

  package private(set) var isFinished = false
  /// Whether the search stopped early because packed values expand to too many.
  package private(set) var isCut = false

  package init(
    _ stores: [Store], for text: String, hides: @escaping @Sendable (InspectedChild) -> Bool = { _ in false },
    limits: InspectionLimits = .default, most: Int = 50_000_000
  ) {
    self.stores = stores
    self.hides = hides
    self.limits = limits
    needle = text.utf8.map(Self.folded)
    left = most
    isFinished = needle.isEmpty
  }

  /// Continues the search, and returns the new matches in the order of the stores.
  /// - Parameter budget: the amount of work. A value counts 1; a long or packed value counts 1 for each 256 bytes.
  package mutating func next(_ budget: Int = 10_000) -> [Match] {
    var matches: [Match] = []
    var budget = budget
    while budget > 0, !isFinished {
      guard left > 0 else {
        (isFinished, isCut) = (true, true)
        break
      }
      let before = budget
      step(&budget, &matches)
      left -= before - budget
    }
    return matches
  }

  private mutating func step(_ budget: inout Int, _ matches: inout [Match]) {
    budget -= 1
    guard let last = frames.indices.last else { return openStore(&budget, &matches) }
    guard let child = frames[last].value.child(at: frames[last].next) else {
      frames.removeLast()
      if !labels.isEmpty { labels.removeLast() }
      return
    }
    frames[last].next += 1
    labels.append(child.label)
    let isHidden = hides(child)
    let value = child.value(limits: isHidden ? .closed : limits)
    look(at: value, name: child.label.name, isHidden: isHidden, &budget, &matches)
    if value.isContainer, !isHidden { frames.append(Frame(value: value)) } else { labels.removeLast() }
  }

  private mutating func openStore(_ budget: inout Int, _ matches: inout [Match]) {
    guard nextStore < stores.count else { return isFinished = true }
    let store = stores[nextStore]
    nextStore += 1
    guard let root = InspectedValue(store) else { return }
    look(at: root, name: nil, isHidden: false, &budget, &matches)
    if root.isContainer { frames.append(Frame(value: root)) }
  }

  private func look(
    at value: InspectedValue, name: String?, isHidden: Bool, _ budget: inout Int, _ matches: inout [Match]
  ) {
    budget -= value.packedSize / 256
    let isInName = name.map { has($0, &budget) } ?? false
    guard isInName || (!isHidden && value.texts.contains { has($0, &budget) }) else { return }
    let path = InspectedPath(store: stores[nextStore - 1].path, labels: labels)
    matches.append(Match(path: path, value: value, isInName: isInName, isHidden: isHidden))
  }

  private func has(_ text: String, _ budget: inout Int) -> Bool {
    budget -= text.utf8.count / 256
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
    case .propertyList(.string(let text)), .json(.string(let text)), .keyed(.string(let text)): [text]
    case .propertyList(.integer(let integer)), .keyed(.integer(let integer)): [integer.description]
    case .propertyList(.real(let real)), .keyed(.real(let real)): [real.description]
    case .propertyList(.boolean(let flag)), .json(.boolean(let flag)), .keyed(.boolean(let flag)): [String(flag)]
    case .propertyList(.date(let date)), .keyed(.date(let date)): [date.description]
    case .json(.number(let number)): [number.lexeme]
    case .keyed(.url(let url)): [url.relative] + url.bases
    case .keyed(.uuid(let uuid)): [uuid.description]
    case .keyed(.object(let object)): [object.objectClass.name]
    default: []
    }
  }
}
