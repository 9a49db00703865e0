import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// Every store of a container with its keys, what is packed in their values opened below them, as text.
///
/// The lines are escaped; they are printed as they are.
struct InspectText {
  /// The columns of the terminal.
  let columns: Int
  private var rows: InspectedRows
  private let masking: Masking
  /// Whether to show everything, and cut nothing to the width of the terminal.
  private let all: Bool

  /// - Parameters:
  ///   - all: whether to show everything, and cut nothing to the width of the terminal.
  ///   - isNarrowed: whether only some keys are shown, so that each can be opened whatever its size.
  init(all: Bool, isNarrowed: Bool, columns: Int, masking: Masking) {
    self.masking = masking
    self.columns = columns
    self.all = all
    rows = InspectedRows(all: all, isNarrowed: isNarrowed)
  }

  /// Gives the lines to a function, one by one: there may be millions.
  mutating func write(
    _ container: Container, stores: [InspectedStore], to line: (String) throws -> Void
  ) rethrows {
    let count = "\(container.stores.count) " + (container.stores.count == 1 ? "store" : "stores")
    try line(shown("\(container.bundleID ?? "unknown app") · \(container.kind.rawValue) · \(count)"))
    for notice in container.notices { try line(shown("! " + notice)) }
    let remarks = container.remarks
    for store in stores {
      try line("")
      try line(heading(store))
      for remark in remarks where remark.path == store.store.path { try line("  i " + shown(remark.sentence)) }
      for finding in findings(store) { try line(finding) }
      try write(store, to: line)
    }
    // A sign is no store: it is shown where nothing was asked for by name.
    if stores.count == container.stores.count {
      for sign in remarks where sign.subject == .sign {
        for text in ["", shown(sign.path), "  i " + shown(sign.sentence)] { try line(text) }
      }
    }
    if rows.wasCut {
      let hint = all ? "what is packed unfolds to more than can be shown" : "--all shows everything"
      for text in ["", "… marks rows that are not shown: \(hint)."] { try line(text) }
    }
  }

  /// The rows are gone through twice: the columns of the first depend on the last.
  private mutating func write(_ store: InspectedStore, to line: (String) throws -> Void) rethrows {
    var layout = TableColumns(limits: [40, 20, nil], cuts: !all, columns: columns, masking: masking)
    var (measured, written) = (rows, rows)
    measured.forEach(of: store) { row in layout.measure(layout.shown([row.label, row.type])) }
    try written.forEach(of: store) { row in try line(layout.line(layout.shown([row.label, row.type, text(row)]))) }
    rows = written
  }

  /// The places where text was found, a line each.
  func lines(_ matches: [InspectedSearch.Match], text: String, isCut: Bool) -> [String] {
    guard !matches.isEmpty else {
      // What is looked for is a value, or a part of one.
      return [masking.isOn ? "Nothing in the stores has that text." : "Nothing in the stores has “\(shown(text))”."]
    }
    var lines = matches.map { match in
      let value = match.isHidden ? SecretKeys.standIn : inline(match.value)
      return masking.text(match.path.text) + "  " + DisplayText.visible(value, limit: columns)
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
    default: root.map { DisplayText.visible(inline($0), limit: 80) } ?? ""
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

  private func text(_ row: InspectedRow) -> String {
    switch row.content {
    case .value(let value): text(value)
    case .secret: SecretKeys.standIn
    case .more: ""
    }
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
  private func shown(_ text: String) -> String { DisplayText.visible(masking.text(text)) }
}
