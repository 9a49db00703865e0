/// The target format of a conversion.
protocol KeyedShape {
  associatedtype Output: Sendable
  /// The output for a value without children, and for an omitted object.
  static func leaf(_ value: KeyedValue) -> KeyedLeaf<Output>
  /// The output for an array, a set or an ordered set.
  static func list(_ elements: [Output], _ kind: KeyedValue.Kind) -> Output
  /// The output for pairs.
  static func pairs(_ pairs: [(name: String, value: Output)]) -> Output
  /// The output for an object of another class before its members; nil if such objects are omitted.
  static func head(of object: KeyedObject) -> [(name: String, value: Output)]?
  /// Whether a dictionary with other keys than strings becomes a list of keys and values; if not, omits those pairs.
  static var keepsOtherKeys: Bool { get }
}

enum KeyedLeaf<Output> {
  case value(Output)
  case leftOut(KeyedLeftOut.Reason)
}

/// Converts from the leaves up, without recursion.
struct KeyedFold<Shape: KeyedShape> {
  private struct Frame {
    let kind: KeyedValue.Kind
    /// The values to convert in order, each with its step.
    var items: [(step: KeyedLeftOut.Step, value: KeyedValue)] = []
    /// The pairs before those of the items.
    var pairs: [(name: String, value: Shape.Output)] = []
    var elements: [Shape.Output] = []
    var next = 0

    /// Whether the items have names.
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

  /// Nil for a value without children, and for an omitted object.
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
