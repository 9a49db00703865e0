import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// Every store of a container with its keys, what is packed in their values opened below them, as text.
///
/// The lines are escaped; they are printed as they are.
struct InspectText {
  /// Whether to show everything, and cut nothing to the width of the terminal.
  let all: Bool
  /// The columns of the terminal.
  let columns: Int
  /// Up to which size a value is opened.
  let limits: InspectionLimits
  /// The rows that are left for what is inside values, over all stores: what is packed can unfold without end.
  private var rowsLeft = 1_000_000
  private let masking: Masking
  private var wasCut = false

  /// - Parameter isNarrowed: whether only some keys are shown, so that each can be opened whatever its size.
  init(all: Bool, isNarrowed: Bool, columns: Int, masking: Masking) {
    self.all = all
    self.masking = masking
    self.columns = columns
    limits = all || isNarrowed ? .default : .row
  }

  mutating func lines(_ container: Container, stores: [InspectedStore]) -> [String] {
    var lines = [
      "\(container.bundleID ?? "unknown app") · \(container.kind.rawValue) · \(container.stores.count) "
        + (container.stores.count == 1 ? "store" : "stores")
    ]
    lines += container.notices.map { "! " + $0 }
    lines = lines.map(shown)
    let remarks = container.convertRemarks
    for store in stores {
      let said = remarks.filter { $0.path == store.store.path }.map { "  i " + shown($0.sentence) }
      lines += ["", heading(store)] + said + findings(store) + rows(store)
    }
    // A sign is no store: it is shown where nothing was asked for by name.
    if stores.count == container.stores.count {
      for sign in remarks where sign.kind == .uploading {
        lines += ["", shown(sign.path), "  i " + shown(sign.sentence)]
      }
    }
    if wasCut {
      let hint = all ? "what is packed unfolds to more than can be shown" : "--all shows everything"
      lines += ["", "Where … stands, there is more: \(hint)."]
    }
    return lines
  }

  /// The places where text was found, a line each.
  func lines(_ matches: [InspectedSearch.Match], text: String, isCut: Bool) -> [String] {
    guard !matches.isEmpty else {
      // What is looked for is a value, or a part of one.
      return [masking.isOn ? "Nothing in the stores has that text." : "Nothing in the stores has “\(shown(text))”."]
    }
    var lines = matches.map { match in
      let value = match.isHidden ? SecretKeys.standIn : inline(match.value)
      return masking.text(match.path.text) + "  " + Escaping.visible(value, limit: columns)
    }
    if isCut { lines.append("What is packed unfolds to more than can be searched: there may be more.") }
    return lines
  }

  private func heading(_ store: InspectedStore) -> String {
    var parts = [shown(store.store.path)]
    switch store.store.content {
    case .unreadable: break
    case .json: parts.append("json")
    case .document(let document): parts.append(document.format.rawValue)
    }
    if let size = store.store.size { parts.append(ByteCount.text(size)) }
    switch store.store.content {
    case .unreadable(let reason): parts.append("unreadable: " + shown(reason))
    case .json, .document: parts.append(contents(store.root))
    }
    return parts.joined(separator: " · ")
  }

  private func contents(_ root: InspectedValue?) -> String {
    switch root?.content {
    case .propertyList(.dictionary(let dictionary)): count(dictionary.count, "key")
    case .json(.object(let members)): count(members.count, "key")
    default: root.map { Escaping.visible(inline($0), limit: 80) } ?? ""
    }
  }

  private func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private func findings(_ store: InspectedStore) -> [String] {
    switch store.store.content {
    case .document(let document): document.findings.map { "  ! " + shown($0.description) }
    case .json(let text): text.findings.map { "  ! " + shown($0.description) }
    case .unreadable: []
    }
  }

  private mutating func rows(_ store: InspectedStore) -> [String] {
    var table = Table(limits: [40, 20, nil], cuts: !all, masking: masking)
    for child in store.keys {
      let value = add(child, depth: 1, to: &table)
      if let value { addInside(value, to: &table) }
    }
    return table.lines(columns: columns)
  }

  /// Adds a value's row.
  /// - Returns: the value where it can be opened.
  private mutating func add(_ child: InspectedChild, depth: Int, to table: inout Table) -> InspectedValue? {
    let label =
      switch child.label {
      case .name(let name): name
      case .index(let index): "[\(index)]"
      }
    let indent = String(repeating: "  ", count: depth)
    if child.label.name.map(SecretKeys.all.contains) == true {
      table.add([indent + label, InspectedText.rawType(child.value(limits: .closed)), SecretKeys.standIn])
      return nil
    }
    let value = child.value(limits: limits)
    if value.isLeftPacked { wasCut = true }
    table.add([indent + label, InspectedText.rawType(value), text(value)])
    return value.isContainer ? value : nil
  }

  private func text(_ value: InspectedValue) -> String {
    if masking.isOn { return inline(value) }
    var text =
      all ? InspectedText.whole(value) ?? InspectedText.inline(value) : InspectedText.inline(value, limit: columns)
    if let reading = value.moment, reading.unit != .date {
      text += " (\(MomentText.seconds(reading.moment)) UTC, \(reading.unit.words))"
    }
    return text
  }

  /// A value on one line, not escaped yet.
  private func inline(_ value: InspectedValue) -> String {
    let text = masking.value(value).map { InspectedText.inline($0, limit: columns) } ?? Masking.standIn
    // Of what holds other values the class is named.
    return value.isContainer ? masking.text(text) : text
  }

  /// A sentence, a path or a name.
  private func shown(_ text: String) -> String { Escaping.visible(masking.text(text)) }

  /// One opened value with the place in it to go on at.
  private struct Frame {
    let value: InspectedValue
    let depth: Int
    var next = 0
  }

  private mutating func addInside(_ value: InspectedValue, to table: inout Table) {
    var frames = [Frame(value: value, depth: 2)]
    var rows = all ? Int.max : Self.rowsOfKey
    while var frame = frames.popLast() {
      guard let child = frame.value.child(at: frame.next) else { continue }
      let isDeep = !all && frame.depth > Self.deepest
      guard rows > 0, rowsLeft > 0, !isDeep, all || frame.next < Self.rowsOfValue else {
        let indent = String(repeating: "  ", count: min(frame.depth, Self.widest))
        table.add([indent + "… \(frame.value.count - frame.next) more", "", ""])
        wasCut = true
        continue
      }
      rows -= 1
      rowsLeft -= 1
      frame.next += 1
      frames.append(frame)
      if let inner = add(child, depth: min(frame.depth, Self.widest), to: &table) {
        rowsLeft -= inner.packedSize / 256
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
