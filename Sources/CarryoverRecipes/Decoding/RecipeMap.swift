import Carryover
import CarryoverSystem

/// What is wrong in a file, as far as it has been read.
final class LintLog {
  private(set) var issues: [LintIssue] = []
  var allowed: Set<LintCode> = []

  func report(_ code: LintCode, _ place: TextPlace, _ message: String) {
    issues.append(LintIssue(code, place, message))
  }

  /// Reads a file, and says what is wrong in it, by place. The result is nil if an issue is an error.
  static func read<File>(
    _ bytes: [UInt8], _ decode: (RecipeNode, LintLog) -> File?
  ) -> (file: File?, issues: [LintIssue]) {
    let (root, issues) = RecipeReader.read(bytes)
    let log = LintLog()
    let file = root.flatMap { decode($0, log) }
    let all = (issues + log.issues).filter { !log.allowed.contains($0.code) }.sorted { $0.place < $1.place }
    return (all.contains { $0.code.severity == .error } ? nil : file, all)
  }

  /// Reports why there is no value.
  func refuse<Value>(_ code: LintCode, _ place: TextPlace, _ message: String) -> Value? {
    report(code, place, message)
    return nil
  }

  /// The names that may still be compared with unknown ones: a file can have thousands of both.
  private var comparable = 100_000

  /// A sentence with the names that a reader may have meant.
  func suggest(_ name: String, _ names: [String]) -> String {
    guard names.count <= comparable else { return "There are too many names to suggest one." }
    comparable -= names.count
    let nearest = Nearest.names(to: name, among: names)
    guard !nearest.isEmpty else { return "There are none." }
    return "The nearest \(nearest.count == 1 ? "is" : "are") \(nearest.joined(separator: ", "))."
  }
}

/// A map of a recipe file whose keys are fixed. Each key is taken once; ``end()`` reports those that are left.
struct RecipeMap {
  let place: TextPlace
  let log: LintLog
  private var entries: [StringByBytes: RecipeNode.Entry]
  private var known: [String] = []

  init?(_ node: RecipeNode, of what: String, _ log: LintLog) {
    guard let entries = node.entries(log, orSay: "\(what) is a map: keys with values.") else { return nil }
    place = node.place
    self.log = log
    self.entries = Dictionary(firstOf: entries.map { ($0.key, $0) })
  }

  /// The map of a file that is no recipe: its first line names the format, and it can say what it is about.
  init?(_ root: RecipeNode, of what: String, format: String, _ log: LintLog) {
    self.init(root, of: what, log)
    guard let node = take("carryover"), node.text(log) == format else {
      log.report(.format, place, "\(what) begins with “carryover: \(format)”.")
      return nil
    }
    _ = words("about")
  }

  mutating func take(_ key: String) -> RecipeNode? {
    known.append(key)
    return entries.removeValue(forKey: StringByBytes(key))?.value
  }

  mutating func require(_ key: String) -> RecipeNode? {
    let node = take(key)
    if node == nil { log.report(.missingKey, place, "The key “\(key)” is missing here.") }
    return node
  }

  mutating func text(_ key: String) -> String? { take(key)?.text(log) }
  mutating func requireText(_ key: String) -> String? { require(key)?.text(log) }
  mutating func texts(_ key: String) -> [String] { take(key)?.texts(log) ?? [] }
  mutating func flag(_ key: String) -> Bool { take(key)?.flag(log) ?? false }

  /// Text that people read: a title, a reason. It has only visible characters, so that it cannot pose as other text.
  mutating func words(_ key: String) -> String? { take(key)?.words(log) }
  mutating func requireWords(_ key: String) -> String? { require(key)?.words(log) }

  mutating func requireSentence(_ key: String) -> String? { require(key)?.sentence(log) }

  mutating func choice<Choice>(_ key: String, of choices: [(String, Choice)]) -> Choice? {
    take(key)?.choice(key, of: choices, log)
  }

  /// Reports each key that was not taken. Keys that begin with `x-` are other tools' and allowed.
  func end() {
    for entry in entries.values where !entry.key.hasPrefix("x-") {
      log.report(
        .unknownKey, entry.place,
        "The key \(DisplayText.quoted(entry.key)) is unknown here. \(log.suggest(entry.key, known))")
    }
  }
}

extension RecipeNode {
  func text(_ log: LintLog) -> String? {
    if case .text(let text) = content, !text.isEmpty { return text }
    return log.refuse(.wrongValue, place, "Text is needed here. Quote a number or true and false to use them as text.")
  }

  func words(_ log: LintLog) -> String? {
    guard let text = text(log) else { return nil }
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || DisplayText.hasShape($0) }) else {
      return log.refuse(.hiddenCharacter, place, "This text has an invisible or controlling character. Remove it.")
    }
    return text
  }

  /// A reason or an advice: words that are a sentence.
  func sentence(_ log: LintLog) -> String? {
    let words = words(log)
    if words != nil { checkSentence(log) }
    return words
  }

  func choice<Choice>(_ what: String, of choices: [(String, Choice)], _ log: LintLog) -> Choice? {
    guard let name = text(log) else { return nil }
    if let choice = choices.first(where: { $0.0 == name }) { return choice.1 }
    return log.refuse(
      .unknownName, place, "There is no \(what) \(DisplayText.quoted(name)). \(log.suggest(name, choices.map(\.0)))")
  }

  func checkSentence(_ log: LintLog) {
    guard case .text(let text) = content else { return }
    let last = text.last { !$0.isWhitespace && !"\"'”’»)".contains($0) }
    if let last, ".!?…。！？".contains(last) { return }
    log.report(.badWords, place, "People read this as a sentence. End it with a full stop.")
  }

  func flag(_ log: LintLog) -> Bool? {
    if case .boolean(let flag) = content { return flag }
    return log.refuse(.wrongValue, place, "true or false is needed here.")
  }

  func number(_ log: LintLog, from least: Int = 0) -> Int? {
    if case .integer(let digits) = content, let number = Int(digits), number >= least { return number }
    return log.refuse(.wrongValue, place, "A whole number of \(least) or more is needed here.")
  }

  func items(_ log: LintLog) -> [RecipeNode]? {
    if case .list(let items) = content { return items }
    return log.refuse(.wrongValue, place, "A list is needed here.")
  }

  func entries(_ log: LintLog, orSay sentence: String) -> [Entry]? {
    if case .map(let entries) = content { return entries }
    return log.refuse(.wrongValue, place, sentence)
  }

  func texts(_ log: LintLog) -> [String] { (items(log) ?? []).compactMap { $0.text(log) } }
}
