import PropertyLists

/// Looks for text in the keys and values of stores, packed ones too, a piece at a time.
///
/// ASCII letters match in either case, all else by its bytes. What is packed is opened and searched in place, and its text
/// is not searched again as a whole.
package struct InspectedSearch: Sendable {
  /// A place where the text was found.
  package struct Match: Sendable {
    /// Where in the store.
    package let path: InspectedPath
    /// The value there.
    package let value: InspectedValue
    /// Whether it is in the key, or the name of a member; in the value otherwise.
    package let isInName: Bool
    /// Whether the value stands under a hidden name, so that it is not to be shown.
    package let isHidden: Bool
  }

  /// An opened value with the place in it to go on at.
  private struct Frame {
    let value: InspectedValue
    var next = 0
  }

  private let stores: [Store]
  private let needle: [UInt8]
  private let hidden: Set<String>
  private let limits: InspectionLimits
  private var nextStore = 0
  private var labels: [InspectedChild.Label] = []
  private var frames: [Frame] = []
  private var left: Int

  /// Whether everything was looked at.
  package private(set) var isFinished = false
  /// Whether the search ended before everything was looked at, because so much unfolds from what is packed.
  package private(set) var isCut = false

  /// A search that has not begun.
  /// - Parameters:
  ///   - text: what to look for; nothing is found for an empty one.
  ///   - hidden: names whose values are not looked into, wherever they stand.
  ///   - most: how many values are looked at before the search gives up.
  package init(
    _ stores: [Store], for text: String, hidden: Set<String> = [], limits: InspectionLimits = .default,
    most: Int = 50_000_000
  ) {
    self.stores = stores
    self.hidden = hidden
    self.limits = limits
    needle = text.utf8.map(Self.folded)
    left = most
    isFinished = needle.isEmpty
  }

  /// Goes on, and gives back what was found on the way, in the order of the stores.
  /// - Parameter budget: how much to look at: a value counts one, and what is long or packed one for each 256 bytes.
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
    let isHidden = child.label.name.map(hidden.contains) ?? false
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
  /// What a search reads of the value itself: its text, and the names of the classes it came from.
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
