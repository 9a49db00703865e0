import Carryover
import CarryoverPages
import CarryoverTerminal

/// A screen for the accessible mode, with the keys that answer it.
package struct LineView: Sendable {
  struct Answer: Sendable {
    /// The name and the labels: each can be typed.
    var names: [String]
    var keys: [Key]
    var duty: KeyDuty?
    /// Whether each of its keys means something else.
    var isFamily: Bool
    var asksForText: Bool
  }

  /// The screen below any typed line.
  var screen: Screen
  var title: String
  /// The title bar, on the program's own screen.
  var bar: String?
  var page: [String] = []
  /// The first visible line, and the number of lines.
  var place = (top: 0, count: 0)
  var row: (number: Int, count: Int)?
  var line: String?
  var pane: [String] = []
  /// Whether every row is printed with the screen, as rows have no details.
  var isReadWhole = false
  /// Whether rows are chosen by keys of their own, not by their numbers.
  var isMenu = false
  var summary: String?
  var status: String?
  var found: [String] = []
  var hints = ""
  var answers: [Answer] = []
  var question: String?
  var message: String?
  var isLeftByAnyKey = false
  var rows: @Sendable (_ from: Int, _ count: Int) -> [String] = { _, _ in [] }
}

extension KeyBinding {
  /// Whether it is useful only in a window: the accessible mode has no panes and no clipboard, and the terminal driver
  /// handles ctrl-z.
  fileprivate var isOfWindows: Bool { group == .panes || ["copy", "copy-path", "suspend", "run"].contains(name) }
}

extension Program {
  package var lineView: LineView { ownLineView }

  func isOffered(_ binding: KeyBinding<Self>) -> Bool {
    guard options.lineColumns != nil else { return true }
    return !binding.isOfWindows && binding.screens.contains { !Self.table[$0].isTyped }
  }

  var bindings: [KeyBinding<Self>] {
    let bindings = Self.table.bindings(in: screen, options.keymap)
    return options.lineColumns == nil ? bindings : bindings.filter { !$0.isOfWindows }
  }

  /// The word the accessible mode requires in full for a confirmation key; nil for every other key.
  func lineWords(_ binding: KeyBinding<Self>, in screen: Screen) -> String? {
    guard options.lineColumns != nil, binding.duty == .confirmation else { return nil }
    let first = Self.table.bindings(in: screen, options.keymap).first { $0.duty == .confirmation }
    return first?.name == binding.name ? "yes" : binding.name
  }

  /// The view of the program itself, without an embedded program.
  var ownLineView: LineView {
    let content = Self.table[topScreen]
    let ink = Ink(options)
    var view = LineView(screen: topScreen, title: content.title?(self, ink) ?? ink.words(content.screen.title))
    if topScreen == Self.table.home {
      let counts = titleCounts.map(\.text).joined(separator: ", ")
      view.bar = titleParts(columns: ScreenStack.hintColumns).joined(separator: ink.words(TitleCount.separator))
      view.bar? += ": " + ink.words(counts)
    }
    view.message = message.map { ink.words(ink.quoted($0), isEscaped: true) }
    view.status = statusWords
    view.found = foundLines
    view.summary = content.summary.map { $0(self, ink) }.flatMap { $0.isEmpty ? nil : $0 }
    view.isLeftByAnyKey = content.isLeftByAnyKey
    view.answers = bindings.map { binding in
      LineView.Answer(
        names: [binding.name, binding.label, binding.label(self)], keys: binding.keys, duty: binding.duty,
        isFamily: binding.isFamily,
        asksForText: binding.opens.contains { Self.table[$0].isTyped })
    }
    if !view.isLeftByAnyKey {
      let hints = hints(columns: ScreenStack.hintColumns)
      let words = hints.map {
        $0.key == $0.label.split(separator: " ").joined(separator: "-") ? $0.key : "\($0.key) \($0.label)"
      }
      view.hints = ink.words(words.joined(separator: " · "))
    }
    if let typing = stack.typing {
      let what = typing.part.map { " " + ink.name($0.field, columns: 60) } ?? ""
      let title = typing.title.map { ink.name($0.capitalised, columns: 60) } ?? typing.screen.title
      view.question = ink.words("\(title)\(what) (enter alone cancels): ")
    }
    switch content.kind {
    case .text:
      let text = page.lines.map { $0.map(\.text).joined() }
      view.place = (pageTop, text.count)
      view.rows = { from, count in Array(text.dropFirst(from).prefix(count)) }
      view.page = view.rows(pageTop, PageLayout(size: size).rows.count)
    default: readRows(content, ink, &view)
    }
    return view
  }

  private func readRows(_ content: ScreenContent<Self>, _ ink: Ink, _ view: inout LineView) {
    guard let scroller = content.scroller?(self, nil), let row = scroller.row, scroller.count > 0 else {
      if let empty = content.empty?(self) { view.page = [ink.words(empty)] }
      return
    }
    view.row = (row, scroller.count)
    view.line = content.line?(self, row, ink)
    view.isMenu = content.isMenu
    view.isReadWhole = content.pane == nil
    if let pane = content.pane {
      var writer = PageWriter(columns: stack.textColumns, ink: ink)
      pane(&writer, self)
      view.pane = writer.lines.map { $0.map(\.text).joined() }
      // The name of the row may be the title of its details.
      let title = view.pane.first.map { String($0.drop { $0 == " " }) }
      if let title, view.line?.hasPrefix(title + ":") == true { view.pane.removeFirst() }
    }
    view.rows = { from, count in (from..<min(scroller.count, from + count)).map { content.line?(self, $0, ink) ?? "" } }
  }
}

extension PageWriter {
  mutating func lineHelp(_ words: ActionWords) {
    let answers = [
      ("a key", "presses it: s, space, enter, ctrl-r. Its word, or the start of its word, does the same."),
      ("a word, a text", "enters the text that the word asks for: edit 42, filter is:undecided, search acme."),
      ("yes", "confirms what was just printed. Shorter answers are refused."),
      ("a number", "goes to the row of that number."),
      ("list", "prints the rows, 50 at a time; more prints the next ones, again the whole screen."),
      (":a name", "runs the action of that name, or names those that match."),
    ].filter { words.match("\($0) \($1)") }
    guard !answers.isEmpty else { return }
    heading("Lines")
    for (answer, meaning) in answers { row(answer, width: 16, [Span(ink.words(meaning))], indent: 2) }
  }
}
