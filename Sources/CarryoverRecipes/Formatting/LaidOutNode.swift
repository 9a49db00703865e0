import PropertyLists

/// A value of a recipe file as it is laid out: on one line or over several, with the comments that belong to it.
struct LaidOutNode {
  enum Content {
    /// A text, a number or a boolean, as it is written.
    case scalar(String)
    case block(BlockText)
    /// A list, whose members have no keys, or a map.
    case members([Member], isMap: Bool, isFlow: Bool)
  }

  /// An item of a list, or an entry of a map.
  struct Member {
    /// The key, and as it is written; empty for an item.
    var key = ""
    var written = ""
    var value: LaidOutNode
    /// The comments and blank lines above it.
    var above: [String]
    /// The comment on its first line.
    var beside: String?
  }

  var content: Content
  /// The comments below the last member.
  var below: [String] = []

  /// The comments and blank lines above the first member.
  var top: [String] {
    get { if case .members(let members, _, _) = content { members.first?.above ?? [] } else { [] } }
    set {
      guard case .members(var members, let isMap, let isFlow) = content, !members.isEmpty else { return }
      members[0].above = newValue
      content = .members(members, isMap: isMap, isFlow: isFlow)
    }
  }
}

/// Reads a recipe file with its layout. The file has been read by ``RecipeReader`` without errors, which bounds the depth.
struct LayoutReader {
  private let events: [YAMLEvents.Event]
  private let lines: [[Unicode.Scalar]]
  /// Whether the outermost value is in brackets, as in JSON.
  let isJSON: Bool
  private var index = 0
  private(set) var remarks: Remarks

  init(_ bytes: [UInt8]) throws(LintIssue) {
    let reader = try YAMLEvents(bytes)
    var events: [YAMLEvents.Event] = []
    while true {
      let event = try reader.next()
      events.append(event)
      if case .end = event.kind { break }
      guard events.count <= 3 * RecipeLimits.nodes else {
        throw LintIssue(.tooLarge, event.start, "The file has more than \(RecipeLimits.nodes) values.")
      }
    }
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Array(String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self).unicodeScalars)
    }
    self.events = events
    isJSON =
      switch events[0].kind {
      case .listStart(let isFlow), .mapStart(let isFlow): isFlow
      default: false
      }
    remarks = Remarks(lines, events)
  }

  /// The whole file, with the comments below its last line.
  mutating func root() -> LaidOutNode {
    var root = node(parentColumn: 0)
    root.below += remarks.take(above: .max)
    while root.below.last?.isEmpty == true { root.below.removeLast() }
    return root
  }

  private mutating func node(parentColumn: Int) -> LaidOutNode {
    let event = take()
    switch event.kind {
    case .scalar(_, _, isBlock: true): return LaidOutNode(content: .block(BlockText(lines, event)))
    case .scalar(let text, let isPlain, _): return LaidOutNode(content: .scalar(written(text, isPlain)))
    case .listStart(let isFlow): return members(event.start.column, parentColumn, isMap: false, isFlow: isFlow)
    case .mapStart(let isFlow): return members(event.start.column, parentColumn, isMap: true, isFlow: isFlow)
    case .collectionEnd, .end: return LaidOutNode(content: .scalar(""))
    }
  }

  private mutating func members(_ column: Int, _ parentColumn: Int, isMap: Bool, isFlow: Bool) -> LaidOutNode {
    var members: [LaidOutNode.Member] = []
    while !isAtEnd {
      members.append(member(column, isMap: isMap, isFlow: isFlow))
    }
    _ = take()
    var node = LaidOutNode(content: .members(members, isMap: isMap, isFlow: isFlow))
    // The items of a list may be in the column of its key. A comment there is about the next key.
    let least = column == parentColumn ? column + 1 : column
    if !isFlow { node.below = remarks.take(fromColumn: least, above: nextLine) }
    return node
  }

  private mutating func member(_ column: Int, isMap: Bool, isFlow: Bool) -> LaidOutNode.Member {
    var member = LaidOutNode.Member(
      value: LaidOutNode(content: .scalar("")), above: isFlow ? [] : remarks.take(above: events[index].start.line))
    var keyLine: Int?
    if isMap {
      let key = take()
      keyLine = key.start.line
      if case .scalar(let text, let isPlain, _) = key.kind {
        (member.key, member.written) = (text, written(text, isPlain))
      }
    }
    guard !isFlow else {
      member.value = node(parentColumn: column)
      return member
    }
    switch events[index].kind {
    case .listStart(isFlow: false), .mapStart(isFlow: false):
      // A comment beside an item is beside its first member.
      if let keyLine { note(remarks.take(through: keyLine), &member) }
      member.value = node(parentColumn: isMap ? column : 0)
    default:
      note(remarks.take(through: events[index].start.line), &member)
      member.value = node(parentColumn: column)
    }
    return member
  }

  private func note(_ found: (beside: String?, above: [String]), _ member: inout LaidOutNode.Member) {
    member.above += found.above
    member.beside = found.beside
  }

  /// A scalar on one line. Quotes are those that it needs.
  private func written(_ text: String, _ isPlain: Bool) -> String {
    if isPlain { return text }
    return isJSON ? JSONValue.string(text).text(visible: true) : YAMLWriter.scalar(text)
  }

  /// Whether the next event ends a collection. An unfinished text has thrown before.
  private var isAtEnd: Bool {
    switch events[index].kind {
    case .collectionEnd, .end: true
    default: false
    }
  }

  /// The line of what follows; the largest number at the end of the file.
  private var nextLine: Int {
    for event in events[index...] {
      switch event.kind {
      case .collectionEnd: continue
      case .end: return .max
      default: return event.start.line
      }
    }
    return .max
  }

  /// The next event; the last one again and again.
  private mutating func take() -> YAMLEvents.Event {
    defer { index = min(index + 1, events.count - 1) }
    return events[index]
  }
}
