package import Carryover
import CarryoverTerminal

/// What happens to a key in a rollback, with the words after its count, in the order of the counts.
package enum RollbackChoice: String, CaseIterable, Sendable {
  /// To its value before the run.
  case goesBack = "to roll back"
  /// It keeps the value that the run wrote.
  case stays = "not chosen"
  /// It was changed after the run, and is undecided.
  case undecided = "undecided"
  /// It was changed after the run, and is rolled back anyway.
  case isOverwritten = "to roll back anyway"
  /// It was changed after the run, and is kept.
  case isKept = "to keep"
  /// It already has its value from before the run.
  case isBack = "unchanged"
  /// Its file can no longer be edited key by key.
  case cannot = "cannot be rolled back"

  package init(_ row: RollbackResolution.Row) {
    self =
      switch (row.fate, row.entry.state) {
      case (.restored, .conflict): .isOverwritten
      case (.restored, _): .goesBack
      case (.back, _): .isBack
      case (.kept, .conflict): .isKept
      case (.kept, _): .stays
      case (.undecided, _): .undecided
      }
  }

  package var writes: Bool { self == .goesBack || self == .isOverwritten }
}

extension [RollbackChoice] {
  /// `6 to roll back, 1 undecided`; empty without keys.
  package var counts: String {
    RollbackChoice.allCases.compactMap { choice in
      let number = count { $0 == choice }
      return number > 0 ? "\(number) \(choice.rawValue)" : nil
    }.joined(separator: ", ")
  }
}

/// What a rollback does to which files and keys.
package struct RollbackPage {
  private let files: [RollbackFile]
  private let rows: [(entry: RollbackEntry, choice: RollbackChoice)]
  private let isWhole: (RollbackFile) -> Bool

  /// What each SDK's user loses.
  package var effects: [RollbackEffect] = []
  /// Whether the undecided keys are listed.
  package var listsUndecided = true

  /// - Parameter isWhole: whether a file is restored as a whole.
  package init(
    _ files: [RollbackFile], _ rows: some Sequence<(RollbackEntry, RollbackChoice)>,
    isWhole: @escaping (RollbackFile) -> Bool
  ) {
    (self.files, self.rows, self.isWhole) = (files, rows.map { ($0.0, $0.1) }, isWhole)
  }

  /// The page of a whole plan, of which some keys may not be chosen.
  package init(_ resolution: RollbackResolution) {
    let chosen = Dictionary(
      resolution.rows.map { ($0.entry.id, RollbackChoice($0)) }, uniquingKeysWith: { first, _ in first })
    let rows = resolution.plan.entries.map { ($0, chosen[$0.id] ?? .stays) }
    self.init(resolution.plan.files, rows, isWhole: { resolution.isWhole($0) })
  }

  package var blocks: [Block] {
    let keys = Dictionary(grouping: rows) { StringByBytes($0.entry.id.file) }
    return [.heading("Files", count: files.count)] + files.flatMap { file($0, keys[$0.id] ?? []) } + lacking
      + (listsUndecided ? list(.undecided, "Undecided") : []) + kept + list(.stays, "Not chosen")
      + list(.isBack, "Unchanged") + list(.cannot, "Cannot be rolled back")
  }

  package var counts: String { rows.map(\.choice).counts }

  private func file(_ file: RollbackFile, _ rows: [(entry: RollbackEntry, choice: RollbackChoice)]) -> [Block] {
    let written = rows.filter { $0.choice.writes }
    let sides = written.flatMap { entry, choice in
      let note = choice == .isOverwritten ? "decided: roll back, although it changed after the run" : nil
      return Side.all(of: entry, note: note)
    }
    return [
      .path(file.id),
      .paragraph(becomes(file, rows, written: written.count), .muted, indent: 4), .sides(sides),
    ]
  }

  private func becomes(
    _ file: RollbackFile, _ rows: [(entry: RollbackEntry, choice: RollbackChoice)], written: Int
  ) -> String {
    switch file.state {
    case .asBefore: return "unchanged: same as before the run"
    case .unreadable(let reason): return "cannot be rolled back. \(reason)"
    case .asLeft where isWhole(file): return file.isNew ? "removed: the run created it" : "restored byte for byte"
    case .asLeft, .changed:
      if written == 0 { return "unchanged" }
      let left = rows.map { $0.choice.writes ? $0.entry.before : $0.entry.current }
      let rest =
        file.isRemoved(leaving: left)
        ? "and the file removed: nothing else is in it" : "the rest of the file unchanged"
      return "\(counted(written, "key")) to roll back, \(rest)"
    }
  }

  private var lacking: [Block] {
    effects.isEmpty ? [] : [.blank] + Self.blocks(effects, of: rows.map(\.entry))
  }

  /// A warning for each SDK.
  /// - Parameter entries: all of the plan.
  package static func blocks(_ effects: [RollbackEffect], of entries: [RollbackEntry]) -> [Block] {
    let isNamed = Set(entries.map(\.recipe)).count > 1
    return [.list(effects.map { Item([.text($0.sentence(isNamed: isNamed))], sign: .warning, indent: 0) })]
  }

  private var kept: [Block] {
    let kept = rows.filter { $0.choice == .isKept }
    guard !kept.isEmpty else { return [] }
    return [.heading("Kept", count: kept.count)]
      + kept.map { entry, _ in
        .paragraph(
          [
            .name(entry.name, .label), .text("  "),
            .value(Secrets.shown(entry.current), of: entry.id.key, .value, columns: 60),
          ], indent: 2, hanging: 4)
      }
  }

  private func list(_ choice: RollbackChoice, _ title: String) -> [Block] {
    let names = rows.filter { $0.choice == choice }.map { Piece.name($0.entry.name, .label) }
    guard !names.isEmpty else { return [] }
    let more = names.count - Self.mostNames
    return [
      .heading(title, count: names.count),
      .paragraph(
        Piece.list(names.prefix(Self.mostNames)) + (more > 0 ? [.text(" and \(more) more", .label)] : []), indent: 2),
    ]
  }

  private static let mostNames = 1000
}

/// A value that is replaced: the old one and the new one, a line each.
package struct Side {
  let name: String
  /// Whether the name is the text of a path, whose names are escaped already.
  var isPath = false
  let key: String
  let old: PropertyListValue?
  let new: PropertyListValue?
  var note: String?

  /// What a rollback changes in a key: its value, or the values in it that differ.
  fileprivate static func all(of entry: RollbackEntry, note: String?) -> [Side] {
    let found = RunValue.differing(at: entry.id, entry.current, entry.before, .restored, isInner: true)
    var sides = found.map { Side(name: $0.name, isPath: true, key: $0.key, old: $0.before, new: $0.after) }
    guard let last = sides.indices.last else {
      return [
        Side(
          name: entry.name, key: entry.id.key, old: Secrets.shown(entry.current), new: Secrets.shown(entry.before),
          note: note)
      ]
    }
    sides[last].note = note
    return sides
  }

  var lines: [(sign: String, value: PropertyListValue, role: Role)] {
    [("-", old, Role.removed), ("+", new, .added)].compactMap { sign, value, role in value.map { (sign, $0, role) } }
  }

  var words: [Pieces] {
    lines.map { [.text("\($0.sign) "), isPath ? .path(name) : .name(name), .text(" "), .value($0.value, of: key)] }
      + (note.map { [[.text($0)]] } ?? [])
  }
}
