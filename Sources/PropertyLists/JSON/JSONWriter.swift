extension JSONValue {
  /// The value as JSON text. Members keep their order and numbers their text; equal values give equal texts.
  ///
  /// Escapes every scalar of the general categories Cc, Cf, Zl, Zp, Co and Cn, so that the text is safe in a terminal
  /// and in JavaScript: control characters, line separators, invisible and direction-changing characters, and scalars
  /// without a meaning. Does not escape `/`.
  /// - Parameters:
  ///   - pretty: whether to write one member or element per line, indented by two spaces.
  ///   - visible: whether to escape other invisible scalars, too: those that Unicode calls default-ignorable (variation
  ///     selectors, fillers) and every space except U+0020 and U+3000. The text reads back the same.
  public func text(pretty: Bool = false, visible: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty, visible: visible)
    writer.write(self)
    return writer.text
  }
}

/// Writes JSON text without recursion.
///
/// For a document that is too large for memory, begin its containers, write their contents, and take the bytes out
/// piece by piece.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  /// The open containers, outermost first.
  private var begun: [Begun] = []
  private let pretty: Bool
  private let visible: Bool

  /// A writer; see ``JSONValue/text(pretty:visible:)``.
  package init(pretty: Bool = false, visible: Bool = false) { (self.pretty, self.visible) = (pretty, visible) }

  /// The text so far.
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

  /// The number of bytes that were written and not taken out.
  package var count: Int { bytes.count }

  /// Removes and returns the bytes so far.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Begins an object. Its members follow: for each, a name and a value.
  package mutating func beginObject() { begin(isObject: true) }

  /// Begins an array. Its elements follow.
  package mutating func beginArray() { begin(isObject: false) }

  /// Writes the name of a member of the innermost open object.
  package mutating func name(_ name: String) {
    separate()
    write(string: name)
    append(pretty ? ": " : ":")
  }

  /// Ends the innermost open container.
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

  /// Writes the separator before an element of the innermost open array; a member has it before its name.
  private mutating func separateElement() {
    if begun.last?.isObject == false { separate() }
  }

  private mutating func separate() {
    guard let last = begun.indices.last else { return }
    if !begun[last].isEmpty { append(",") }
    begun[last].isEmpty = false
    breakLine(begun.count)
  }

  /// Writes a value at the end of the text, or into the innermost open container.
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

  /// Writes a scalar or an empty container, or the start of a container, and returns the frame of the latter.
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
    // The array is moved out so that the closure can append to it without a copy.
    var target: [UInt8] = []
    swap(&target, &bytes)
    text.utf8.withContiguous { JSONEscaping.append($0, visible: visible, to: &target) }
    swap(&target, &bytes)
    append("\"")
  }
}
