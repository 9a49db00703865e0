package import Carryover
package import CarryoverSystem
import CarryoverTerminal

extension Finding {
  /// - Parameters:
  ///   - fields: those that share the finding; the finding's own if nil.
  ///   - remedy: what to do, where the reader knows more than the finding.
  ///   - asks: false once the field is decided: then nothing is to be done.
  package func item(of fields: [Field.ID]? = nil, remedy: String? = nil, asks: Bool = true) -> Item {
    let names = Piece.list((fields ?? field.map { [$0] } ?? []).map { .name($0, .label) })
    return Item(
      names + (names.isEmpty ? [] : [.text("  ")]) + [.name(code.rawValue, .muted)], sign: severity.sign,
      role: severity.role, word: [severity.rawValue, code.weight].compactMap(\.self).joined(separator: ", "),
      below: [[.text(message)]], remedy: asks ? remedy ?? commandRemedy : nil, indent: 0)
  }
}

extension [Finding] {
  /// The gravest first; of warnings, those that ask before the others.
  package var gravestFirst: [Finding] { byWeight.flatMap(\.self) }

  /// Errors, warnings that ask, other warnings, notes.
  package var byWeight: [[Finding]] {
    Severity.allCases.sorted(by: >).flatMap { severity in
      let alike = filter { $0.severity == severity }
      return severity == .warning ? [alike.filter(\.asks), alike.filter { !$0.asks }] : [alike]
    }
  }
}

extension FindingCode {
  /// Whether it asks or blocks, in the word of the documentation.
  package var weight: String? { blocks ? "blocks" : asks ? "asks" : nil }

  /// What the code means, part by part.
  package func explained(for reader: Reader = .command) -> [Block] {
    explanation.parts(for: reader).flatMap { Block.part($0.title, $0.text) }
  }
}

extension Block {
  /// A part of an explanation.
  package static func part(_ title: String, _ text: String) -> [Block] {
    [.blank, .paragraph(title, .title), .paragraph(text, indent: 2)]
  }
}

extension Plan {
  /// The keys that are not migrated, and why; nothing if there are none.
  /// - Parameter most: a screen has no room for more.
  package func notMigrated(atMost most: Int = .max) -> [Block] {
    guard !dropped.isEmpty else { return [] }
    let more = dropped.count - most
    return [.heading("Not migrated", count: dropped.count), .table(DroppedKey.table(dropped.prefix(most)))]
      + (more > 0 ? [.paragraph("… and \(more) more; the stores show all of them.", .muted, indent: 2)] : [])
  }

  package static var mostKeysOnScreen: Int { 1000 }
}

extension DroppedKey {
  package static func table(_ keys: some Sequence<DroppedKey>) -> Table {
    var table = Table(
      [
        .init(.name, "key", .head), .init(.value, "value", isOptional: true), .init(.sentence, "reason"),
      ], indent: 2)
    for key in keys {
      let value: Piece = key.secret ? .text("(secret)", .muted) : key.value.map { .value($0, .value) } ?? .text("")
      table.add([.name(key.key, .label), value, .text(key.reason)])
    }
    return table
  }
}
