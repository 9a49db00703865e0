package import Carryover
package import CarryoverTerminal

/// The state of a choice among the containers at a path: a value that `reduce` changes and `render` draws.
package struct PickerState: Sendable {
  /// The containers, in the order given.
  package let candidates: [ContainerCandidate]
  /// What was opened, as the user named it.
  package let place: String
  package var stack: ScreenStack

  /// The numbers of the candidates that are shown.
  var shown: [Int]
  /// The candidate with the cursor; nil where none is shown.
  var cursor: Int?
  /// The row at the top.
  var topRow = 0
  /// The words that narrow the list.
  private(set) var filter = ""
  /// Why the container that was chosen last could not be opened.
  var failure: ReviewFailure?
  let widths: CandidateWidths
  /// What each candidate is found by, in lower case.
  private let texts: [String]

  /// A choice among containers.
  /// - Parameters:
  ///   - candidates: The containers.
  ///   - place: What was opened, as the user named it.
  ///   - size: The size of the screen.
  ///   - options: What drawing depends on.
  package init(
    _ candidates: [ContainerCandidate], place: String, size: Size, options: ReviewOptions = ReviewOptions()
  ) {
    self.candidates = candidates
    self.place = place
    stack = ScreenStack(.containers, size: size, options: options)
    widths = CandidateWidths(candidates)
    texts = candidates.map { candidate in
      ([candidate.bundleID ?? "", candidate.name, candidate.path] + candidate.groups).joined(separator: "\n")
        .lowercased()
    }
    shown = Array(candidates.indices)
    cursor = shown.first
  }

  /// The candidate with the cursor.
  package var selected: ContainerCandidate? { cursor.map { candidates[$0] } }

  /// The row with the cursor.
  var row: Int? { cursor.flatMap { shown.firstIndex(of: $0) } }

  /// The rows of the screen that hold candidates.
  var rows: Range<Int> { 3..<max(3, size.rows - 2) }

  /// Shows the candidates that hold every word. The cursor stays where it is, if that is still shown.
  mutating func refilter(_ text: String) {
    filter = text
    let words = text.lowercased().split(separator: " ")
    shown = candidates.indices.filter { index in words.allSatisfy { texts[index].contains($0) } }
    if row == nil { cursor = shown.first }
    revealCursor()
  }

  /// Puts the cursor on a row and shows it.
  mutating func select(row: Int) {
    guard shown.indices.contains(row) else { return }
    cursor = shown[row]
    revealCursor()
  }

  mutating func revealCursor() {
    topRow = ListWindow.top(topRow, showing: row ?? 0, of: shown.count, visible: rows.count)
  }

  /// Says that the container that was chosen is being opened.
  package mutating func opening() { message = "Opening…" }

  /// Takes up the choice again where it was left.
  /// - Parameters:
  ///   - size: The size the screen has by now.
  ///   - failure: Why the container that was chosen could not be opened, or be gone on with.
  package mutating func comeBack(size: Size, failure: ReviewFailure? = nil) {
    stack.size = size
    self.failure = failure
    message = nil
    show(failure == nil ? [.containers] : [.containers, .containersFailure])
    stack.pageTop = 0
    stack.revision += 1
    revealCursor()
    refresh()
  }
}
