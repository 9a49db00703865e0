import Carryover
package import CarryoverPages
package import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors

extension ComparedContainers {
  var names: [String] { [before.name, after.name] }

  /// What is not in the tree, as sentences.
  var remarks: [String] {
    comparison.countedWords + notes
      + comparison.obstacles.map {
        "“\(DisplayText.named($0.path))” was \($0.isPartial ? "compared in part" : "not compared"): \($0.reason)"
      }
      + comparison.gaps.map { "“\(DisplayText.named($0.path))”: \($0.reason)" }
      + [before.container.unread?.sentence].compactMap { $0.map { "In \(before.name): " + $0 } }
  }

  /// The later container, with the stores that were removed.
  var merged: Container {
    var merged = after.container
    merged.notices += before.container.notices.filter { !merged.notices.containsBytes(of: $0) }
    merged.stores += comparison.stores.compactMap { $0.after == nil ? $0.before : nil }
    return merged
  }
}

extension BrowserState {
  /// - Parameters:
  ///   - compared: As they are shown, masked where masks are on.
  ///   - zone: The offset of local time from UTC at a moment, in seconds; by default the options' offset.
  package init(
    _ compared: ComparedContainers, size: Size, options: ReviewOptions = ReviewOptions(),
    zone: (@Sendable (Moment) -> Int)? = nil
  ) {
    self.init(
      shown: compared.merged, size: size, options: options, zone: zone, comparing: compared)
    if let first = differencePlaces.first { cursor = outline.reveal(first) }
    revealCursor()
    refresh()
  }

  var isComparing: Bool { outline.differences != nil }

  func isSecret(_ child: InspectedChild, _ row: Outline.Row) -> Bool {
    Secrets.holds(child) || outline.difference(row)?.isSecret == true
  }

  // MARK: - From difference to difference

  /// To the next match of a search, otherwise to the next difference.
  mutating func goToNext(step: Int) {
    if search == nil, isComparing { goToDifference(step: step) } else { goToMatch(step: step) }
  }

  private mutating func goToDifference(step: Int) {
    guard let row = selectedRow, !differencePlaces.isEmpty else { return }
    let (number, isOn) = differenceNumber(at: outline.place(row))
    let (count, wanted) = (differencePlaces.count, isOn ? number + step : step > 0 ? number : number - 1)
    if !(0..<count).contains(wanted) {
      message =
        count == 1
        ? "This is the only difference."
        : "Wrapped from the \(step > 0 ? "last to the first" : "first to the last") difference."
    }
    select(row: outline.reveal(differencePlaces[(wanted % count + count) % count]))
  }

  /// The number of the difference at a place, otherwise of the next one.
  private func differenceNumber(at place: [Int]) -> (number: Int, isOn: Bool) {
    let next = differencePlaces.indices.firstNot { differencePlaces[$0].lexicographicallyPrecedes(place) }
    return (next, differencePlaces.element(next) == place)
  }

  /// `3 of 12 differences`.
  var differenceWords: String {
    let count = differencePlaces.count
    let all = count == 0 ? "no difference" : counted(count, "difference")
    guard let row = selectedRow else { return all }
    let (number, isOn) = differenceNumber(at: outline.place(row))
    return (isOn && count > 1 ? "\(number + 1) of " : "") + all
  }

  /// A row in words: how it differs, and of two values both.
  func comparedLine(_ row: Outline.Row, _ ink: Ink) -> String? {
    guard let change = outline.change(row) else { return nil }
    guard let difference = outline.difference(row), difference.inner.isEmpty else { return change.word }
    let values = ComparedValues(difference, isMasked: ink.isMasking, hidesSecrets: isHidden(row))
    guard change == .changed, !isHidden(row) else { return change.word }
    return change.word + ", from " + ink.oneLine(values.before) + " to " + ink.oneLine(values.after)
  }
}

extension Ink {
  func oneLine(_ pieces: Pieces) -> String { pieces.map { span($0, columns: 200).text }.joined() }
}

// MARK: - Drawing

extension Canvas where State == BrowserState {
  mutating func drawChange(_ row: Outline.Row, isSelected: Bool, row line: Int) {
    guard let column = state.layout.changeColumn else { return }
    let change = state.outline.change(row)
    field(
      change?.sign ?? " ", row: line, columns: column..<(column + 1),
      Style(change?.role ?? .plain, selected: isSelected))
  }

  /// Two values side by side: the old one in the left half, the new one in the right half.
  mutating func drawSides(_ difference: ValueDifference, isHidden: Bool, row: Int, columns: Range<Int>) {
    let values = isHidden ? nil : ComparedValues(difference, isMasked: ink.isMasking, hidesSecrets: false)
    let hidden: Pieces = [.words(Secrets.standIn)]
    let middle = columns.lowerBound + columns.count / 2
    let sides = [
      (difference.before, values?.before, columns.lowerBound..<max(columns.lowerBound, middle - 1), Role.removed),
      (difference.after, values?.after, middle..<columns.upperBound, .added),
    ]
    for (child, pieces, place, role) in sides {
      let shown = child == nil ? [] : pieces ?? hidden
      let text = DisplayText.fit(ink.oneLine(shown), columns: place.count, glyphs: ink.glyphs)
      field(text, row: row, columns: place, Style(difference.change == .form ? .skipped : role))
    }
  }
}

// MARK: - Details

extension PageWriter {
  /// Both values in full, the old one first.
  mutating func sides(_ difference: ValueDifference, limit: Int) {
    for (title, child) in [("Before", difference.before), ("After", difference.after)] {
      guard let child else { continue }
      let value = child.value
      heading(title)
      row("Type", width: 8, [Span(ink.words(ink.typeWords(value)), .note)])
      if !ink.isMasking, let reading = value.moment {
        row("Moment", width: 8, [Span(MomentText.text(reading.moment) + " UTC", .value)])
      }
      blank()
      content(of: value, limit: limit / 2)
    }
  }
}
