extension JSONValue {
  /// The value as JSON text: members in their order, numbers as they are written, the same text for the same value.
  ///
  /// Escaped is every scalar of the general categories Cc, Cf, Zl, Zp, Co and Cn, so that the text is safe in a terminal
  /// and in JavaScript: control characters, line separators, what changes the direction of text or takes no room, and
  /// what has no meaning. `/` is not.
  /// - Parameters:
  ///   - pretty: one member or element a line, indented by two spaces.
  ///   - visible: Escaped is also whatever else has no shape of its own: what Unicode calls default-ignorable (variation
  ///     selectors, fillers) and every space but U+0020 and U+3000. For text that is looked at; it reads back the same.
  public func text(pretty: Bool = false, visible: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty, visible: visible)
    writer.write(self)
    return writer.text
  }
}

/// Writes JSON text, with a stack of its own instead of recursion.
///
/// A document that is too large to be held is written piece by piece: begin its containers, write what is in them, and
/// take the bytes out in between.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  /// The containers that were begun and not ended, outermost first.
  private var begun: [Begun] = []
  private let pretty: Bool
  private let visible: Bool

  /// A writer; see ``JSONValue/text(pretty:visible:)``.
  package init(pretty: Bool = false, visible: Bool = false) { (self.pretty, self.visible) = (pretty, visible) }

  /// What was written so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private struct Begun {
    let isObject: Bool
    var isEmpty = true
  }

  private struct Frame {
    let elements: [JSONValue]
    let members: [JSONMember]
    let isObject: Bool
    var next = 0

    var count: Int { isObject ? members.count : elements.count }
  }

  /// How many bytes were written and not taken out.
  package var count: Int { bytes.count }

  /// Takes out what was written so far.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Begins an object, whose members follow: a name, then what it has.
  package mutating func beginObject() { begin(isObject: true) }

  /// Begins an array, whose elements follow.
  package mutating func beginArray() { begin(isObject: false) }

  /// Writes the name of a member of the object that was begun last.
  package mutating func name(_ name: String) {
    separate()
    write(string: name)
    append(pretty ? ": " : ":")
  }

  /// Ends the container that was begun last.
  package mutating func end() {
    guard let ended = begun.popLast() else { return }
    if !ended.isEmpty { breakLine(begun.count) }
    append(ended.isObject ? "}" : "]")
  }

  private mutating func begin(isObject: Bool) {
    separateElement()
    append(isObject ? "{" : "[")
    begun.append(Begun(isObject: isObject))
  }

  /// What stands before an element of the array that was begun last; a member has it before its name.
  private mutating func separateElement() {
    if begun.last?.isObject == false { separate() }
  }

  private mutating func separate() {
    guard let last = begun.indices.last else { return }
    if !begun[last].isEmpty { append(",") }
    begun[last].isEmpty = false
    breakLine(begun.count)
  }

  /// Writes a value at the end of the text, or into the container that was begun last.
  package mutating func write(_ value: JSONValue) {
    separateElement()
    guard var frame = open(value) else { return }
    var outer: [Frame] = []
    while true {
      guard frame.next < frame.count else {
        breakLine(begun.count + outer.count)
        append(frame.isObject ? "}" : "]")
        guard !outer.isEmpty else { return }
        frame = outer.removeLast()
        continue
      }
      let index = frame.next
      frame.next += 1
      if index > 0 { append(",") }
      breakLine(begun.count + outer.count + 1)
      if frame.isObject {
        write(string: frame.members[index].name)
        append(pretty ? ": " : ":")
      }
      if let inner = open(frame.isObject ? frame.members[index].value : frame.elements[index]) {
        outer.append(frame)
        frame = inner
      }
    }
  }

  /// Writes a scalar or an empty container, or the start of a container, whose frame it returns.
  private mutating func open(_ value: JSONValue) -> Frame? {
    switch value {
    case .object(let members):
      append(members.isEmpty ? "{}" : "{")
      return members.isEmpty ? nil : Frame(elements: [], members: members, isObject: true)
    case .array(let elements):
      append(elements.isEmpty ? "[]" : "[")
      return elements.isEmpty ? nil : Frame(elements: elements, members: [], isObject: false)
    case .string(let text): write(string: text)
    case .number(let number): bytes.append(contentsOf: number.lexeme.utf8)
    case .boolean(let boolean): append(boolean ? "true" : "false")
    case .null: append("null")
    }
    return nil
  }

  private mutating func breakLine(_ level: Int) {
    guard pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func write(string text: String) {
    append("\"")
    // The array is moved out, so that the closure appends to it without a copy.
    var target: [UInt8] = []
    swap(&target, &bytes)
    text.utf8.withContiguous { JSONEscaping.append($0, visible: visible, to: &target) }
    swap(&target, &bytes)
    append("\"")
  }
}
