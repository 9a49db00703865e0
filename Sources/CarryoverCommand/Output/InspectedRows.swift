import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// One row of the text of `inspect`: a key, or a value inside one.
struct InspectedRow {
  /// The name, indented by its depth.
  var label: String
  var content: Content

  enum Content {
    case value(InspectedValue)
    /// A value that is not shown, with its type.
    case secret(type: String)
    /// So many that are not shown.
    case more
  }

  /// The type of the value as it is stored.
  var type: String {
    switch content {
    case .value(let value): InspectedText.rawType(value)
    case .secret(let type): type
    case .more: ""
    }
  }
}

/// Goes through the rows of stores, within bounds: what is packed can unfold without end.
struct InspectedRows {
  /// Whether to go through everything.
  let all: Bool
  /// Up to which size a value is opened.
  let limits: InspectionLimits
  /// The rows that are left for what is inside values, over all stores.
  private var left = 1_000_000
  /// Whether something was left out.
  private(set) var wasCut = false

  /// - Parameter isNarrowed: whether only some keys are shown, so that each can be opened whatever its size.
  init(all: Bool, isNarrowed: Bool) {
    self.all = all
    limits = all || isNarrowed ? .default : .row
  }

  /// Gives the rows of a store to a function, one by one.
  mutating func forEach(of store: InspectedStore, _ row: (InspectedRow) throws -> Void) rethrows {
    for child in store.keys {
      if let value = try give(child, depth: 1, to: row) { try giveInside(value, to: row) }
    }
  }

  /// Gives a value's row.
  /// - Returns: the value where it can be opened.
  private mutating func give(
    _ child: InspectedChild, depth: Int, to row: (InspectedRow) throws -> Void
  ) rethrows -> InspectedValue? {
    let name =
      switch child.label {
      case .name(let name): name
      case .index(let index): "[\(index)]"
      }
    let label = String(repeating: "  ", count: depth) + name
    if SecretKeys.holds(child) {
      let type = InspectedText.rawType(child.value(limits: .closed))
      try row(InspectedRow(label: label, content: .secret(type: type)))
      return nil
    }
    let value = child.value(limits: limits)
    if value.isLeftPacked { wasCut = true }
    try row(InspectedRow(label: label, content: .value(value)))
    return value.isContainer ? value : nil
  }

  /// One opened value with the place in it to go on at.
  private struct Frame {
    let value: InspectedValue
    let depth: Int
    var next = 0
  }

  private mutating func giveInside(_ value: InspectedValue, to row: (InspectedRow) throws -> Void) rethrows {
    var frames = [Frame(value: value, depth: 2)]
    var rows = all ? Int.max : Self.rowsOfKey
    while var frame = frames.popLast() {
      guard let child = frame.value.child(at: frame.next) else { continue }
      let isDeep = !all && frame.depth > Self.deepest
      guard rows > 0, left > 0, !isDeep, all || frame.next < Self.rowsOfValue else {
        let indent = String(repeating: "  ", count: min(frame.depth, Self.widest))
        try row(InspectedRow(label: indent + "… \(frame.value.count - frame.next) more", content: .more))
        wasCut = true
        continue
      }
      rows -= 1
      left -= 1
      frame.next += 1
      frames.append(frame)
      if let inner = try give(child, depth: min(frame.depth, Self.widest), to: row) {
        left -= inner.packedSize / 256
        frames.append(Frame(value: inner, depth: frame.depth + 1))
      }
    }
  }

  /// How many rows a key's value takes at most, a value in it at most, and how deep it is opened, unless all is shown.
  private static let rowsOfKey = 60
  private static let rowsOfValue = 20
  private static let deepest = 7
  /// Rows that nest deeper are not indented further.
  private static let widest = 60
}
