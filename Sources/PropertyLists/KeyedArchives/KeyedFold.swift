/// What values become in a conversion.
protocol KeyedShape {
  associatedtype Output: Sendable
  /// What a value without children becomes; also an object, when it is left out.
  static func leaf(_ value: KeyedValue) -> KeyedLeaf<Output>
  /// What an array, a set or an ordered set becomes.
  static func list(_ elements: [Output], _ kind: KeyedValue.Kind) -> Output
  /// What pairs become.
  static func pairs(_ pairs: [(name: String, value: Output)]) -> Output
  /// What an object of another class becomes before its members; nil when such objects are left out.
  static func head(of object: KeyedObject) -> [(name: String, value: Output)]?
  /// True when a dictionary with other keys than strings is a list of keys and values, false when such pairs are left out.
  static var keepsOtherKeys: Bool { get }
}

enum KeyedLeaf<Output> {
  case value(Output)
  case leftOut(KeyedLeftOut.Reason)
}

/// Converts from the leaves up, with a stack of its own instead of recursion.
struct KeyedFold<Shape: KeyedShape> {
  private struct Frame {
    let kind: KeyedValue.Kind
    /// What is converted one after the other, each with its step; nil for a pair that is left out.
    var items: [(step: KeyedLeftOut.Step, value: KeyedValue)] = []
    /// Pairs that are there before those of the items.
    var pairs: [(name: String, value: Shape.Output)] = []
    var elements: [Shape.Output] = []
    var next = 0

    /// True when the items have names.
    var isNamed: Bool { kind == .dictionary || kind == .object }

    mutating func add(_ output: Shape.Output) {
      guard isNamed, case .name(let name) = items[next - 1].step else { return elements.append(output) }
      pairs.append((name, output))
    }

    var output: Shape.Output { isNamed ? Shape.pairs(pairs) : Shape.list(elements, kind) }
  }

  private var leftOut: [KeyedLeftOut] = []
  private var leftOutCount = 0
  private var outer: [Frame] = []

  static func convert(_ value: KeyedValue) -> KeyedConversion<Shape.Output> {
    var fold = KeyedFold()
    let output = fold.run(value)
    return KeyedConversion(value: output, leftOut: fold.leftOut, leftOutCount: fold.leftOutCount)
  }

  private mutating func run(_ value: KeyedValue) -> Shape.Output? {
    guard var frame = open(value, within: nil) else { return leaf(value, within: nil) }
    while true {
      guard frame.next < frame.items.count else {
        let output = frame.output
        guard !outer.isEmpty else { return output }
        frame = outer.removeLast()
        frame.add(output)
        continue
      }
      let item = frame.items[frame.next].value
      frame.next += 1
      if let opened = open(item, within: frame) {
        outer.append(frame)
        frame = opened
      } else if let output = leaf(item, within: frame) {
        frame.add(output)
      }
    }
  }

  /// Nil for what has no children and for an object that is left out.
  private mutating func open(_ value: KeyedValue, within current: Frame?) -> Frame? {
    var frame = Frame(kind: value.kind)
    switch value {
    case .array(let values), .set(let values), .orderedSet(let values):
      frame.items = values.enumerated().map { (.index($0), $1) }
      frame.elements.reserveCapacity(values.count)
    case .dictionary(let pairs):
      if Shape.keepsOtherKeys, pairs.contains(where: { $0.key.kind != .string }) {
        frame = Frame(kind: .array)
        frame.items = pairs.enumerated().map { place, pair in
          (.index(place), .dictionary([KeyedPair(.string("key"), pair.key), KeyedPair(.string("value"), pair.value)]))
        }
        return frame
      }
      frame.items.reserveCapacity(pairs.count)
      for (place, pair) in pairs.enumerated() {
        if case .string(let name) = pair.key {
          frame.items.append((.name(name), pair.value))
        } else {
          note(.keyNotString(pair.key.kind), within: current, last: .index(place))
        }
      }
    case .object(let object):
      guard let head = Shape.head(of: object) else { return nil }
      frame.pairs = head
      frame.items = object.members.map { (.name($0.name), $0.value) }
    default: return nil
    }
    return frame
  }

  private mutating func leaf(_ value: KeyedValue, within current: Frame?) -> Shape.Output? {
    switch Shape.leaf(value) {
    case .value(let output): return output
    case .leftOut(let reason):
      note(reason, within: current, last: nil)
      return nil
    }
  }

  private mutating func note(_ reason: KeyedLeftOut.Reason, within current: Frame?, last: KeyedLeftOut.Step?) {
    leftOutCount += 1
    guard leftOut.count < 1000 else { return }
    var path: [KeyedLeftOut.Step] = []
    for frame in outer + (current.map { [$0] } ?? []) where frame.next > 0 {
      path.append(frame.items[frame.next - 1].step)
    }
    if let last { path.append(last) }
    leftOut.append(KeyedLeftOut(path: path, reason: reason))
  }
}
