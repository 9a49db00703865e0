import CarryoverPages
package import CarryoverTerminal

/// Runs a program line by line, for screen readers, line-only terminals and logs: prints each screen and reads a key or
/// its word from a line. Pure.
///
/// A key that writes files or loses decisions needs `yes`, or its full name, right after the session printed the screen
/// it confirms.
package struct LineSession<State: Program>: Sendable {
  package struct Step: Sendable {
    /// Escaped, without control characters, not wrapped.
    package var lines: [String] = []
    package var effects: [State.Effect] = []
  }

  package private(set) var state: State
  private(set) var current: LineView
  /// Questions for text do not count.
  private var printed: LineView
  /// Whether the last step printed the screen, so that `yes` is about what was just read.
  private var isRead = false
  /// Where `more` continues.
  private var next = 0

  package static func options(_ options: ReviewOptions) -> ReviewOptions {
    var options = options
    options.lineColumns = 400
    return options
  }

  package static func wrapped(_ line: String, columns: Int) -> [String] {
    guard DisplayWidth.columns(of: line) > columns else { return [line] }
    return Wrapping.wrap([Span(line)], first: columns, rest: columns, exact: false).map { $0.map(\.text).joined() }
  }

  /// Nothing is drawn; a page of text is printed 100 lines at a time.
  package static var size: Size { Size(columns: 120, rows: 104) }

  package init(_ state: State) {
    self.state = state
    current = state.lineView
    printed = current
  }

  package mutating func start() -> Step {
    var lines = [
      "Type a key or its name. ?: help; list: show the rows; a number: go to that row; again: repeat the screen."
    ]
    while state.lineView.isLeftByAnyKey {
      let notice = state.lineView
      lines += [notice.title] + Self.filled(notice.rows(0, notice.place.count))
      state.back()
      state.refresh()
    }
    current = state.lineView
    if let message = current.message { lines.append(message) }
    return Step(lines: lines + readScreen())
  }

  package var prompt: String { current.question ?? "\(current.title): " }

  /// The line for a log. With redaction, `(a value)` replaces the text of an answer, and a line that matches no answer.
  package func repeated(_ line: String) -> String {
    guard state.options.redaction != nil, !line.isEmpty else { return line }
    if current.question != nil { return "(a value)" }
    let text = Self.trimmed(line)
    guard let (_, _, rest) = answer(to: text) else { return Self.isHarmless(text) ? line : "(a value)" }
    guard !rest.isEmpty else { return line }
    return text.dropLast(rest.count) + "(a value)"
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.allSatisfy(\.isNumber) || ["again", "list", "more", "yes", "?"].contains(text.lowercased())
  }

  package mutating func take(line: String) -> Step {
    guard line.utf8.count <= TypedLine.limit else {
      return say("This line is too long: \(line.utf8.count) bytes. Nothing was done.")
    }
    let wasRead = isRead
    isRead = false
    if current.question != nil { return answerQuestion(line) }
    let text = Self.trimmed(line)
    switch text.lowercased() {
    case "": return say("Enter alone does nothing. ? lists every key.")
    case "again": return Step(lines: readScreen())
    case "list":
      guard current.row != nil else { return say("There is no list here.") }
      next = 0
      return Step(lines: readOn())
    case "more":
      // `more` continues the same screen, so `yes` may still follow it.
      isRead = wasRead
      return Step(lines: readOn())
    default: break
    }
    if let number = Int(text), let row = current.row, !current.isMenu {
      guard (1...row.count).contains(number) else { return say("The rows are numbered from 1 to \(row.count).") }
      return answered { reduce(&$0, .row(number - 1)) }
    }
    guard let (answer, key, rest) = answer(to: text) else { return say(misunderstood(text)) }
    guard rest.isEmpty || answer.asksForText else { return say("This key takes no text. Nothing was done.") }
    if answer.duty == .confirmation {
      // `yes` confirms the first; any other needs its full name.
      let isFirst = current.answers.first { $0.duty == .confirmation }?.keys == answer.keys
      guard isFirst ? text == "yes" : answer.names.contains(text.lowercased()) else {
        return say("Type \(isFirst ? "yes" : answer.names.first ?? "") in full.")
      }
      guard wasRead, state.lineView.page == current.page else {
        return Step(lines: ["Read this before you answer yes."] + readScreen())
      }
    }
    return answered { state in
      let effects = reduce(&state, .key(key))
      guard !rest.isEmpty, state.lineView.question != nil else { return effects }
      return effects + reduce(&state, .line(rest))
    }
  }

  package mutating func update(_ change: (inout State) -> [State.Effect]) -> Step {
    let before = current.message
    let asked = change(&state)
    current = state.lineView
    var lines: [String] = []
    if let message = current.message, message != before || asked.contains(.bell) {
      lines.append(message)
    } else if asked.contains(.bell) {
      lines.append("This does nothing here.")
    }
    if current.question == nil { lines += readChange() }
    return Step(lines: lines, effects: asked.filter { $0 != .bell })
  }

  /// Always prints something, unless a new question does.
  private mutating func answered(_ change: (inout State) -> [State.Effect]) -> Step {
    // Cleared so that `update` prints the same message a second time.
    current.message = nil
    let question = current.question
    var step = update(change)
    guard step.lines.isEmpty, current.question == nil || current.question == question else { return step }
    if let busy = state.busy {
      step.lines = [Ink(state.options).words(busy)]
    } else if step.effects.isEmpty {
      step.lines = current.row == nil || current.question != nil ? ["Nothing changed."] : row(current)
    }
    return step
  }

  private func say(_ sentence: String) -> Step { Step(lines: [sentence]) }

  private mutating func answerQuestion(_ line: String) -> Step {
    let wayOut = current.answers.first { $0.duty == .wayOut }?.keys.first
    return answered { reduce(&$0, line.isEmpty ? .key(wayOut ?? .escape) : .line(line)) }
  }

  private mutating func readScreen() -> [String] {
    var lines = [current.title]
    if let bar = current.bar { lines.append(bar) }
    next = current.place.top + current.page.count
    lines += Self.filled(current.page) + rest(of: current.place.count)
    if current.isReadWhole {
      next = 0
      lines += readOn()
      if let row = current.row, row.count > 1 { lines += ["At the cursor:"] + self.row(current) }
    } else {
      lines += row(current) + Self.filled(current.pane)
      next = current.row.map { $0.number + 1 } ?? next
    }
    for words in [current.summary, current.status] { if let words { lines.append(words) } }
    if !current.hints.isEmpty { lines.append(current.hints) }
    printed = current
    isRead = true
    return lines
  }

  private mutating func readChange() -> [String] {
    let (old, new) = (printed, current)
    if new.screen != old.screen || new.title != old.title { return readScreen() }
    printed = new
    var lines: [String] = []
    if new.found != old.found, !new.found.isEmpty {
      next = min(new.place.count, new.place.top + new.page.count)
      return Self.filled(new.found) + (new.status.map { [$0] } ?? [])
    }
    if new.page != old.page {
      // When a decision changes a few lines of a page, only those are printed.
      let known = Set(old.page)
      lines = Self.filled(new.page).filter { !known.contains($0) }
      if lines.isEmpty || lines.count > new.page.count / 4 { return readScreen() }
    }
    if new.row?.number != old.row?.number || new.row?.count != old.row?.count {
      lines += row(new) + (new.isReadWhole || new.pane == old.pane ? [] : Self.filled(new.pane))
      next = new.row.map { $0.number + 1 } ?? 0
    } else if new.line != old.line {
      lines += row(new)
    }
    if let summary = new.summary, summary != old.summary { lines.append(summary) }
    if let status = new.status, status != old.status { lines = (lines.isEmpty ? row(new) : lines) + [status] }
    return lines
  }

  private func row(_ view: LineView) -> [String] {
    guard let row = view.row, let line = view.line else { return [] }
    return [view.isMenu ? line : "\(row.number + 1) of \(row.count). \(line)"]
  }

  private mutating func readOn() -> [String] {
    let all = current.row?.count ?? current.place.count
    guard next < all else { return ["There is nothing more to read."] }
    let isText = current.row == nil
    var lines = current.rows(next, isText ? PageLayout(size: state.size).rows.count : Self.rowsAtOnce)
    let first = next + 1
    next += lines.count
    if isText {
      lines = Self.filled(lines)
    } else if !current.isMenu {
      lines = lines.enumerated().map { "\(first + $0) of \(all). \($1)" }
    }
    return lines + rest(of: all)
  }

  private func rest(of all: Int) -> [String] { next < all ? ["\(all - next) left. Type more to read on."] : [] }

  /// Without empty lines, and without the blanks behind columns.
  private static func filled(_ lines: [String]) -> [String] {
    lines.compactMap { line in line.lastIndex { $0 != " " }.map { String(line[...$0]) } }
  }

  static func trimmed(_ line: String) -> String {
    let text = line.drop { $0 == " " || $0 == "\t" }
    return text.lastIndex { $0 != " " && $0 != "\t" && $0 != "\r" }.map { String(text[...$0]) } ?? ""
  }

  private static var rowsAtOnce: Int { 50 }

  func misunderstood(_ text: String) -> String {
    let word = text.lowercased()
    let names = begun(by: word).compactMap { answer in answer.names.first { $0.lowercased().hasPrefix(word) } }
    guard names.count > 1 else { return "There is no such answer here. ? lists every key." }
    return "More than one name begins with that: \(names.joined(separator: ", ")). Type more letters."
  }

  /// The answer that a line means, by its key or its name, or by an unambiguous beginning of the name; with the text
  /// behind it.
  func answer(to text: String) -> (LineView.Answer, Key, String)? {
    let word = text.lowercased()
    func first(_ answer: LineView.Answer?) -> (LineView.Answer, Key, String)? {
      answer.flatMap { answer in answer.keys.first.map { (answer, $0, "") } }
    }
    if word == "yes" { return first(current.answers.first { $0.duty == .confirmation }) }
    for answer in current.answers {
      if let key = answer.keys.first(where: { $0.name == text }) { return (answer, key, "") }
    }
    if let named = named(in: text) { return named }
    let begun = begun(by: word)
    return begun.count == 1 ? first(begun.first) : nil
  }

  /// The longest name, or key, that begins the line. A binding's own name counts before what another one is called now.
  private func named(in text: String) -> (LineView.Answer, Key, String)? {
    var found: (answer: LineView.Answer, length: Int, isOwn: Bool)?
    for answer in current.answers {
      let names = answer.names.filter { name in
        let name = name.lowercased()
        return !name.isEmpty && (text.lowercased() == name || text.lowercased().hasPrefix(name + " "))
      }
      // A sign needs no blank behind it: `/acme`.
      let keys = answer.keys.map(\.name).filter { name in
        let isSign = name.allSatisfy { $0.isPunctuation || $0.isSymbol }
        return answer.asksForText && text.hasPrefix(isSign ? name : name + " ")
      }
      for name in names + keys {
        let isOwn = answer.names.first?.lowercased() == name.lowercased()
        guard name.count > found?.length ?? 0 || name.count == found?.length && isOwn && found?.isOwn == false else {
          continue
        }
        found = (answer, name.count, isOwn)
      }
    }
    guard let (answer, length, _) = found else { return nil }
    let rest = Self.trimmed(String(text.dropFirst(length)))
    if answer.isFamily { return answer.keys.first { $0.name == rest }.map { (answer, $0, "") } }
    return answer.keys.first.map { (answer, $0, rest) }
  }

  /// A single letter is a key: a wrong one means nothing.
  private func begun(by word: String) -> [LineView.Answer] {
    guard word.count > 1 else { return [] }
    return current.answers.filter { answer in
      answer.duty != .confirmation && !answer.isFamily && answer.names.contains { $0.lowercased().hasPrefix(word) }
    }
  }
}
